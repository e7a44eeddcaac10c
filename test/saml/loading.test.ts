/** XML libraries take time and memory: a server loads them when somebody needs them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

test('XML libraries are loaded by the first message that is signed in itself, and by nothing before', async () => {
  const child = fileURLToPath(new URL('loading-child.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [child])
  const { start, pages, plain, signed } = JSON.parse(stdout) as Record<string, readonly string[]>
  assert.deepEqual({ start, pages, plain }, { start: [], pages: [], plain: [] })
  assert.ok(signed?.includes('xml-crypto') && signed.includes('@xmldom/xmldom'), stdout)
})
