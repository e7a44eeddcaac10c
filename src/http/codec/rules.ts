/**
 * The validation rules of the contract (`buf.validate`) as functions, compiled once from the descriptors. An unknown
 * rule throws when it is compiled, so that no declared limit is ignored.
 */
import { type DescEnum, type DescField, ScalarType } from '@bufbuild/protobuf'
import type { Duration } from '@bufbuild/protobuf/wkt'
import type {
  BytesRules,
  DurationRules,
  EnumRules,
  FieldRules,
  Int32Rules,
  MapRules,
  RepeatedRules,
  StringRules,
  UInt32Rules,
} from '../../../contract/gen/buf/validate/validate_pb.ts'
import type { JsonLength } from '../../../contract/gen/signet/v1/options_pb.ts'

/** Describes each broken rule of a value; undefined when the value is valid. */
export type Rule = (value: unknown) => string | undefined

function plural(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing.replace(/y$/, 'ie')}s`
}

function atLeast(count: number, thing: string) {
  return `must be at least ${plural(count, thing)}`
}
const AT_MOST = 'must be at most'
function atMost(count: number, thing: string) {
  return `${AT_MOST} ${plural(count, thing)}`
}

/** Whether a rule was broken by a value that is larger than allowed. */
export function isTooLarge(description: string): boolean {
  return description.startsWith(AT_MOST)
}

/** Counts Unicode code points, only if the length in UTF-16 does not already decide. */
function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

// The "valid e-mail address" of the HTML standard, which the rule refers to. Modules can be stricter.
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

function textRules({ minLen, maxLen, pattern, prefix, email }: StringRules, isSet: IsSet): readonly Rule[] {
  const rules: Rule[] = []
  const [min, max] = [Number(minLen), Number(maxLen)]
  if (isSet('minLen')) {
    rules.push((value) => {
      const { length } = value as string
      return length >= 2 * min || codePoints(value as string) >= min ? undefined : atLeast(min, 'character')
    })
  }
  if (isSet('maxLen')) {
    rules.push((value) => {
      const { length } = value as string
      return length <= max || codePoints(value as string) <= max ? undefined : atMost(max, 'character')
    })
  }
  if (isSet('pattern')) {
    const expression = new RegExp(pattern, 'u')
    rules.push((value) => (expression.test(value as string) ? undefined : `does not match ${pattern}`))
  }
  if (isSet('prefix')) {
    rules.push((value) => ((value as string).startsWith(prefix) ? undefined : `must start with ${prefix}`))
  }
  if (email) rules.push((value) => (EMAIL.test(value as string) ? undefined : 'must be an email address'))
  return rules
}

function bytesRules({ minLen, maxLen }: BytesRules, isSet: IsSet): readonly Rule[] {
  const rules: Rule[] = []
  const [min, max] = [Number(minLen), Number(maxLen)]
  if (isSet('minLen')) rules.push((value) => ((value as Uint8Array).length >= min ? undefined : atLeast(min, 'byte')))
  if (isSet('maxLen')) rules.push((value) => ((value as Uint8Array).length <= max ? undefined : atMost(max, 'byte')))
  return rules
}

function numberRules({ lte, gte }: Int32Rules | UInt32Rules, isSet: IsSet): readonly Rule[] {
  const isTooLow = isSet('gte') ? (value: number) => value < gte : () => false
  const isTooHigh = isSet('lte') ? (value: number) => value > lte : () => false
  const bounds = [isSet('gte') ? `at least ${gte}` : '', isSet('lte') ? `at most ${lte}` : ''].filter(Boolean)
  const words = `must be ${bounds.join(' and ')}`
  return [(value) => (isTooLow(value as number) || isTooHigh(value as number) ? words : undefined)]
}

function enumRules({ definedOnly, notIn }: EnumRules, type: DescEnum): readonly Rule[] {
  const rules: Rule[] = []
  if (definedOnly) {
    const numbers = new Set(type.values.map(({ number }) => number))
    const words = 'value must be one of the defined enum values'
    rules.push((value) => (numbers.has(value as number) ? undefined : words))
  }
  if (notIn.length > 0) {
    const names = notIn.map((number) => type.value[number]?.name ?? String(number)).join(', ')
    rules.push((value) => (notIn.includes(value as number) ? `must not be ${names}` : undefined))
  }
  return rules
}

function nanoseconds({ seconds, nanos }: Duration): bigint {
  return seconds * 1_000_000_000n + BigInt(nanos)
}

function durationRules({ const: exactly, lte, gt, gte }: DurationRules): readonly Rule[] {
  const rules: Rule[] = []
  const compare = (limit: Duration | undefined, isRight: (value: bigint, limit: bigint) => boolean, words: string) => {
    if (limit === undefined) return
    const bound = nanoseconds(limit)
    const description = `${words} ${Number(bound) / 1e9} s`
    rules.push((value) => (isRight(nanoseconds(value as Duration), bound) ? undefined : description))
  }
  compare(exactly, (value, bound) => value === bound, 'must be')
  compare(gt, (value, bound) => value > bound, 'must be longer than')
  compare(gte, (value, bound) => value >= bound, 'must be at least')
  compare(lte, (value, bound) => value <= bound, 'must be at most')
  return rules
}

function listRules({ minItems, maxItems, unique }: RepeatedRules, isSet: IsSet): readonly Rule[] {
  const rules: Rule[] = []
  const [min, max] = [Number(minItems), Number(maxItems)]
  const sizeOf = (value: unknown) => (value as readonly unknown[]).length
  if (isSet('minItems')) rules.push((value) => (sizeOf(value) >= min ? undefined : atLeast(min, 'item')))
  if (isSet('maxItems')) rules.push((value) => (sizeOf(value) <= max ? undefined : atMost(max, 'item')))
  if (unique) {
    rules.push((value) => (new Set(value as readonly unknown[]).size === sizeOf(value) ? undefined : 'repeats an item'))
  }
  return rules
}

function mapRules({ maxPairs }: MapRules, isSet: IsSet): readonly Rule[] {
  const max = Number(maxPairs)
  if (!isSet('maxPairs')) return []
  return [(value) => (Object.keys(value as object).length <= max ? undefined : atMost(max, 'entry'))]
}

/** The rule for the length of the compact JSON text of an object. */
export function jsonLengthRule({ min, max }: JsonLength): Rule {
  return (value) => {
    const length = codePoints(JSON.stringify(value))
    if (length < min) return `must be at least ${min} characters of JSON`
    return length > max ? `must be at most ${max} characters of JSON` : undefined
  }
}

/** Whether a rule is set, which its value alone does not tell. */
type IsSet = (member: string) => boolean

function isSetIn(rules: object): IsSet {
  return (member) => Object.hasOwn(rules, member)
}

/** The rules on the value of a field: the whole list where it is one. */
export function rulesOfValue({ type }: FieldRules, field: DescField): readonly Rule[] {
  if (type.case === undefined) return []
  const isSet = isSetIn(type.value)
  switch (type.case) {
    case 'string':
      return textRules(type.value, isSet)
    case 'bytes':
      return bytesRules(type.value, isSet)
    case 'int32':
    case 'uint32':
      return numberRules(type.value, isSet)
    case 'bool': {
      const { const: exactly } = type.value
      return [(value) => (value === exactly ? undefined : `must be ${exactly}`)]
    }
    case 'enum':
      if (field.enum === undefined) break
      return enumRules(type.value, field.enum)
    case 'duration':
      return durationRules(type.value)
    case 'repeated':
      return listRules(type.value, isSet)
    case 'map':
      return mapRules(type.value, isSet)
  }
  throw new Error(`${field.parent.typeName}.${field.name} has a rule that is not known here`)
}

/** The rules on each item of a list, or on each value of a map. */
export function rulesOfItems({ type }: FieldRules, field: DescField): readonly Rule[] {
  const items = type.case === 'repeated' ? type.value.items : type.case === 'map' ? type.value.values : undefined
  return items === undefined ? [] : rulesOfValue(items, field)
}

/** The rules on each key of a map. */
export function rulesOfKeys({ type }: FieldRules, field: DescField): readonly Rule[] {
  return type.case === 'map' && type.value.keys !== undefined ? rulesOfValue(type.value.keys, field) : []
}

/** Whether a field without presence has a value, as `required` demands. */
export function isNonZero(field: DescField): (value: unknown) => boolean {
  if (field.fieldKind === 'list') return (value) => (value as readonly unknown[]).length > 0
  if (field.fieldKind === 'map') return (value) => Object.keys(value as object).length > 0
  if (field.scalar === ScalarType.BYTES) return (value) => (value as Uint8Array).length > 0
  return (value) => value !== '' && value !== 0 && value !== 0n && value !== false
}
