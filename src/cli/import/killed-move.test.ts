/** A move that is killed at any moment and run again has everything once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openKeyless } from '../../app.ts'
import { openMasterKeyFile } from '../../crypto/master-key.ts'
import { firstStart } from '../../features/onboarding/index.ts'
import { users } from '../../features/users/index.ts'
import { newId } from '../../kernel/id.ts'
import { systemClock } from '../../kernel/instant.ts'
import { kinds } from '../../modules.ts'
import { newVerification, verify } from '../../store/transfer/index.ts'
import { openSnapshot } from '../transfer.ts'

const SCRIPT = fileURLToPath(new URL('../../../test/support/killed-move.ts', import.meta.url))
const USERS = 1_500

interface Ended {
  readonly output: string
  readonly signal: NodeJS.Signals | null
}

/** Runs the move; kills it when it has written this many lines. */
function run(dataDir: string, killAfter?: number): Promise<Ended> {
  const env = { ...process.env, SIGNET_DATA_DIR: dataDir, SIGNET_LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [SCRIPT, String(USERS)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  let lines = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    lines += text.split('\n').length - 1
    if (killAfter !== undefined && lines >= killAfter) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ output, signal })))
}

suite('a move that is killed', () => {
  test('has everything once after it was run again, and its documents agree with the log', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'signet-killed-move-'))
    try {
      await openMasterKeyFile(dataDir)
      const place = { databaseUrl: undefined, dataDir }
      const store = await openKeyless(place)
      await firstStart({ store, newId, clock: systemClock, dataDir, externalUrl: 'http://localhost:8080' })
      const before = (await store.find(users, { limit: 1 })).total
      await store.close()
      for (const killAfter of [1, 2, 3]) assert.equal((await run(dataDir, killAfter)).signal, 'SIGKILL')
      const { output } = await run(dataDir)
      const summary = JSON.parse(output.trim().split('\n').at(-1) ?? '')
      for (const kind of ['human', 'machine']) {
        const { carried, there, refused } = summary.kinds[kind]
        assert.deepEqual([carried + there, refused], [USERS, 0], kind)
      }
      assert.ok(summary.kinds.human.there > 0)
      const after = await openKeyless(place)
      assert.equal((await after.find(users, { limit: 1 })).total, before + 2 * USERS)
      await after.close()
      const snapshot = await openSnapshot(place)
      const found = newVerification()
      await verify(snapshot, kinds, found).finally(() => snapshot.close())
      assert.deepEqual(found.problems, [])
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
