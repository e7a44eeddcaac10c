/** What is asked: each method by each caller, about each thing that its request can name. */
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import type { Random } from '../../faults/network/mutations.ts'
import { usesOrganizationOfCall } from '../../src/access/requirement.ts'
import { thingsOf } from '../../src/http/openapi/example-things.ts'
import { allMethods } from '../support/services.ts'
import { type NamingField, namedBy, namingFields, withValue } from './fields.ts'
import type { Side, Tenants } from './world.ts'

/** The header that names an organization is a field like the others. */
const HEADER = 'x-service-orgid'
/** A request in which nothing is replaced. */
const OWN = 'own'

export interface Asked {
  readonly body: JsonObject
  readonly organizationId?: string
}

export interface Case {
  readonly method: DescMethodUnary
  /** `signet.org.v2.OrganizationService/AddOrganization` */
  readonly name: string
  readonly caller: string
  /** The field that names the thing, `x-service-orgid`, or `own`. */
  readonly field: string
  /** The thing of A; empty when the request is about B's own things. */
  readonly thing: string
  readonly asked: Asked
  /** The same about a thing that is not there. */
  readonly absent: { readonly thing: string; readonly asked: Asked } | undefined
}

/** Kinds of things, for fields whose name does not say which kind they name. */
const ANY_KIND = ['human', 'home', 'projectId', 'applicationId', 'groupId', 'sessionId', 'idpId'] as const

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** Another text of the same form: its last characters differ; in a domain, the last ones of the first label. */
export function absentLike(thing: string): string {
  const [head = '', tail] = thing.includes('.')
    ? [thing.slice(0, thing.indexOf('.')), thing.slice(thing.indexOf('.'))]
    : [thing]
  let left = 4
  const other = [...head].reverse().map((letter) => {
    if (left === 0 || !/[0-9a-z]/i.test(letter)) return letter
    left -= 1
    if (/\d/.test(letter)) return String((Number(letter) + 3) % 10)
    const next = LETTERS[(LETTERS.indexOf(letter.toUpperCase()) + 5) % LETTERS.length] ?? 'B'
    return letter === letter.toLowerCase() ? next.toLowerCase() : next
  })
  return other.reverse().join('') + (tail ?? '')
}

/** The things that a field can name: the one that its name says, otherwise one of each kind. */
function thingsNamed(
  method: DescMethodUnary,
  { name, steps }: NamingField,
  { things, texts }: Side,
): readonly string[] {
  const text = namedBy(name)
  if (text !== undefined) return [texts[text]]
  const byName = (thingsOf(method, things) as Readonly<Record<string, string | undefined>>)[name]
  if (byName !== undefined && steps.length === 1) return [byName]
  const others = ANY_KIND.map((kind) => things[kind])
  return byName === undefined ? others : [byName]
}

/** Every case of a method. */
export function casesOf(tenants: Tenants, name: string, method: DescMethodUnary): readonly Case[] {
  const { a, b } = tenants
  const body = tenants.requestOf(method, b)
  const about: (readonly [field: string, thing: string, ask: (thing: string) => Asked])[] = []
  for (const field of namingFields(method.input)) {
    for (const thing of thingsNamed(method, field, a)) {
      // What both have belongs to the instance.
      if (thingsNamed(method, field, b).includes(thing)) continue
      about.push([field.path, thing, (value) => ({ body: withValue(body, field.steps, value) })])
    }
  }
  if (usesOrganizationOfCall(method))
    about.push([HEADER, a.things.home, (organizationId) => ({ body, organizationId })])
  return Object.keys(tenants.callers).flatMap((caller): readonly Case[] => [
    { method, name, caller, field: OWN, thing: '', asked: { body }, absent: undefined },
    ...about.map(([field, thing, ask]): Case => {
      const other = absentLike(thing)
      return { method, name, caller, field, thing, asked: ask(thing), absent: { thing: other, asked: ask(other) } }
    }),
  ])
}

/** Of every method: all cases, or some that chance has chosen. */
export function* chooseCases(tenants: Tenants, some?: { readonly random: Random; readonly ofEach: number }) {
  for (const [name, method] of allMethods) {
    const cases = casesOf(tenants, name, method)
    if (some === undefined) yield* cases
    else for (let index = 0; index < some.ofEach; index++) yield some.random.pick(cases)
  }
}
