/** A disk that takes its time stops writers, who wait for it, and nobody else; one that fails is believed. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes } from '../support/sample-kind.ts'

const CHILD = join(import.meta.dirname, 'troubled-disk-child.ts')
const run = promisify(execFile)

interface Seen {
  readonly reads: number
  readonly commits: number
  readonly commitMilliseconds: number
  readonly p50: number
  readonly p99: number
  readonly acknowledged: readonly string[]
  readonly refusals: number
  readonly isReady: boolean
  readonly canRead: boolean
}

/** Why this machine cannot do it; false when it can. */
function obstacle(): string | false {
  const tried = spawnSync('strace', ['-f', '-e', 'trace=none', process.execPath, '-e', '0'], { encoding: 'utf8' })
  if (tried.error !== undefined) return 'strace is not installed'
  return tried.status === 0 ? false : 'strace may not watch processes here'
}

suite('troubled disk under SQLite', { skip: obstacle() }, () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-slow-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  /** Runs the child with something injected into every fsync. */
  const runWith = async (injection: string, mode: 'waiting' | 'steady' | 'failing'): Promise<Seen> => {
    const inject = `inject=fsync,fdatasync:${injection}`
    const watch = ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', inject]
    const { stdout } = await run('strace', [...watch, process.execPath, CHILD, join(folder, `${mode}.db`), mode])
    return JSON.parse(stdout) as Seen
  }

  test('reads go on while a commit waits for the disk', async (context) => {
    const { reads, commitMilliseconds } = await runWith('delay_enter=400000', 'waiting')
    context.diagnostic(`${reads} reads while one commit waited ${commitMilliseconds.toFixed(0)} ms`)
    // The commit was acknowledged only after the disk had answered, and the readers did not wait for it.
    assert.ok(commitMilliseconds >= 400)
    assert.ok(reads >= 20)
  })

  test('with 5 ms for each fsync, 200 commits a second leave the readers alone', async (context) => {
    const { reads, commits, p50, p99 } = await runWith('delay_enter=5000', 'steady')
    context.diagnostic(`${commits} commits, ${reads} reads: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
    assert.ok(commits > 0 && reads > 0)
  })

  test('nothing is acknowledged after a failed fsync, and what was acknowledged is there after a restart', async () => {
    // The writer's first twenty succeed, all others fail.
    const { acknowledged, refusals, isReady, canRead } = await runWith('error=EIO:when=21+', 'failing')
    assert.ok(acknowledged.length > 1 && refusals > 0)
    assert.deepEqual([isReady, canRead], [false, true])
    const store = await openStore(await openSqlite({ file: join(folder, 'failing.db') }), [boxes])
    for (const id of acknowledged) assert.equal((await store.get(boxes, id))?.revision, 1)
    const events = await store.events({ limit: 1000 })
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, index) => index + 1),
    )
    await store.close()
  })
})
