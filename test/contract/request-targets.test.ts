/** Request targets in absolute form (RFC 9112 §3.2.2), which proxies and some probes send: every route takes them. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { meet } from '../faults/raw-http2.ts'
import { runServer } from '../faults/run-server.ts'

const patient = { timeout: 600_000 }

/** The status line and everything behind it. */
async function get(port: number, target: string): Promise<string> {
  const peer = meet(port, `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
  await peer.closed
  return peer.heard()
}

suite('a request target in absolute form', () => {
  test('finds probes, documents, hosted pages and methods of the real server', patient, async () => {
    const server = await runServer('main', ['start'])
    const port = Number(new URL(await server.url).port)
    for (const [path, expected] of [
      ['/healthz', /ok\n$/],
      ['/debug/healthz', /ok\n$/],
      ['/readyz', /ready\n$/],
      ['/metrics', /^process_cpu_seconds_total /m],
      ['/openapi.json', /"openapi":"3\.1\.1"/],
      ['/.well-known/webauthn', /"origins"/],
      ['/', /<!doctype html>/],
      ['/ui/login', /<!doctype html>/],
      ['/ui/login?lang=de', /<html lang="de">/],
      ['/forgot-password', /<form method="post"/],
    ] as const) {
      for (const origin of ['', 'http://localhost', 'http://id.example.com:8080', 'HTTPS://id.example.com']) {
        const answer = await get(port, origin + path)
        assert.match(answer, /^HTTP\/1\.1 200 /, origin + path)
        assert.match(answer, expected, origin + path)
        assert.match(answer, /^x-request-id: \S+\r$/im, origin + path)
      }
    }
    assert.match(await get(port, 'http://localhost'), /<!doctype html>/)
    assert.match(await get(port, 'http://localhost?lang=de'), /<html lang="de">/)
    assert.match(await get(port, 'http://localhost/v2/users/1'), /^HTTP\/1\.1 401 /)
    assert.match(await get(port, 'http://localhost/nothing'), /^HTTP\/1\.1 404 /)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})
