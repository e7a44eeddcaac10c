/** A port with short deadlines for hostile tests, and the honest client that must be served whatever happens. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '../../src/http/port/limits.ts'
import { openPort, type Port, type PortOptions } from '../../src/http/port/listener.ts'
import type { Router } from '../../src/http/router.ts'

const greeting: Router = {
  http1: (request, response) => {
    request.resume()
    request.on('end', () => response.end('hello'))
  },
  http2: (stream) => {
    stream.resume()
    stream.on('end', () => {
      if (stream.destroyed) return
      stream.respond({ ':status': 200 })
      stream.end('hello')
    })
  },
}

export type HostilePort = Port & { readonly number: number; readonly reasons: string[] }

export async function openHostile(
  limits: Partial<Limits> = {},
  options: Partial<PortOptions> = {},
): Promise<HostilePort> {
  const reasons: string[] = []
  const port = await openPort({
    listen: { host: '127.0.0.1', port: 0 },
    router: greeting,
    limits,
    dropped: (reason) => reasons.push(reason),
    ...options,
  })
  return Object.assign(port, { number: port.address.port, reasons })
}

/** Asserts that a decent client gets its answer on both protocols. */
export async function assertServesHonest(port: HostilePort, scheme: 'http' | 'https' = 'http'): Promise<void> {
  if (scheme === 'http') {
    const answer = await fetch(`http://127.0.0.1:${port.number}/`, { headers: { connection: 'close' } })
    assert.equal(await answer.text(), 'hello')
  }
  const session = connect(`${scheme}://127.0.0.1:${port.number}`, { rejectUnauthorized: false })
  const text = await new Promise<string>((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request({ ':path': '/' })
    let heard = ''
    stream.on('data', (chunk: Buffer) => {
      heard += chunk.toString()
    })
    stream.on('error', reject)
    stream.on('end', () => resolve(heard))
  })
  assert.equal(text, 'hello')
  await new Promise<void>((resolve) => session.close(resolve))
}

/** Resolves when every connection is gone from the port's books. */
export async function emptied(port: Port): Promise<void> {
  while (port.connections > 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

const KEYS = {
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  rsa: ['-newkey', 'rsa:2048'],
}

export function selfSigned(kind: keyof typeof KEYS = 'ec') {
  const folder = mkdtempSync(join(tmpdir(), 'signet-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = [
    'req',
    '-x509',
    ...KEYS[kind],
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ]
  execFileSync('openssl', args, { stdio: 'ignore' })
  const tls = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return tls
}
