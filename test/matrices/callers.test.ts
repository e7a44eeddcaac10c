/**
 * Every method that is served, asked by everybody about the things of one organization, over the wire. What must come
 * out follows from what the contract says of the method; what it cannot say (methods for everybody who is signed in,
 * whose handler asks) is in one table. A method without a row, or a request that nobody can make, is noticed.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { requirementOf, usesOrganizationOfCall } from '../../src/access/requirement.ts'
import { holdsIn, holdsOnInstance, holdsSomewhere } from '../../src/access/roles.ts'
import { assertCells, assertNone } from '../support/cells.ts'
import { allMethods } from '../support/services.ts'
import {
  ASKED,
  AWAY,
  BEARER,
  BY_PROOF,
  EXCEPTIONS,
  isAboutOneself,
  LISTS,
  MANAGER,
  nameOf,
  OTHER,
  type Outcome,
  OWN_THINGS,
  OWNER,
  OWNER_HEARS,
  SELF,
  VIEWER,
  WHOLE_ORGANIZATION,
  WITH_HEADER,
} from './caller-tables.ts'
import { isAboutMachines, requestOf } from './requests.ts'
import { CALLERS, type CallerName, type CallerWorld, type Heard, type MatrixCaller, openCallers } from './world.ts'

const MACHINE_THINGS = ['keyId', 'tokenId']
const HUMAN_THINGS = ['passkeyId', 'u2fId', 'linkedUserId']

/** Why there is no such cell; undefined when there is. */
function nonsense(method: DescMethodUnary, caller: CallerName): string | undefined {
  const names = (things: readonly string[]) => method.input.fields.some(({ jsonName }) => things.includes(jsonName))
  if (caller === SELF && names(HUMAN_THINGS)) return 'a machine has no keys of this kind'
  if (caller === BEARER && isAboutMachines(method) && names(MACHINE_THINGS)) return 'a person has no keys of this kind'
  return undefined
}

function expectedOf(method: DescMethodUnary, name: CallerName, world: CallerWorld): Outcome {
  const full = nameOf(method)
  const caller: MatrixCaller = world.callers[name]
  const requirement = requirementOf(method)
  const exception = EXCEPTIONS[full]?.[name]
  if (exception !== undefined) return exception
  if (requirement.type === 'public') return 'allowed'
  if (name === 'nobody') return '401'
  if (name === WITH_HEADER) return '403'
  const { grants, organizationId } = caller
  const yes = (may: boolean): Outcome => (may ? 'allowed' : '403')
  switch (requirement.type) {
    case 'authenticated': {
      const asked = ASKED[full] ?? assert.fail(`${full}: nobody says whom its handler lets through`)
      return yes(asked === 'all' || asked.includes(name))
    }
    case 'instance':
      return yes(holdsOnInstance(grants, requirement.permission))
    case 'context':
      if (!holdsIn(grants, requirement.permission, organizationId)) return '403'
      return name === AWAY && !WHOLE_ORGANIZATION.test(full) ? '404' : 'allowed'
    case 'target': {
      const { permission, self } = requirement
      if (isAboutOneself(method)) return OWN_THINGS.test(full) && name !== BEARER ? '404' : 'allowed'
      if (LISTS.has(full)) return yes(self || holdsSomewhere(grants, permission))
      if (self && (name === SELF || name === BEARER)) return 'allowed'
      return yes(holdsIn(grants, permission, world.ids.home))
    }
  }
}

const methods = [...allMethods.values()]
const cells = methods.flatMap((method) => CALLERS.map((caller) => [method, caller] as const))
const sensible = cells.filter(([method, caller]) => nonsense(method, caller) === undefined)

