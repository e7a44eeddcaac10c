/** Thousands of inputs that nobody thought of: none may be taken for a fault of ours. */
import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { suite, test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { binaryReader } from '../../src/http/codec/binary-reader.ts'
import { jsonReader } from '../../src/http/codec/json-reader.ts'
import { parseJson } from '../../src/http/codec/json-text.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { frame, sendRaw } from './raw.ts'
import { Everything, echoMethods } from './sample.ts'
import { startServer } from './server.ts'

const names = Everything.fields.flatMap(({ name, jsonName }) => [name, jsonName])

/** JSON whose members are mostly those of the message, with values of every type. */
const likelyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.jsonValue(),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      'NaN',
      '1e999',
      '-0',
      '9223372036854775808',
      '2026-01-31T12:00:00Z',
      '3s',
      '__proto__',
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('value'), { maxKeys: 8 }),
})).object

/** Bytes of a real message with some of them changed, so that a reader gets far before it stumbles. */
const sample = toBinary(
  Everything,
  create(Everything, {
    text: 'text',
    large: -1n,
    raw: new Uint8Array([0, 1, 2]),
    numbers: [1, 2, 3],
    parts: [{ text: 'inner' }],
    labels: { key: 'value' },
    object: { any: ['thing'] },
  }),
)
const changedBytes = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { maxLength: 6 }).map((changes) => {
  const bytes = Uint8Array.from(sample)
  for (const [at, byte] of changes) bytes[at] = byte
  return bytes
})
const anyBytes = fc.oneof(fc.uint8Array({ maxLength: 64 }), changedBytes)

function refusesOrAccepts(read: () => unknown) {
  try {
    read()
  } catch (error) {
    if (!(error instanceof Failed)) throw error
  }
}

suite('fuzz', () => {
  test('any JSON is read or refused, whatever its members and values', () => {
    const read = jsonReader(Everything)
    fc.assert(
      fc.property(likelyJson, (json) => refusesOrAccepts(() => read(parseJson(Buffer.from(JSON.stringify(json)))))),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(anyBytes, (bytes) => refusesOrAccepts(() => read(parseJson(Buffer.from(bytes))))),
      { numRuns: 1000 },
    )
  })

  test('any bytes are a message or refused', () => {
    const read = binaryReader(Everything)
    fc.assert(
      fc.property(anyBytes, (bytes) => refusesOrAccepts(() => read(bytes))),
      { numRuns: 5000 },
    )
  })

  test('no request makes the server stumble', async (context) => {
    const { url, faults } = await startServer(context, echoMethods)
    const session = connect(url)
    context.after(() => session.destroy())
    const body = fc.oneof(
      anyBytes,
      anyBytes.map((bytes) => frame(bytes)),
      changedBytes.map((bytes) => Buffer.from(frame(bytes).toString('base64'))),
      likelyJson.map((json) => Buffer.from(JSON.stringify(json))),
    )
    const type = fc.constantFrom(
      'application/grpc',
      'application/grpc+json',
      'application/grpc-web+proto',
      'application/grpc-web-text',
      'application/proto',
      'application/json',
    )
    const path = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('/signet.sample.v2.SampleService/Echo', '/v2/samples') },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('/v2/samples/', '/v2/samples?', '/v2alpha/samples/%', '/'), fc.webQueryParameters())
          .map((parts) => parts.join('')),
      },
    )
    const headers = fc.record(
      {
        'grpc-encoding': fc.constantFrom('gzip', 'identity', 'x'),
        'content-encoding': fc.constantFrom('gzip', 'identity', 'x'),
        'connect-protocol-version': fc.constantFrom('1', '2'),
        'grpc-timeout': fc.constantFrom('1S', 'x', '99999999H'),
      },
      { requiredKeys: [] },
    )
    const request = fc.record({ path, type, headers, chunks: fc.array(body, { minLength: 1, maxLength: 2 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 30, maxLength: 60 }), async (requests) => {
        const answers = await Promise.all(requests.map((one) => sendRaw(session, one)))
        for (const { status, grpcStatus } of answers) {
          assert.ok(status > 0 && status !== 500 && grpcStatus !== 13 && grpcStatus !== 2, `${status} ${grpcStatus}`)
        }
        assert.deepEqual(faults, [])
      }),
      { numRuns: 40 },
    )
    assert.deepEqual(Object.keys(Object.prototype), [])
  })
})
