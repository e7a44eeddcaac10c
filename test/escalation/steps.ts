/** The steps of an attacker: any method that a role may call, with what an attacker would put into its request. */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  type JsonObject,
  type JsonValue,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf'
import type { Random } from '../../faults/network/mutations.ts'
import { accessOf, isReading, requirementOf } from '../../src/access/requirement.ts'
import type { ExampleThings } from '../../src/http/openapi/example-names.ts'
import { exampleRequest } from '../../src/http/openapi/example-requests.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { FRESH, leastOf } from '../contract/limit-values.ts'
import { isAboutMachines, messageOf } from '../matrices/requests.ts'
import { allMethods } from '../support/services.ts'
import { ALL_ROLES, permissionsOf, type RoleAt } from './roles.ts'
import { type Arena, type Neighbourhood, OWN_DOMAIN } from './world.ts'

/** The password that an attacker sets, wherever one can be set. */
export const OWN_PASSWORD = 'Mallory 7 knows it'
/** Where an attacker has people sent. */
export const OWN_REDIRECT = `https://${OWN_DOMAIN}/callback`
/** The account of an attacker at their own provider. */
export const OWN_ACCOUNT = 'mallory-4711'

/** How deep messages inside of messages are looked at. */
const MOST_DEPTH = 3

/** Everybody who is signed in may call it, or callers may for themselves. */
export const WITHOUT_ROLE = 'without a role'

/** The methods that change something and that a role may call, by the permission that they need. */
export function stepsOf(role: RoleAt): ReadonlyMap<string, readonly DescMethodUnary[]> {
  const held = permissionsOf(role)
  const groups = new Map<string, DescMethodUnary[]>()
  const add = (group: string, method: DescMethodUnary) => groups.set(group, [...(groups.get(group) ?? []), method])
  for (const method of allMethods.values()) {
    if (isReading(method)) continue
    const requirement = requirementOf(method)
    if (!('permission' in requirement)) add(WITHOUT_ROLE, method)
    else {
      const others = 'alternatives' in requirement ? requirement.alternatives : []
      const permission = [requirement.permission, ...others].find((one) => held.has(one))
      if (permission !== undefined) add(permission, method)
      else if (requirement.self) add(WITHOUT_ROLE, method)
    }
  }
  return groups
}

/** Whether a message has a member with such a name, however deep. */
function hasMember({ fields }: DescMessage, named: RegExp, depth = 0): boolean {
  return fields.some(
    ({ jsonName, message }) =>
      named.test(jsonName) || (message !== undefined && depth < MOST_DEPTH && hasMember(message, named, depth + 1)),
  )
}

/** Whether people can be sent to an address that the request names: then somebody may open a link that leads there. */
export function leadsSomewhere({ input }: DescMethodUnary): boolean {
  return hasMember(input, /^redirectUris$/)
}

/** What opens a door: what somebody signs in with or through, or is allowed. */
const DOORS =
  /(tokens?|secret|password|code|key(Details|Content)|redirectUris|issuer|endpoint|roles|apiAccess|linking)$/i

/** Whether a method is about doors, by the names of what it is asked and answers. */
export function isAboutDoors({ input, output }: DescMethodUnary): boolean {
  return hasMember(input, DOORS) || hasMember(output, DOORS)
}

/** A step, and what was answered. */
export interface Step {
  readonly name: string
  readonly request: JsonObject
  readonly code: string
  readonly reply: JsonValue
}

const MOST_EAGER = 5

/** What requests are filled for: by whom, and where. */
interface Filling {
  /** How much of what can be left out is filled in: requests that ask for everything are refused more often. */
  readonly eagerness: number
  readonly method: DescMethodUnary
  readonly random: Random
  readonly arena: Arena
  readonly around: Neighbourhood
}

