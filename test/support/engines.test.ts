import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const store = join(import.meta.dirname, '../../src/store')

test('tests of the store run on both engines, not on that of the process', () => {
  const files = globSync('**/*.test.ts', { cwd: store })
  assert.ok(files.length > 20)
  const onOne = files.filter((file) => /\bof engines\b/.test(readFileSync(join(store, file), 'utf8')))
  assert.deepEqual(onOne, [])
})
