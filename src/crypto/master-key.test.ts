import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { newKey } from './key-ring.ts'
import {
  MASTER_KEY_FILE,
  MasterKeyRefused,
  openMasterKey,
  openMasterKeyFile,
  parseMasterKeys,
  writeMasterKeyFile,
} from './master-key.ts'

const root = await mkdtemp(join(tmpdir(), 'signet-master-key-'))
after(() => rm(root, { recursive: true, force: true }))
let folders = 0
function newFolder(): string {
  return join(root, String(folders++))
}

suite('the master key', () => {
  test('is made once, complete, readable by its owner only, and found again', async () => {
    const dataDir = newFolder()
    const rings = await Promise.all(Array.from({ length: 20 }, () => openMasterKeyFile(dataDir)))
    assert.equal(new Set(rings.map((ring) => ring.active.id)).size, 1)
    assert.deepEqual(await readdir(dataDir), [MASTER_KEY_FILE])
    assert.equal((await stat(join(dataDir, MASTER_KEY_FILE))).mode & 0o777, 0o600)
    assert.equal((await openMasterKeyFile(dataDir)).active.id, rings[0]?.active.id)
  })

  test('is taken as base64 or hex, and the first of several is active', () => {
    const [one, two] = [randomBytes(32), randomBytes(32)]
    const ring = parseMasterKeys(`${one.toString('hex')},\n${two.toString('base64')}\n`)
    assert.deepEqual(Buffer.from(ring.active.bytes), one)
    assert.equal(parseMasterKeys(one.toString('base64url')).active.id, ring.active.id)
    const other = parseMasterKeys(two.toString('hex')).active.id
    assert.deepEqual(Buffer.from(ring.find(other)?.bytes ?? []), two)
  })

  test('weak, short, long, repeated and phrase-like values are refused without being repeated', () => {
    const weak = [
      '',
      ' \n,',
      'secret',
      'MasterkeyNeedsToHave32Characters',
      'a'.repeat(64),
      '0'.repeat(64),
      'A'.repeat(43),
      randomBytes(31).toString('hex'),
      randomBytes(33).toString('hex'),
      randomBytes(16).toString('base64'),
      Buffer.from('MasterkeyNeedsToHave32Characters').toString('base64'),
      Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index)).toString('hex'),
      Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index * 7)).toString('hex'),
      `${randomBytes(32).toString('hex')},changeme`,
    ]
    for (const text of weak) {
      assert.throws(
        () => parseMasterKeys(text),
        (error: unknown) =>
          error instanceof MasterKeyRefused && (text.trim().length < 6 || !error.message.includes(text)),
        text,
      )
    }
  })

  test('ten thousand random keys are all taken', () => {
    for (let round = 0; round < 10_000; round++) parseMasterKeys(randomBytes(32).toString('hex'))
  })

  test('nothing given and no data folder: the server does not start', async () => {
    await assert.rejects(openMasterKey({}), MasterKeyRefused)
    await assert.rejects(openMasterKey({ text: '' }), MasterKeyRefused)
    await assert.rejects(openMasterKey({ file: join(root, 'nowhere') }), MasterKeyRefused)
    await assert.rejects(openMasterKey({ text: 'x', file: 'y' }), MasterKeyRefused)
  })

  test('a file given by the operator is read', async () => {
    const file = join(root, 'given')
    const key = randomBytes(32).toString('base64')
    await writeFile(file, `${key}\n`)
    assert.equal((await openMasterKey({ file })).active.id, parseMasterKeys(key).active.id)
  })

  test('a key file that everybody can read, or that was damaged, is refused and left alone', async () => {
    const dataDir = newFolder()
    await openMasterKeyFile(dataDir)
    const path = join(dataDir, MASTER_KEY_FILE)
    await chmod(path, 0o644)
    await assert.rejects(openMasterKeyFile(dataDir), MasterKeyRefused)
    await chmod(path, 0o600)
    await writeFile(path, 'half a ke')
    await assert.rejects(openMasterKeyFile(dataDir), MasterKeyRefused)
    assert.equal(await readFile(path, 'utf8'), 'half a ke')
  })

  test('beside data that were written with another one, none is made', async () => {
    const dataDir = await mkdtemp(join(root, 'sealed-'))
    const dataFile = join(dataDir, 'data')
    await writeFile(dataFile, 'sealed')
    await assert.rejects(openMasterKey({ dataDir, dataFile }), /master\.key is missing/)
    assert.deepEqual(await readdir(dataDir), ['data'])
  })

  test('a new key can be put before the old one', async () => {
    const dataDir = newFolder()
    const old = (await openMasterKeyFile(dataDir)).active
    const next = newKey()
    await writeMasterKeyFile(dataDir, [next, old])
    const ring = await openMasterKeyFile(dataDir)
    assert.equal(ring.active.id, next.id)
    assert.ok(ring.find(old.id))
    assert.equal((await stat(join(dataDir, MASTER_KEY_FILE))).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(dataDir), [MASTER_KEY_FILE])
  })
})