/** A role of the level that the name of a method says, or any. */
function roleFor({ name }: DescMethodUnary, random: Random): string {
  const level = /ProjectGrant/.test(name)
    ? 'project_grant'
    : /Project/.test(name)
      ? 'project'
      : /Org/.test(name)
        ? 'organization'
        : /IAM/.test(name)
          ? 'instance'
          : undefined
  return random.pick(level === undefined ? ALL_ROLES : ALL_ROLES.filter((one) => one.level === level)).role
}

/** The names of methods that make something new. */
const MAKES = /^(Add|Create|Import|Register|SetUp)/

/** What an attacker writes into a text of this name; undefined when what is there is good enough. */
function textFor(name: string, { method, random, arena: { provider }, around }: Filling): string | undefined {
  const { attacker, others, home } = around
  const somebody = () => random.pick([attacker, ...others])
  if (MAKES.test(method.name)) {
    // Names are unique, and taken ones are refused; so are IDs.
    if (/^(user|login)?name$/i.test(name)) return `new-${random.below(1_000_000_000)}`
    if (name === 'userId' && accessOf(method).about === 'new') return undefined
  }
  if (/^(user|granteduser)Ids?$/i.test(name)) return somebody().userId
  if (/^(linkedUserId|externalUserId)$/i.test(name)) return OWN_ACCOUNT
  if (/email(address)?s?$/i.test(name)) return random.pick([`${home}@${OWN_DOMAIN}`, somebody().email])
  if (/password$/i.test(name)) return OWN_PASSWORD
  if (/urlTemplate$/i.test(name)) return `https://${OWN_DOMAIN}/?user={{.UserID}}&code={{.Code}}`
  if (/issuer$/i.test(name)) return provider.issuer
  const endpoint = /^(authorization|token|user|keys|jwt)Endpoint$/i.exec(name)?.[1]
  if (endpoint !== undefined) return `${provider.issuer}/${endpoint === 'user' ? 'userinfo' : endpoint.toLowerCase()}`
  if (/origins?$/i.test(name)) return new URL(OWN_REDIRECT).origin
  if (/(ur[il]s?|redirect\w*)$/i.test(name)) return OWN_REDIRECT
  if (name === 'roles') return roleFor(method, random)
  if (name === 'clientId') return provider.clientId
  if (name === 'idAttribute') return 'sub'
  return undefined
}

/** The first value of an enum says nothing. */
function enumFor({ values }: DescEnum, random: Random): string {
  const [first, ...others] = values
  return random.pick(others.length === 0 || random.below(8) === 0 ? [first ?? random.pick(values)] : others).name
}

/** What makes its caller do something first, or shows less. */
const HINDERS = /required|disabled|hidden|change|force|deny|not/i

function scalarFor(field: DescField, filling: Filling): JsonValue | undefined {
  const { random } = filling
  if (field.fieldKind === 'enum') return enumFor(field.enum, random)
  const isList = field.fieldKind === 'list'
  if (isList && field.listKind === 'enum') return [enumFor(field.enum, random)]
  const isScalar = field.fieldKind === 'scalar' || (isList && field.listKind === 'scalar')
  if (!isScalar) return undefined
  // What can be allowed mostly helps.
  if (field.scalar === ScalarType.BOOL && !isList) return random.below(10) < (HINDERS.test(field.jsonName) ? 2 : 9)
  if (field.scalar !== ScalarType.STRING) return undefined
  const text = textFor(field.jsonName, filling)
  return text === undefined || !isList ? text : [text]
}

