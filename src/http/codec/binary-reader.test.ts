import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, toBinary, toJson } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { Everything } from '../../../test/contract/sample.ts'
import { Failed } from '../protocols/errors.ts'
import { binaryReader } from './binary-reader.ts'
import { spellings } from './field-names.ts'
import { jsonReader } from './json-reader.ts'

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

  test('a field under its declared and its other number at once is refused and named, as in JSON', () => {
    const both = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string('declared')
      .tag(901, WireType.LengthDelimited)
      .string('other')
      .finish()
    const number = Everything.fields.find(({ name }) => name === 'parts')?.number ?? 0
    const inList = new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(new Uint8Array())
    const nested = inList.tag(number, WireType.LengthDelimited).bytes(both).finish()
    const violationsOf = (act: () => unknown) => {
      try {
        act()
      } catch (error) {
        if (error instanceof Failed) return error.failure.violations
      }
      return undefined
    }
    const description = 'is given more than once'
    assert.deepEqual(
      violationsOf(() => read(both)),
      [{ field: 'text', description }],
    )
    assert.deepEqual(
      violationsOf(() => read(nested)),
      [{ field: 'parts[1].text', description }],
    )
    const name = Everything.fields.find((field) => field.name === 'text')
    assert.ok(name)
    assert.deepEqual(
      violationsOf(() => jsonReader(Everything)({ text: 'declared', [spellings(name).at(-1) ?? '']: 'other' })),
      [{ field: 'text', description }],
    )
  })

  test('a field under its other number fills the declared one, unknown ones vanish', () => {
    const bytes = new BinaryWriter()
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
