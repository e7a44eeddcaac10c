/** Our reading of the rules against the library that defines them, on drafts of every request of the contract. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf'
import { type Path, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { createValidator } from '@bufbuild/protovalidate'
import { services } from '../../../contract/gen/services.ts'
import { ListAdministratorsRequestSchema } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { Failed } from '../protocols/errors.ts'
import { limitsOf } from './validate.ts'

const validator = createValidator()
const inputs = new Set(services.flatMap((service) => service.methods.map((method) => method.input)))

/** Fixed, so that every run has these drafts. */
function newDice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % sides
  }
}
type Dice = ReturnType<typeof newDice>

const LENGTHS = [0, 1, 2, 6, 9, 10, 11, 20, 199, 200, 201, 500, 501]
const TEXTS = [
  'ada@example.com',
  'ada@',
  'a b@example.com',
  'ada@example..com',
  '+41791234567',
  'line\nbreak',
  'ü@x.ch',
  '\u007f',
]
const BYTES = new Uint8Array(600_000)

function textOf(dice: Dice): string {
  if (dice(3) === 0) return TEXTS[dice(TEXTS.length)] ?? ''
  const length = LENGTHS[dice(LENGTHS.length)] ?? 0
  return ['x', '😀', 'é'][dice(3)]?.repeat(length) ?? ''
}

function scalarOf(scalar: ScalarType, dice: Dice): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return textOf(dice)
    case ScalarType.BYTES:
      return BYTES.subarray(0, [0, 1, 375_000, 375_001, 500_000, 500_001][dice(6)])
    case ScalarType.BOOL:
      return dice(2) === 0
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return BigInt(dice(5))
    default:
      return [0, 1, 50, 51, 100, 101, 200, 201][dice(8)]
  }
}

function valueFor(field: DescField, dice: Dice, within: readonly DescMessage[]): unknown {
  if (field.enum !== undefined) return dice(12)
  if (field.message !== undefined) return draftOf(field.message, dice, within)
  return scalarOf(field.scalar ?? ScalarType.STRING, dice)
}

function fill(draft: ReflectMessage, field: DescField, dice: Dice, within: readonly DescMessage[]): void {
  switch (field.fieldKind) {
    case 'list': {
      const count = [0, 1, 2, 101][dice(within.length === 1 ? 4 : 3)] ?? 0
      for (let index = 0; index < count; index++) draft.get(field).add(valueFor(field, dice, within) as never)
      break
    }
    case 'map':
      for (let index = dice(3); index > 0; index--) {
        draft.get(field).set(`key${index}`, valueFor(field, dice, within) as never)
      }
      break
    default:
      draft.set(field, valueFor(field, dice, within) as never)
  }
}

/** A type is never drafted within itself: there the library finds less than there is. */
function draftOf(schema: DescMessage, dice: Dice, around: readonly DescMessage[] = []): ReflectMessage {
  const draft = reflect(schema, create(schema))
  const within = [...around, schema]
  for (const field of schema.fields) {
    const isWithinItself = field.message !== undefined && within.includes(field.message)
    if (!isWithinItself && dice(3) > 0) fill(draft, field, dice, within)
  }
  return draft
}

function jsonPath(path: Path): string {
  return path
    .map((step) => {
      if (step.kind === 'field') return `.${step.jsonName}`
      if (step.kind === 'oneof') return `.${step.localName}`
      return step.kind === 'list_sub' ? `[${step.index}]` : `.${step.kind === 'map_sub' ? step.key : ''}`
    })
    .join('')
    .replace(/^\./, '')
}

function theirs(schema: DescMessage, message: Message): readonly string[] {
  return (validator.validate(schema, message).violations ?? []).map(({ field }) => jsonPath(field))
}

/** Of the length of JSON the library knows nothing. */
function ours(schema: DescMessage, message: Message): readonly string[] {
  try {
    limitsOf(schema)(message)
    return []
  } catch (error) {
    assert.ok(error instanceof Failed)
    const violations = error.failure.violations ?? []
    return violations.filter(({ description }) => !description.endsWith('of JSON')).map(({ field }) => field)
  }
}

suite('the limits of the contract', () => {
  test('are read off every request, and find what the library finds, field by field', () => {
    let broken = 0
    let kept = 0
    for (const [index, schema] of [...inputs].entries()) {
      for (let round = 0; round < 60; round++) {
        const { message } = draftOf(schema, newDice(index * 1_000 + round))
        const expected = theirs(schema, message)
        assert.deepEqual(ours(schema, message).toSorted(), expected.toSorted(), `${schema.typeName}, draft ${round}`)
        if (expected.length > 0) broken += 1
        else kept += 1
      }
    }
    assert.ok(broken > 1_000 && kept > 1_000, `${broken} drafts were broken, ${kept} were not`)
  })
  test('hold at every depth of a filter within a filter', () => {
    const empty = { filter: { case: undefined } } as const
    const message = create(ListAdministratorsRequestSchema, {
      filters: [{ filter: { case: 'not', value: { query: { filter: { case: 'not', value: { query: empty } } } } } }],
    })
    assert.deepEqual(ours(ListAdministratorsRequestSchema, message), ['filters[0].not.query.not.query.filter'])
  })
})
