/** The members of requests that name something, found in the descriptors. */
import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { pathOf, type Step } from '../contract/limit-cases.ts'
import { leastOf } from '../contract/limit-values.ts'

/** One of them, however deep in the request. */
export interface NamingField {
  readonly steps: readonly Step[]
  /** `queries[0].userIdQuery.userId` */
  readonly path: string
  /** The name of the member itself. */
  readonly name: string
}

const IS_ID = /(^i|I)ds?$/

/** Texts that name a thing although they are not called an ID, and what such a text is called. */
const NAMES: Readonly<Record<string, 'domain' | 'loginName' | 'email' | 'userCode' | 'resourceOwner'>> = {
  domain: 'domain',
  organizationDomain: 'domain',
  orgDomain: 'domain',
  loginName: 'loginName',
  userName: 'loginName',
  username: 'loginName',
  preferredLoginName: 'loginName',
  email: 'email',
  emailAddress: 'email',
  userEmails: 'email',
  userCode: 'userCode',
  resourceOwner: 'resourceOwner',
}

/** What a member that is no ID names, if it names something. */
export function namedBy(name: string): (typeof NAMES)[string] | undefined {
  return NAMES[name]
}

function isText(field: DescField): boolean {
  if (field.fieldKind === 'scalar') return field.scalar === ScalarType.STRING
  return field.fieldKind === 'list' && field.listKind === 'scalar' && field.scalar === ScalarType.STRING
}

/** All of them in a message. A message inside of itself is looked at once. */
export function namingFields(
  message: DescMessage,
  before: readonly Step[] = [],
  around: readonly string[] = [],
): readonly NamingField[] {
  const inside = [...around, message.typeName]
  return message.fields.flatMap((field) => {
    const steps = [...before, { field, isItem: field.fieldKind === 'list' }]
    if (field.message !== undefined) {
      const isOurs = !field.message.typeName.startsWith('google.') && !inside.includes(field.message.typeName)
      return isOurs && field.fieldKind !== 'map' ? namingFields(field.message, steps, inside) : []
    }
    const names = IS_ID.test(field.jsonName) || namedBy(field.jsonName) !== undefined
    return isText(field) && names ? [{ steps, path: pathOf(steps), name: field.jsonName }] : []
  })
}

/** The request with another value in one place; of a oneof on the way only the member that leads there is left. */
export function withValue(request: JsonObject, steps: readonly Step[], value: string): JsonObject {
  const [step, ...rest] = steps
  if (step === undefined) return request
  const { field, isItem } = step
  const others = (field.oneof?.fields ?? []).filter((other) => other !== field).map(({ jsonName }) => jsonName)
  const kept = Object.fromEntries(Object.entries(request).filter(([name]) => !others.includes(name)))
  const inner = (): JsonValue => {
    if (field.message === undefined) return value
    const there = request[field.jsonName]
    const given = (isItem ? (there as readonly JsonValue[] | undefined)?.[0] : there) as JsonObject | undefined
    return withValue(given ?? leastOf(field.message), rest, value)
  }
  return { ...kept, [field.jsonName]: isItem ? [inner()] : inner() }
}