suite(`callers: ${methods.length} methods, ${sensible.length} cells, and ${cells.length - sensible.length} that make no sense`, () => {
  let world: CallerWorld
  /** What everybody heard, by method and caller. */
  const heard = new Map<string, Readonly<Record<string, Heard>>>()
  before(async () => {
    world = await openCallers()
    for (const method of methods) {
      const row: Record<string, Heard> = {}
      for (const caller of CALLERS) {
        if (nonsense(method, caller) !== undefined) continue
        const from = world.callers[caller]
        row[caller] = await world.ask(nameOf(method), requestOf(method, world, from), from)
      }
      heard.set(nameOf(method), row)
    }
  })
  after(() => world.close())

  const rows = () =>
    [...heard].flatMap(([name, row]) => Object.entries(row).map(([caller, told]) => ({ name, caller, told })))

  test('every method of the contract is served without faults', () => {
    const served = new Set(world.methods.map(({ descriptor }) => nameOf(descriptor)))
    assertNone(methods.map(nameOf).filter((name) => !served.has(name)))
    assert.deepEqual(world.faults, [])
  })

  test('the tables name only methods that there are', () => {
    const named = [...Object.keys(ASKED), ...LISTS, ...BY_PROOF, ...Object.keys(EXCEPTIONS)]
    assertNone(named.filter((name) => !allMethods.has(name)))
  })

  test('every caller gets the answer that the contract defines', () => {
    const wrong = methods.flatMap((method) =>
      Object.entries(heard.get(nameOf(method)) ?? {}).flatMap(([caller, { outcome, id }]) => {
        const expected = expectedOf(method, caller as CallerName, world)
        return outcome === expected ? [] : [`${nameOf(method)}, ${caller}: ${expected} expected, but ${outcome} ${id}`]
      }),
    )
    assertNone(wrong)
  })

  test('a caller without the permission is refused before the message is validated', async () => {
    const away = world.callers[AWAY]
    const names = ['userId', 'id', 'organizationId', 'organisation', 'organization', 'ctx', 'resource']
    const targets = methods.filter(
      (method) => /target|instance/.test(requirementOf(method).type) && !LISTS.has(nameOf(method)),
    )
    const wrong: string[] = []
    for (const method of targets) {
      // Only what names the target is left of the request: everything else that it needs is missing.
      const named = Object.entries(requestOf(method, world, away)).filter(([field]) => names.includes(field))
      if (named.length === 0 && requirementOf(method).type === 'target') continue
      const { outcome, id } = await world.ask(nameOf(method), Object.fromEntries(named), away)
      const expected = expectedOf(method, AWAY, world)
      if (outcome !== expected) wrong.push(`${nameOf(method)}: ${expected} expected, but ${outcome} ${id}`)
    }
    assert.ok(targets.length > 60, `${targets.length}`)
    assertNone(wrong)
  })

  test('every request can be made: the owner of the instance gets through to the end', () => {
    const stuck = rows().flatMap(({ name, caller, told: { id } }) => {
      const isThrough = caller !== OWNER || id === '' || id === 'kept'
      return isThrough || OWNER_HEARS[id]?.includes(name.split('/')[1] ?? '') ? [] : [`${name}: ${id}`]
    })
    assertNone(stuck)
  })

  test('a handler that works in the organization of the call is one of which the contract says so', async () => {
    const isFallback = (method: DescMethodUnary) => requirementOf(method).type !== 'context'
    const owner = world.callers[OWNER]
    for (const method of methods.filter(isFallback)) {
      const { ctx, organisation, organization, organizationId, ...unnamed } = requestOf(method, world, owner)
      const named = [ctx, organisation, organization, organizationId]
      if (named.some((one) => one !== undefined)) await world.ask(nameOf(method), unnamed, owner)
    }
    const read = [...world.readers].filter(isFallback).map(nameOf)
    const declared = methods.filter((method) => isFallback(method) && usesOrganizationOfCall(method)).map(nameOf)
    assertCells(read, declared)
  })

  // What follows holds whatever the contract says of a method, so that it cannot be weakened by accident.

  test('those who may only read can do nothing else', () => {
    const done = rows().filter(({ name, caller, told }) => {
      const isMore = told.id === 'kept' || (told.outcome === 'allowed' && !/\/(Get|List|Is|Healthz|Check)/.test(name))
      // What they do to themselves is theirs.
      const isOwn = /\.AuthService\//.test(name)
      return caller === VIEWER && isMore && ASKED[name] !== 'all' && !isOwn
    })
    assertNone(done.map(({ name, told }) => `${name} ${told.id}`))
  })

  test('roles in an organization do nothing on the instance', () => {
    const isOfInstance = (name: string) =>
      /^signet\.(admin|mail)\./.test(name) && !/MessageText|Healthz|Languages$/.test(name)
    const reached = rows().filter(
      ({ name, caller, told }) =>
        isOfInstance(name) && [AWAY, MANAGER, SELF, OTHER, BEARER].includes(caller) && told.outcome === 'allowed',
    )
    assertNone(reached.map(({ name, caller }) => `${name}, ${caller}`))
  })

  test('nothing of an organization is read or written from another one, or by those who may nothing', () => {
    const leaks = rows().flatMap(({ name, caller, told }) => {
      if (![AWAY, WITH_HEADER, OTHER].includes(caller) || told.outcome !== 'allowed') return []
      if (BY_PROOF.has(name) || EXCEPTIONS[name]?.[caller as CallerName] === 'allowed') return []
      return world.private.filter((id) => told.text.includes(id)).map((id) => `${name}, ${caller}: ${id}`)
    })
    assertNone(leaks)
  })
})
