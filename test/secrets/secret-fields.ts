/** Which fields of the contract hold secrets (`debug_redact`), and what stands in them. */
import type { DescField, DescMessage, DescMethodUnary, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { pathOf, type Step } from '../contract/limit-cases.ts'
import { allMethods } from '../support/services.ts'

/** A field that holds a secret, on the way from the message of a method. */
export interface SecretField {
  readonly method: DescMethodUnary
  /** `AdminService/AddOIDCIDP clientSecret`. */
  readonly name: string
  readonly steps: readonly Step[]
}

function isSecret(field: DescField): boolean {
  return field.proto.options?.debugRedact === true
}

function findSteps(message: DescMessage, before: readonly Step[], outer: readonly DescMessage[]): readonly Step[][] {
  return outer.includes(message)
    ? []
    : message.fields.flatMap((field) => {
        const steps = [...before, { field, isItem: field.fieldKind === 'list' }]
        if (isSecret(field)) return [steps]
        return field.message === undefined ? [] : findSteps(field.message, steps, [...outer, message])
      })
}

export function nameOf({ parent, name }: DescMethodUnary, path: string): string {
  return `${parent.typeName.replace(/^signet\./, '')}/${name} ${path}`
}

function fieldsOf(side: 'input' | 'output'): readonly SecretField[] {
  return [...allMethods.values()].flatMap((method) =>
    findSteps(method[side], [], []).map((steps) => ({ method, steps, name: nameOf(method, pathOf(steps)) })),
  )
}

/** All fields of all requests that take a secret. */
export const requestFields = fieldsOf('input')

/** All fields of all replies that give one back. */
export const replyFields = fieldsOf('output')

/** A message parted: its secrets, by path, and everything else. */
export interface Parted {
  readonly secrets: readonly { readonly path: string; readonly field: DescField; readonly value: JsonValue }[]
  readonly rest: JsonObject
}

/** Takes the secrets out of a message in JSON; a member that the contract does not know stays. */
export function partMessage(message: DescMessage, json: JsonObject, before = ''): Parted {
  const secrets: Parted['secrets'][number][] = []
  const rest: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(json)) {
    const field = message.fields.find(({ jsonName }) => jsonName === name)
    const path = `${before}${name}${field?.fieldKind === 'list' ? '[0]' : ''}`
    const items = Array.isArray(value) ? value : [value]
    if (field !== undefined && isSecret(field)) {
      for (const item of items) secrets.push({ path, field, value: item })
    } else if (field?.message !== undefined && field.fieldKind !== 'map' && !/^google/.test(field.message.typeName)) {
      const inner = field.message
      const parted = items.map((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item)
          ? partMessage(inner, item, `${path}.`)
          : { secrets: [], rest: { item } },
      )
      secrets.push(...parted.flatMap((one) => one.secrets))
      rest[name] = parted.map((one) => one.rest)
    } else rest[name] = value
  }
  return { secrets, rest }
}
