/** Node must not end the process when it frees a session that a peer left in the middle of its trailers. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('ended-session-child.ts', import.meta.url))

suite('a session whose peer does not take the answer, and leaves', () => {
  for (const what of ['trailers without end', 'trailers that cannot be decoded', 'too many trailers']) {
    test(`after ${what}: the process lives, and its memory is given back`, () => {
      const { status, signal, stderr } = spawnSync(process.execPath, ['--expose-gc', CHILD, what], { encoding: 'utf8' })
      assert.deepEqual([status, signal], [0, null], stderr)
    })
  }
})
