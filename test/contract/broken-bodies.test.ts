/** Bodies that are not what they say: frames, base64 and messages that are broken in every way. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { frame, openSession, sendRaw } from './raw.ts'
import { Everything, echoMethods } from './sample.ts'
import { startServer } from './server.ts'

const echo = '/signet.sample.v2.SampleService/Echo'
const MEBIBYTE = 1024 * 1024
function numberOf(name: string) {
  return Everything.fields.find((field) => field.name === name)?.number ?? 0
}
function message(text: string) {
  return toBinary(Everything, create(Everything, { text }))
}

suite('broken bodies', () => {
  test('frames that are cut off, too many, or marked wrongly are refused', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const good = frame(message('a'))
    const cases: readonly (readonly [name: string, chunks: readonly Uint8Array[], status: number])[] = [
      ['no message', [], 12],
      ['two messages', [good, good], 12],
      ['two messages in one chunk', [Buffer.concat([good, good])], 12],
      ['a byte too many', [good, Buffer.alloc(1)], 12],
      ['half a head', [Buffer.alloc(3)], 3],
      ['half a message', [good.subarray(0, good.length - 1)], 3],
      ['an unknown flag', [frame(message('a'), { flags: 2 })], 3],
      ['a trailers frame', [frame(message('a'), { flags: 0x80 })], 3],
      ['compressed without an encoding', [frame(gzipSync(message('a')), { flags: 1 })], 13],
      ['an empty message', [frame(Buffer.alloc(0))], 0],
      ['byte by byte', [...good].map((byte) => Buffer.from([byte])), 0],
    ]
    for (const [name, chunks, status] of cases) {
      for (const type of ['application/grpc', 'application/grpc+proto', 'application/grpc-web+proto']) {
        const answer = await sendRaw(session, { path: echo, type, chunks })
        assert.equal(answer.grpcStatus, status, `${name}, ${type}`)
      }
    }
  })

  test('a message marked as compressed in a request that names no compression is an internal error', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const chunks = [frame(gzipSync(message('a')), { flags: 1 })]
    for (const type of ['application/grpc', 'application/grpc-web+proto']) {
      for (const headers of [{}, { 'grpc-encoding': 'identity' }]) {
        assert.equal((await sendRaw(session, { path: echo, type, chunks, headers })).grpcStatus, 13)
      }
    }
  })

  test('gRPC-web-text may be padded piece by piece, and must be base64', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const good = frame(message('some text'))
    const send = (text: string) =>
      sendRaw(session, { path: echo, type: 'application/grpc-web-text', chunks: [Buffer.from(text)] })
    const pieces = [good.subarray(0, 4), good.subarray(4, 9), good.subarray(9)].map((piece) => piece.toString('base64'))
    assert.equal((await send(pieces.join(''))).grpcStatus, 0)
    assert.equal((await send(good.toString('base64') + frame(message('')).toString('base64'))).grpcStatus, 12)
    for (const text of ['!!!!!!!!', 'AAAA=AAA', '====', 'AAA', `${good.toString('base64')}A`, 'AA==AA=A']) {
      assert.equal((await send(text)).grpcStatus, 3, text)
    }
  })

  test('bytes that are no protobuf message are refused', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const send = (bytes: Uint8Array) => sendRaw(session, { path: echo, type: 'application/proto', chunks: [bytes] })
    const inside = (bytes: Buffer): Buffer => {
      const length: number[] = []
      for (let rest = bytes.length; ; rest >>= 7) {
        if (rest < 128) {
          length.push(rest)
          break
        }
        length.push((rest & 127) | 128)
      }
      return Buffer.concat([Buffer.from([(numberOf('part') << 3) | 2]), Buffer.from(length), bytes])
    }
    let deep: Buffer = Buffer.alloc(0)
    for (let level = 0; level < 200; level++) deep = inside(deep)
    const bad: Readonly<Record<string, Buffer>> = {
      'nested too deeply': deep,
      'cut off': Buffer.from([0x0a, 0x05, 0x61]),
      'bad UTF-8': Buffer.from([0x0a, 0x02, 0xc3, 0x28]),
      'an overlong varint': Buffer.from([0x10, ...Array(11).fill(0xff), 1]),
      'field number zero': Buffer.from([0x02, 0x00]),
      'an end of no group': Buffer.from([0x0c]),
      'a group without an end': Buffer.from([0x0b, 0x0b, 0x0b]),
      'an unknown wire type': Buffer.from([0x0f]),
      'a length of 2^32': Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
      'U+0000 in a text': Buffer.from(message('a\0b')),
    }
    for (const [name, bytes] of Object.entries(bad)) {
      const { status, body } = await send(bytes)
      assert.deepEqual([status, JSON.parse(body.toString()).code], [400, 'invalid_argument'], name)
    }
    // Many small things in one field are many, and no more than that.
    const packed = (length: readonly number[], bytes: number) =>
      Buffer.concat([Buffer.from([(numberOf('numbers') << 3) | 2, ...length]), Buffer.alloc(bytes)])
    assert.equal((await send(packed([0xff, 0xff, 0x03], 65_535))).status, 200)
    assert.equal((await send(packed([0x80, 0x80, 0x40], MEBIBYTE))).status, 400)
    // Unknown fields, groups among them, are ignored.
    assert.equal((await send(Buffer.from([0xc3, 0x3e, 0x08, 0x01, 0xc4, 0x3e]))).status, 200)
  })
})
