/** A fresh server of the real command, and everybody who reaches it over loopback. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { runServer } from './run-server.ts'

const patient = { timeout: 600_000 }

const root = await mkdtemp(join(tmpdir(), 'signet-fresh-'))
after(() => rm(root, { recursive: true, force: true }))

async function post(url: string, form: Readonly<Record<string, string>>, cookie = '') {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers: { cookie } })
  return { status: reply.status, text: await reply.text() }
}

suite('a fresh server', () => {
  for (const workers of ['1', '2']) {
    test(`cannot be taken over by who reaches loopback (SIGNET_WORKERS=${workers})`, patient, async () => {
      const dataDir = await mkdtemp(join(root, 'data-'))
      const server = await runServer('main', ['start'], { SIGNET_DATA_DIR: dataDir, SIGNET_WORKERS: workers })
      const url = await server.url
      const key = (await readFile(join(dataDir, 'inbox-key'), 'utf8')).trim()
      assert.equal((await stat(join(dataDir, 'inbox-key'))).mode & 0o777, 0o600)
      assert.ok(server.stdout().includes(`/inbox?key=${key}`))

      assert.equal((await post(`${url}/forgot-password`, { userName: 'admin' })).status, 200)
      for (let tries = 0; tries < 6; tries++) {
        // Each is a connection of its own, so that every worker is asked.
        const asked = { redirect: 'manual', headers: { connection: 'close' } } as const
        assert.equal((await fetch(`${url}/inbox`, asked)).status, 403)
        assert.equal((await fetch(`${url}/inbox?key=${key}`, asked)).status, 303)
        const headers = { ...asked.headers, cookie: `signet_inbox=${key}` }
        const inbox = await (await fetch(`${url}/inbox`, { ...asked, headers })).text()
        assert.match(inbox, /No emails yet/)
      }
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0, server.stderr())
      assert.ok(!server.stderr().includes(key))
    })
  }

  test('its administrator gets in again by the command, and the file with the dead link is gone', patient, async () => {
    const dataDir = await mkdtemp(join(root, 'data-'))
    const settings = { SIGNET_DATA_DIR: dataDir }
    const server = await runServer('main', ['start'], settings)
    const url = await server.url
    const linkIn = (text: string) => {
      const { searchParams } = new URL(/\S+\/setup\?\S+/.exec(text)?.[0] ?? '')
      return { userId: searchParams.get('user') ?? '', code: searchParams.get('code') ?? '' }
    }
    const first = { password: 'sturdy umbrella lagoon', repeated: 'sturdy umbrella lagoon' }
    const setUp = { ...linkIn(server.stdout()), email: 'ada@example.com', ...first }
    assert.match((await post(`${url}/setup`, setUp)).text, /Setup complete/)
    assert.ok(!(await readdir(dataDir)).includes('setup-link'))

    const refused = await runServer('main', ['setup-link'], settings)
    assert.equal(await refused.ended, 1)
    assert.match(refused.stderr(), /signet admin recover/)
    const unknown = await runServer('main', ['admin', 'recover', '--user', 'admin-machine'], settings)
    assert.equal(await unknown.ended, 1)
    assert.match(unknown.stderr(), /not a human user/)
    const recovering = await runServer('main', ['admin', 'recover'], settings)
    assert.equal(await recovering.ended, 0, recovering.stderr())
    const second = { password: 'another umbrella lagoon', repeated: 'another umbrella lagoon' }
    const link = linkIn(recovering.stdout())
    assert.match((await post(`${url}/setup`, { ...link, ...second })).text, /Setup complete/)
    assert.equal((await post(`${url}/setup`, { ...link, ...second })).status, 400)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.ok(!server.stderr().includes(link.code))
  })
})
