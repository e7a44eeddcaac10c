import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { INBOX_KEY_FILE, openInboxKey } from './inbox-key.ts'

suite('the key of the inbox', () => {
  test('is made once, is random, and only its owner can read it', async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'signet-inbox-key-'))
    t.after(() => rm(root, { recursive: true, force: true }))
    const folder = join(root, 'data')
    const keys = await Promise.all(Array.from({ length: 8 }, () => openInboxKey(folder)))
    assert.deepEqual(new Set(keys).size, 1)
    assert.match(keys[0] ?? '', /^[\w-]{43}$/)
    const path = join(folder, INBOX_KEY_FILE)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.equal((await readFile(path, 'utf8')).trim(), keys[0])
    // A crash while it was written.
    await writeFile(path, '')
    const renewed = await openInboxKey(folder)
    assert.notEqual(renewed, keys[0])
    assert.equal(await openInboxKey(folder), renewed)
  })
})