/** A request with other values at some places, and other members of its oneofs. */
function varied(message: DescMessage, before: JsonObject, filling: Filling, depth = 0): JsonObject {
  const { random, eagerness } = filling
  const body: Record<string, JsonValue> = { ...before }
  const set = (field: DescField): void => {
    if (field.message !== undefined) {
      if (field.fieldKind !== 'message' || field.message.typeName.startsWith('google.') || depth >= MOST_DEPTH) return
      const inner = (body[field.jsonName] as JsonObject | undefined) ?? leastOf(field.message)
      body[field.jsonName] = varied(field.message, inner, filling, depth + 1)
      return
    }
    const value = scalarFor(field, filling)
    if (value !== undefined) body[field.jsonName] = value
  }
  for (const { fields } of message.oneofs) {
    const isOpen = fields.length > 1 || random.below(2) === 0
    if (!isOpen || (fields.some(({ jsonName }) => jsonName in body) && random.below(2) === 0)) continue
    for (const { jsonName } of fields) delete body[jsonName]
    const chosen = random.pick(fields)
    set(chosen)
    if (!(chosen.jsonName in body) && chosen.fieldKind === 'message') body[chosen.jsonName] = {}
  }
  for (const field of message.fields) {
    const isThere = field.jsonName in body
    const isChosen = DOORS.test(field.jsonName) || random.below(MOST_EAGER) < eagerness
    if (isThere || (field.oneof === undefined && isChosen)) set(field)
  }
  return body
}

/** The people and machines that a request is about: others than those of the example. */
function aboutOthers(body: JsonObject, { method, random, around: { things, others, attacker } }: Filling): JsonObject {
  const people = [things.human, things.newcomer, things.member, things.instanceMember]
  const examples = isAboutMachines(method) ? people : [...people, things.machine]
  const text = JSON.stringify(body, (_, value: unknown) => {
    if (typeof value !== 'string' || !examples.includes(value) || random.below(3) === 0) return value
    return random.pick([...others, attacker, { userId: things.machine }]).userId
  })
  return JSON.parse(text) as JsonObject
}

function requestFor(method: DescMethodUnary, random: Random, arena: Arena, around: Neighbourhood): JsonObject {
  const things = around.things as unknown as ExampleThings
  const example = exampleRequest(method, things, { ...FRESH, idOf: () => things.home })
  const filling = { eagerness: random.pick([0, 2, MOST_EAGER - 1]), method, random, arena, around }
  return aboutOthers(varied(method.input, example, filling), filling)
}

/** The names under which a reply tells the ID of something new, and what requests call such a thing. */
const MADE: Readonly<Record<string, string>> = { appId: 'applicationId', grantId: 'projectGrantId', userId: 'machine' }

/** From now on, requests are about what was made. */
function remember(
  { name, input }: DescMethodUnary,
  reply: JsonObject,
  random: Random,
  { things }: Neighbourhood,
): void {
  if (!MAKES.test(name) || random.below(4) === 0) return
  for (const [field, value] of Object.entries(reply)) {
    if (typeof value !== 'string') continue
    const ofProvider = /Provider|IDP/.test(input.name) ? 'idpId' : /Project$/.test(name) ? 'projectId' : undefined
    const thing = field === 'id' ? ofProvider : (MADE[field] ?? field)
    if (thing !== undefined && thing in things) things[thing] = value
  }
}

/** Makes one step as the attacker. */
export async function takeStep(
  arena: Arena,
  around: Neighbourhood,
  method: DescMethodUnary,
  random: Random,
): Promise<Step> {
  const name = `${method.parent.typeName}/${method.name}`
  const request = requestFor(method, random, arena, around)
  const step = (code: string, reply: JsonValue = {}): Step => ({ name, request, code, reply })
  let message: ReturnType<typeof messageOf>
  try {
    message = messageOf(method, request)
  } catch {
    return step('unreadable')
  }
  const organizationId = random.pick([around.attacker.home, undefined])
  const options = { ...around.attacker.session, ...(organizationId !== undefined && { organizationId }) }
  try {
    const reply = toJson(method.output, await arena.call(method, message as never, options))
    remember(method, reply as JsonObject, random, around)
    return step('ok', reply)
  } catch (error) {
    if (error instanceof Refused) return step(error.code)
    if (error instanceof Failed) return step(error.failure.id)
    throw new Error(`${name} ${JSON.stringify(request)}`, { cause: error })
  }
}
