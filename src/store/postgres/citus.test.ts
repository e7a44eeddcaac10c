/**
 * All tests of the store, on a Citus cluster that somebody names: each in a schema of its own, which the cluster places on one of
 * its servers. Citus is in no registry that tests could install it from.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { engineVariable, schemasVariable, serverVariable } from '../../../test/support/postgres.ts'

const url = process.env.SIGNET_TEST_CITUS
const skip = url ? false : 'SIGNET_TEST_CITUS names no cluster (postgres://user:password@coordinator/database)'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Those that are about a server or a database of their own, not about what is in it. */
const OWN_SERVER = /\/(citus|distributed|pooler|locks)\.test\.ts$/

suite('the store on Citus', { skip }, () => {
  test('the server that was named is a coordinator of Citus', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query('select citus_version() as version, groupid from pg_dist_local_group')
      assert.equal(Number(rows[0]?.groupid), 0, 'this is a worker')
    } finally {
      await client.end()
    }
  })

  test('passes all of its tests', async (t) => {
    const files = globSync('src/store/**/*.test.ts', { cwd: root }).filter((file) => !OWN_SERVER.test(file))
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const child = spawn(
      process.execPath,
      // One after the other: some end all sessions of the database.
      ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files.sort()],
      {
        cwd: root,
        env: { ...environment, [serverVariable]: url, [engineVariable]: 'postgres', [schemasVariable]: 'on' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const output = await text(child.stdout)
    const count = /^ℹ pass (\d+)$/m.exec(output)?.[1]
    assert.equal(await ended, 0, output.slice(output.indexOf('✖ failing tests')))
    assert.ok(Number(count) > 300, output)
    t.diagnostic(`${count} tests passed`)
  })
})
