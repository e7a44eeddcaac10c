import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, toBinary, toJson } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { Everything } from '../../../test/contract/sample.ts'
import { Failed } from '../protocols/errors.ts'
import { binaryReader } from './binary-reader.ts'

const read = binaryReader(Everything)

suite('protobuf in', () => {
  test('U+0000 is refused in every text, and each is named', () => {
    const nul = 'a\0b'
    const bytes = toBinary(
      Everything,
      create(Everything, {
        text: nul,
        raw: new Uint8Array([0]),
        texts: ['fine', nul],
        parts: [{}, { part: { perhaps: nul } }],
        labels: { fine: nul },
        object: { inner: [nul] },
        maybe: nul,
        choice: { case: 'left', value: nul },
      }),
    )
    assert.throws(
      () => read(bytes),
      (error: Error) => {
        assert.ok(error instanceof Failed)
        const fields = error.failure.violations?.map(({ field }) => field)
        assert.deepEqual(fields, [
          'text',
          'texts[1]',
          'parts[1].part.perhaps',
          'labels.fine',
          'object',
          'maybe',
          'left',
        ])
        return true
      },
    )
    assert.deepEqual(toJson(Everything, read(toBinary(Everything, create(Everything, { raw: new Uint8Array([0]) })))), {
      raw: 'AA==',
    })
  })

  test('a field under its other number fills the declared one, the later of the two wins, unknown ones vanish', () => {
    const bytes = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string('declared')
      .tag(901, WireType.LengthDelimited)
      .string('other')
      .tag(902, WireType.Varint)
      .int32(5)
      .finish()
    const message = read(bytes)
    assert.deepEqual(toJson(Everything, message), { text: 'other' })
    assert.equal(message.$unknown, undefined)
  })
})
