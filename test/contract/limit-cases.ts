/** Walks the descriptor of a request and finds everything in it that has a limit: texts, bytes, enums, lists, oneofs. */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  hasOption,
} from '@bufbuild/protobuf'
import { type FieldRules, field as fieldRules } from '../../contract/gen/buf/validate/validate_pb.ts'
import { json_length } from '../../contract/gen/signet/v1/options_pb.ts'

/** One step into a request: a field, and in a list its first item. */
export interface Step {
  readonly field: DescField
  readonly isItem: boolean
}

interface Found {
  readonly steps: readonly Step[]
  /** By its JSON path: `metadata[0].key`. */
  readonly path: string
}

export type Limit = Found &
  (
    | {
        /** `json`: an object, by the length of its text. */
        readonly kind: 'text' | 'bytes' | 'json'
        readonly min: number
        readonly max: number
        readonly isRequired: boolean
      }
    | { readonly kind: 'message'; readonly isRequired: true }
    | { readonly kind: 'list'; readonly max: number }
    | { readonly kind: 'enum'; readonly type: DescEnum }
    | { readonly kind: 'oneof'; readonly oneof: DescOneof }
  )

/** The rules of a field in the contract. */
export function rulesOf(field: DescField): FieldRules | undefined {
  return hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined
}

export function pathOf(steps: readonly Step[]): string {
  return steps.map(({ field, isItem }) => `${field.jsonName}${isItem ? '[0]' : ''}`).join('.')
}

function lengthsOf(rules: FieldRules | undefined) {
  if (rules?.type.case !== 'string' && rules?.type.case !== 'bytes') return undefined
  const { minLen, maxLen } = rules.type.value
  return { min: Number(minLen), max: Number(maxLen) }
}

function scalarLimit(field: DescField, found: Found): readonly Limit[] {
  const rules = rulesOf(field)
  const isRequired = rules?.required === true
  if (field.fieldKind === 'enum') return [{ ...found, kind: 'enum', type: field.enum }]
  const lengths = lengthsOf(rules)
  if (lengths === undefined || lengths.max === 0) return []
  return [{ ...found, kind: rules?.type.case === 'bytes' ? 'bytes' : 'text', ...lengths, isRequired }]
}

/** Everything with a limit in a message, however deep. */
export function findLimits(message: DescMessage, before: readonly Step[] = []): readonly Limit[] {
  const oneofs = message.oneofs.map((oneof): Limit => ({ steps: before, path: pathOf(before), kind: 'oneof', oneof }))
  return [
    ...oneofs,
    ...message.fields.flatMap((field): readonly Limit[] => {
      const isList = field.fieldKind === 'list'
      const steps = [...before, { field, isItem: isList }]
      const found = { steps, path: pathOf(steps) }
      const rules = rulesOf(field)
      const lists: Limit[] = []
      if (isList && rules?.type.case === 'repeated') {
        const whole = [...before, { field, isItem: false }]
        lists.push({ steps: whole, path: pathOf(whole), kind: 'list', max: Number(rules.type.value.maxItems) })
      }
      if (field.message === undefined) return [...lists, ...scalarLimit(field, found)]
      if (hasOption(field, json_length)) {
        const { min, max } = getOption(field, json_length)
        return [{ ...found, kind: 'json', min, max, isRequired: rules?.required === true }]
      }
      const needed: readonly Limit[] = rules?.required === true ? [{ ...found, kind: 'message', isRequired: true }] : []
      return [...lists, ...needed, ...findLimits(field.message, steps)]
    }),
  ]
}
