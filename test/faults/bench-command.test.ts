/** `signet bench` against a running server: what it prints, and that it leaves nothing behind. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { BenchResult } from '../../src/cli/bench/bench.ts'
import { runServer } from './run-server.ts'

suite('signet bench', () => {
  test('reads and lists; with --write it also signs a user in whom it removes again', async () => {
    const server = await runServer('main', ['start'])
    const url = await server.url
    const { dataDir } = server
    const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
    const countUsers = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/v2/users`, { method: 'POST', headers, body: '{}' })
      return ((await answer.json()) as { result: unknown[] }).result.length
    }
    const before = await countUsers()
    const run = async (...flags: readonly string[]) => {
      const args = ['bench', '--url', url, '--seconds', '1', '--callers', '2', ...flags]
      const command = await runServer('main', args, { SIGNET_DATA_DIR: dataDir })
      return { code: await command.ended, out: command.stdout(), complaints: command.stderr() }
    }

    const reading = await run()
    assert.equal(reading.code, 0, reading.complaints)
    assert.match(reading.out, /^read own user +[\d ]+\/s {3}p50 [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms$/m)
    assert.doesNotMatch(reading.out, /session/)

    const writing = await run('--write', '--json')
    assert.equal(writing.code, 0, writing.complaints)
    const { rows, callers } = JSON.parse(writing.out) as BenchResult
    assert.equal(callers, 2)
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['read own user', 'list 100 users', 'create a session', 'sign in with a password'],
    )
    assert.ok(rows.every(({ answered, failed }) => answered > 0 && failed === 0))
    assert.equal(await countUsers(), before)

    const unreachable = await run('--url', 'http://127.0.0.1:1')
    assert.equal(unreachable.code, 1)
    assert.match(unreachable.complaints, /cannot be reached/)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})
