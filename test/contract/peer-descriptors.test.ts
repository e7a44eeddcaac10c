/**
 * The messages of this server against those that clients of the ZITADEL API are generated from. `npm run check` compares
 * their descriptors (`tools/check-contract.ts`); here each message is sent, with all of its fields.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  equals,
  fromBinary,
  getOption,
  type Message,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'
import { http as peerHttp } from '@zitadel/proto/google/api/annotations_pb.js'
import { http } from '../../contract/gen/google/api/annotations_pb.ts'
import { services } from '../../contract/gen/services.ts'
import { binaryReader } from '../../src/http/codec/binary-reader.ts'
import { compareContracts } from '../../tools/compare-contract.ts'
import { problemsOfDifferences } from '../../tools/contract-differences.ts'
import { describeFile } from '../../tools/describe-file.ts'
import { peerServices } from '../../tools/peer-contract.ts'

const { methods, messages, differences } = compareContracts(services, await peerServices())

/** Messages can contain themselves. */
const DEEPEST = 4

/** A value for a field, another one for each number. */
function scalarFor(scalar: ScalarType, number: number): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return `text ${number}`
    case ScalarType.BYTES:
      return Uint8Array.from(Buffer.from(`bytes ${number}`))
    case ScalarType.BOOL:
      return true
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return BigInt(number + 1)
    default:
      return number + 1
  }
}

/** The members of a pair of messages that both know, in the order of the numbers of the first. */
function common(one: DescMessage, other: DescMessage): readonly (readonly [DescField, DescField])[] {
  return one.fields.flatMap((field) => {
    const same = other.fields.find(({ number }) => number === field.number)
    return same === undefined ? [] : [[field, same] as const]
  })
}

/** A value of a field that the other side has too. */
function valueFor(field: DescField, other: DescField, turn: number, depth: number): unknown {
  if (field.message !== undefined && other.message !== undefined) {
    if (depth === 0) return undefined
    return reflect(field.message, filled(field.message, other.message, turn, depth - 1))
  }
  if (field.enum !== undefined && other.enum !== undefined) {
    const known = new Set(other.enum.values.map(({ number }) => number))
    const both = field.enum.values.filter(({ number }) => number !== 0 && known.has(number))
    return both[turn % both.length]?.number ?? 0
  }
  return 'scalar' in field && field.scalar !== undefined ? scalarFor(field.scalar, field.number) : undefined
}

/** A message with all fields that the other side has too; of each oneof, another member each turn. */
function filled(schema: DescMessage, other: DescMessage, turn: number, depth = DEEPEST): Message {
  const message = create(schema)
  const target = reflect(schema, message)
  const fields = common(schema, other)
  for (const [field, same] of fields) {
    const group = fields.filter(([one]) => field.oneof !== undefined && one.oneof === field.oneof)
    if (group.length > 0 && group[turn % group.length]?.[0] !== field) continue
    const value = valueFor(field, same, turn, depth)
    if (value === undefined) continue
    if (field.fieldKind === 'list') target.get(field).add(value)
    else if (field.fieldKind === 'map') target.get(field).set(scalarFor(field.mapKey, 1) as string, value)
    else target.set(field, value)
  }
  return message
}

/** In how many turns each member of each oneof is sent once. */
function turnsOf(one: DescMessage, other: DescMessage): number {
  const groups = Map.groupBy(common(one, other), ([{ oneof }]) => oneof)
  return Math.max(1, ...[...groups].map(([oneof, members]) => (oneof === undefined ? 1 : members.length)))
}

/** What is left of a message that the other side has read and sent back. */
function sentBack(one: DescMessage, other: DescMessage, message: Message, read: (bytes: Uint8Array) => Message) {
  return fromBinary(one, toBinary(other, read(toBinary(one, message))))
}

interface Binding {
  readonly pattern: { readonly case: string | undefined; readonly value?: unknown }
}
interface Rule extends Binding {
  readonly additionalBindings: readonly Binding[]
}

/** The bindings of a rule, without the names of the variables; `prefix` is where the peer serves its v1 methods. */
function bindings(rule: Rule, prefix = ''): readonly string[] {
  return [rule, ...rule.additionalBindings].flatMap(({ pattern }) =>
    typeof pattern.value === 'string' ? [`${pattern.case} ${prefix}${pattern.value.replace(/\{[^}]*\}/g, '{}')}`] : [],
  )
}

function prefixOf({ parent }: DescMethod): string {
  const area = /^zitadel\.(admin|auth|management|system)\.v1\./.exec(parent.typeName)?.[1]
  return area === undefined ? '' : `/${area}/v1`
}

suite('clients that were generated from the descriptors of the ZITADEL API', () => {
  test('find services, methods, fields and enums as they know them, but for those that are listed', () => {
    assert.ok(methods.length > 640, String(methods.length))
    assert.ok(messages.length > 1500, String(messages.length))
    assert.deepEqual(problemsOfDifferences(differences), [])
  })

  test('another number, a list instead of a message and another enum are differences', () => {
    const known = `
      service SettingsService: List
      enum Source: SOURCE SYSTEM INSTANCE
      Links: 1 links [string]
      ListRequest: 1 page uint32; 2 sorting Source; 3 filters [string]
      ListResponse: 2 source Source; 7 links Links`
    const changed = `
      service SettingsService: List
      enum Owner: OWNER INSTANCE
      ListRequest: 1 filters [string]; 2 page uint32; 3 sorting Owner
      ListResponse: 2 source Owner; 7 links [string]`
    const found = compareContracts(
      describeFile('signet.settings.v2', changed),
      describeFile('zitadel.settings.v2', known),
    ).differences
    for (const difference of [
      'signet.settings.v2.ListRequest.page: called filters',
      'signet.settings.v2.ListResponse.links: list of scalar 9, not message',
      'signet.settings.v2.Owner: no SOURCE_INSTANCE',
    ]) {
      assert.ok(found.includes(difference), found.join('\n'))
    }
    assert.equal(problemsOfDifferences([...differences, ...found]).length, found.length)
  })

  test('send every message with all fields, and get it back from what the server has read', () => {
    for (const [own, peer] of messages) {
      const read = binaryReader(own)
      for (let turn = 0; turn < turnsOf(peer, own); turn++) {
        const sent = filled(peer, own, turn)
        assert.ok(equals(peer, sent, sentBack(peer, own, sent, read)), `${own.typeName}, turn ${turn}`)
      }
    }
  })

  test('read every message that the server sends, with all fields', () => {
    for (const [own, peer] of messages) {
      const read = (bytes: Uint8Array) => fromBinary(peer, bytes, { readUnknownFields: false })
      for (let turn = 0; turn < turnsOf(own, peer); turn++) {
        const sent = filled(own, peer, turn)
        assert.ok(equals(own, sent, sentBack(own, peer, sent, read)), `${own.typeName}, turn ${turn}`)
      }
    }
  })

  test('find every REST binding', () => {
    const found = methods.flatMap(([own, peer]) => {
      const ours = bindings(getOption(own, http))
      const theirs = bindings(getOption(peer, peerHttp), prefixOf(peer))
      return theirs.filter((one) => !ours.includes(one)).map((one) => `${own.parent.name}/${own.name}: ${one}`)
    })
    assert.deepEqual(found, [])
  })
})
