import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Entry, pack, unpack } from './archive.ts'

const FILES: readonly Entry[] = [
  { name: 'signet', content: Buffer.from('#!/bin/sh\n'), isExecutable: true },
  { name: 'LICENSE', content: Buffer.alloc(1500, 'x') },
  { name: `package/${'folder/'.repeat(14)}${'f'.repeat(60)}`, content: Buffer.alloc(0) },
]

/** An archive of one file whose header was changed, with its checksum. */
function changed(change: (header: Buffer) => void): Buffer {
  const bytes = gunzipSync(pack([{ name: 'signet', content: Buffer.from('x') }]))
  change(bytes)
  bytes.fill(' ', 148, 156)
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return gzipSync(bytes)
}

suite('an archive', () => {
  test('has bytes that follow from its files alone, in whatever order they come', () => {
    assert.deepEqual(pack(FILES), pack([...FILES].reverse()))
  })

  test('is read as it was written, also by the program tar', () => {
    const read = unpack(pack(FILES)).map(({ name, content, isExecutable }) => [name, content.length, isExecutable])
    const written = FILES.map(({ name, content, isExecutable = false }) => [name, content.length, isExecutable])
    assert.deepEqual(read, written.toSorted())
    const folder = mkdtempSync(join(tmpdir(), 'signet-archive-'))
    writeFileSync(join(folder, 'a.tar.gz'), pack(FILES))
    const { stdout, stderr } = spawnSync('tar', ['-tzvf', join(folder, 'a.tar.gz')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.equal(stderr, '')
    assert.match(stdout, /^-rw-r--r-- .* 1500 .* LICENSE\n-rw-r--r-- .*\n-rwxr-xr-x .* signet\n$/)
  })

  test('with a name that leads elsewhere, a link or a file that is cut is not read', () => {
    for (const name of ['../signet', '/etc/passwd', 'a/../../b', 'a//b', './x', 'a\\b'])
      assert.throws(() => unpack(changed((header) => header.fill(0, 0, 100).write(name))), /must not contain/, name)
    assert.throws(() => unpack(changed((header) => header.fill(0, 0, 100))), /must not contain ""/)
    for (const type of ['1', '2', '5', 'x'])
      assert.throws(() => unpack(changed((header) => header.write(type, 156))), /files alone/, type)
    assert.throws(() => unpack(changed((header) => header.write('00000077777\0', 124))), /is cut/)
    for (const name of ['../signet', '/x', '']) assert.throws(() => pack([{ name, content: Buffer.alloc(0) }]))
  })
})
