/** Files are known by their contents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/support/small-world.ts'
import { type AssetUse, checkAsset } from './check-asset.ts'
import { formatOf, withoutMetadata } from './formats.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

test('a format is that of the first bytes', () => {
  assert.equal(formatOf(latin('\x89PNG\r\n\x1a\n....')), 'png')
  assert.equal(formatOf(latin('\xff\xd8\xff\xe0')), 'jpg')
  assert.equal(formatOf(latin('RIFF....WEBPVP8 ')), 'webp')
  assert.equal(formatOf(latin('GIF89a')), 'gif')
  assert.equal(formatOf(latin('wOF2')), 'woff2')
  assert.equal(formatOf(latin('<?xml version="1.0"?>\n<svg/>')), 'svg')
  for (const other of ['', '<html><svg/></html>', 'MZ', '%PDF-1.7', '<!doctype html><svg>']) {
    assert.equal(formatOf(latin(other)), undefined, other)
  }
})

test('each use has its formats and its size', async () => {
  const check = async (use: AssetUse, bytes: Buffer) => checkAsset(use, bytes)
  assert.equal((await check('portrait', latin('\xff\xd8\xff\xda'))).format, 'jpg')
  await isRefused(check('portrait', latin('<svg/>')), 'asset.format_unsupported', 'file')
  await isRefused(check('image', latin('wOF2')), 'asset.format_unsupported', 'file')
  await isRefused(check('font', latin('GIF89a')), 'asset.format_unsupported', 'file')
  await isRefused(check('portrait', Buffer.alloc(256 * 1024 + 1)), 'asset.too_large', 'file')
})

test('the place where a photo was taken is left out', () => {
  const segment = (marker: number, text: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), latin(text)])
  const photo = Buffer.concat([
    latin('\xff\xd8'),
    segment(0xe0, 'JFIF'),
    segment(0xe1, 'Exif 48.1N'),
    segment(0xfe, 'by me'),
    segment(0xdb, 'tables'),
    latin('\xff\xdapicture'),
  ])
  const left = withoutMetadata(photo).toString('latin1')
  assert.match(left, /JFIF.*tables.*picture/s)
  assert.doesNotMatch(left, /Exif|by me/)
})
