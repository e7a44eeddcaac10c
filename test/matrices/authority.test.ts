/**
 * Every method that is served, asked by everybody, over Connect, gRPC and REST in turn: about the things of one
 * organization, a person above it, the project of the API, and the organization when it is closed. What must come out
 * follows from what the contract says of the method and what the token holds; what the contract cannot say (methods for
 * everybody who is signed in, whose handler asks) is in tables. A method without a row, or a request that nobody can make,
 * is noticed.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { requirementOf, usesOrganizationOfCall } from '../../src/access/requirement.ts'
import { holdsIn, holdsSomewhere } from '../../src/access/roles.ts'
import { apiProjectId, consoleApplicationId } from '../../src/features/instances/index.ts'
import { eachAtOnce } from '../../src/kernel/each-at-once.ts'
import { assertCells, assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { allMethods } from '../support/services.ts'
import { INDIRECT, OTHER_WAYS, PRIVILEGE_RULES } from './above-table.ts'
import { ACTORS, type ActorName, addActors, BEYOND } from './actors.ts'
import {
  ASKED,
  AWAY,
  BEARER,
  BY_PROOF,
  DIRECTORY,
  EXCEPTIONS,
  isAboutOneself,
  isList,
  LISTS,
  LOGIN,
  MANAGER,
  nameOf,
  OTHER,
  type Outcome,
  OWN_THINGS,
  OWNER,
  OWNER_HEARS,
  refusalOf,
  SELF,
  VIEWER,
  WHOLE_ORGANIZATION,
  WITH_HEADER,
} from './authority-table.ts'
import { PATHS } from './paths.ts'
import { isAboutMachines, requestOf } from './requests.ts'
import { inClosed, isForRoles, namingProject, onPersonAbove, onThings, personal, verdictOf, writes } from './targets.ts'
import { CALLERS, type CallerName, type CallerWorld, type Heard, type MatrixCaller, openCallers } from './world.ts'

/** How many calls are on their way at the same time. */
const AT_ONCE = 8

/** Who is asked about a person above them. */
const ABOVE = [...ACTORS, DIRECTORY, LOGIN, MANAGER, OWNER] as const

/** Members of the organization who still can sign in when it is closed. */
const CLOSED = ['owner from another organization', 'owner of the grant'] as const

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
    case 'every organization':
      return yes(BEYOND[requirement.type](grants, requirement.permission))
    case 'context':
      if (!holdsIn(grants, requirement.permission, organizationId)) return '403'
      return name === AWAY && !WHOLE_ORGANIZATION.test(full) ? '404' : 'allowed'
    case 'target': {
      const { permission, self } = requirement
      if (isAboutOneself(method)) return OWN_THINGS.test(full) && name !== BEARER ? '404' : 'allowed'
      if (requirement.isFiltered) return 'allowed'
      if (LISTS.has(full)) return yes(self || holdsSomewhere(grants, permission))
      if (self && (name === SELF || name === BEARER)) return 'allowed'
      return holdsIn(grants, permission, world.ids.home) ? 'allowed' : refusalOf(requirement, grants)
    }
  }
}

const methods = [...allMethods.values()]
const cells = methods.flatMap((method) => CALLERS.map((caller) => [method, caller] as const))
const sensible = cells.filter(([method, caller]) => nonsense(method, caller) === undefined)

/** About a person above the organization, also in every other way to get a secret of theirs, or a page of one's own. */
const aboutAbove = [
  ...personal.map((method) => ({ method, more: {} })),
  ...OTHER_WAYS.map(([name, more]) => ({ method: allMethods.get(name) ?? assert.fail(`there is no ${name}`), more })),
]
/** The project is granted to nobody, so there is no grant to change. */
const NOT_OF_API =
  /^(access\.forbidden|membership\.above_own|project_grant\.not_found|authorization\.project_not_granted)$/
const NOWHERE = { projectId: 'x', applicationId: 'x', organizationId: 'x' }
const ofApi = methods.filter((method) => namingProject(method, NOWHERE) !== undefined)
const counted = {
  'callers on things': sensible.length,
  'actors on things': writes.length * ACTORS.length,
  'actors on a person above': aboutAbove.length * ABOVE.length,
  'actors on the API project': ofApi.length * (ACTORS.length + 1),
  'actors on a closed organization': writes.length * CLOSED.length * 2,
}
const count = Object.values(counted).reduce((sum, one) => sum + one)

for (const engine of engines)
  suite(`authority on ${engine.name}: ${methods.length} methods, ${count} cells`, () => {
    let world: CallerWorld
    let actors: Readonly<Record<ActorName, MatrixCaller>>
    /** What everybody heard, by method and caller. */
    const heard = new Map<string, Readonly<Record<string, Heard>>>()
    before(async () => {
      world = await openCallers({ engine })
      actors = await addActors(world)
      await eachAtOnce(
        methods.entries(),
        async ([index, method]) => {
          const row: Record<string, Heard> = {}
          for (const [number, caller] of CALLERS.entries()) {
            if (nonsense(method, caller) !== undefined) continue
            row[caller] = await askAs(method, world.callers[caller], index + number)
          }
          heard.set(nameOf(method), row)
        },
        AT_ONCE,
      )
    })

    /** Each method is asked by every path, and each path is taken by everybody. */
    const askAs = (method: DescMethodUnary, from: MatrixCaller, turn = 0, more: object = {}): Promise<Heard> => {
      const request = { ...requestOf(method, world, from), ...more } as JsonObject
      return world.ask(nameOf(method), request, from, PATHS[turn % PATHS.length])
    }

    /** The cells that are not as expected. */
    const differing = async (
      tried: readonly DescMethodUnary[],
      who: Readonly<Record<string, MatrixCaller>>,
      check: (method: DescMethodUnary, name: string, caller: MatrixCaller, turn: number) => Promise<string>,
    ): Promise<readonly string[]> => {
      const wrong: string[] = []
      await eachAtOnce(
        tried.entries(),
        async ([index, method]) => {
          for (const [number, [name, caller]] of Object.entries(who).entries()) {
            const difference = await check(method, name, caller, index + number)
            if (difference !== '') wrong.push(`${nameOf(method)}, ${name}: ${difference}`)
          }
        },
        AT_ONCE,
      )
      return wrong
    }
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
          return outcome === expected
            ? []
            : [`${nameOf(method)}, ${caller}: ${expected} expected, but ${outcome} ${id}`]
        }),
      )
      assertNone(wrong)
    })

    test('a caller without the permission is refused before the message is validated', async () => {
      const away = world.callers[AWAY]
      const names = ['userId', 'id', 'organizationId', 'organisation', 'organization', 'ctx', 'resource']
      const targets = methods.filter((method) => /target|inst|eve/.test(requirementOf(method).type) && !isList(method))
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
        const isMore =
          told.id === 'kept' ||
          (told.outcome === 'allowed' && !/\/(Get|List|Is|Healthz|Check|Explain|Count)/.test(name))
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
          isOfInstance(name) &&
          [AWAY, MANAGER, DIRECTORY, SELF, OTHER, BEARER].includes(caller) &&
          told.outcome === 'allowed',
      )
      assertNone(reached.map(({ name, caller }) => `${name}, ${caller}`))
    })

    test('nothing of an organization is read or written from another one, or by those who may nothing', () => {
      const leaks = rows().flatMap(({ name, caller, told }) => {
        if (![AWAY, WITH_HEADER, OTHER, DIRECTORY].includes(caller) || told.outcome !== 'allowed') return []
        if (BY_PROOF.has(name) || EXCEPTIONS[name]?.[caller as CallerName] === 'allowed') return []
        return world.private.filter((id) => told.text.includes(id)).map((id) => `${name}, ${caller}: ${id}`)
      })
      assertNone(leaks)
    })

    test('what a token holds decides, whoever holds the token: the things of the organization', async () => {
      assertNone(
        await differing(writes, actors, async (method, name, actor, turn) => {
          const expected = onThings(world, method, name as ActorName, actor)
          const told = await askAs(method, actor, turn)
          return verdictOf(told) === expected ? '' : `${expected} expected, but ${verdictOf(told)} ${told.id}`
        }),
      )
    })

    test('the project of the API belongs to the instance', async () => {
      const { app, defaultOrganizationId: header } = world.scene
      const [projectId, applicationId] = [await apiProjectId(app), (await consoleApplicationId(app)) ?? '']
      const api = { projectId, applicationId, organizationId: header }
      const there = await world.addMachine({ organizationId: header, organizationRoles: ['ORG_OWNER'] })
      const owner = {
        ...actors['owner of the organization'],
        bearer: there.request.bearer,
        organizationId: header,
        header,
      }
      const told = async (method: DescMethodUnary, actor: MatrixCaller, turn: number) =>
        (await askAs(method, actor, turn, namingProject(method, api))).id
      assertNone(
        await differing(ofApi, { ...actors, 'owner of its organization': owner }, async (method, _, actor, turn) => {
          const id = await told(method, actor, turn)
          return NOT_OF_API.test(id) ? '' : id
        }),
      )
      const instance = { [OWNER]: { ...world.callers[OWNER], header } }
      assertNone(
        await differing(ofApi, instance, async (method, _, actor, turn) => {
          const id = await told(method, actor, turn)
          return id === 'access.forbidden' ? id : ''
        }),
      )
    })

    test('nobody changes a person above them', async () => {
      const { human, machine } = world.callers[OWNER]
      for (const userId of [human, machine]) await world.makeInstanceOwner(userId)
      const { home } = world.ids
      const all = { ...world.callers, ...actors }
      const those = Object.fromEntries(
        ABOVE.map((name) => [name, { ...all[name], human, machine, header: home, organizationId: home }]),
      )
      const ways = new Map(aboutAbove.map((way) => [way.method, [] as object[]]))
      for (const { method, more } of aboutAbove) ways.get(method)?.push(more)
      assertNone(
        await differing([...ways.keys()], those, async (method, _, actor, turn) => {
          const expected = onPersonAbove(method, actor, world)
          const found: string[] = []
          for (const more of ways.get(method) ?? []) {
            const { outcome, id } = await askAs(method, actor, turn, more)
            found.push(expected === 'done' && outcome === 'allowed' ? 'done' : id)
          }
          return found.every((one) => one === expected) ? '' : `${expected} expected, but ${found}`
        }),
      )
    })

    test('nobody gives or takes a role that they do not cover', async () => {
      const { human: userId } = world.callers[OWNER]
      const [organization, instance] = [{ organizationId: world.ids.home }, { instance: true }]
      const requests = (method: DescMethodUnary): readonly JsonObject[] => {
        if (method.name.includes('IAM')) return [{ userId, roles: ['IAM_OWNER'] }]
        if (!method.name.endsWith('Administrator')) return [{ userId, roles: ['ORG_OWNER'] }]
        return [
          { userId, resource: instance, roles: ['IAM_OWNER'] },
          { userId, resource: organization, roles: ['ORG_OWNER'] },
        ]
      }
      const all: Readonly<Record<string, MatrixCaller>> = { ...world.callers, ...actors }
      const those = Object.fromEntries(
        ABOVE.flatMap((name) => (name === OWNER ? [] : [[name, all[name] as MatrixCaller]])),
      )
      const giving = writes.filter(
        (method) => PRIVILEGE_RULES[nameOf(method)] === 'roles' && !/Project/.test(method.name),
      )
      assertNone(
        await differing(giving, those, async (method, _, actor, turn) => {
          const wrong: string[] = []
          for (const request of requests(method)) {
            const isOnInstance = method.name.includes('IAM') || request.resource === instance
            // The owner of an organization gives roles in it to anybody: that takes nothing from them.
            const isOwn = !isOnInstance && holdsIn(actor.grants, 'org.delete', world.ids.home)
            const { outcome, id } = await world.ask(nameOf(method), request, actor, PATHS[turn % PATHS.length])
            if (outcome !== '403' && !isOwn) wrong.push(`${outcome} ${id}`)
          }
          return wrong.join(', ')
        }),
      )
    })

    test('what an organization controls has a test that it does not apply to those above it', async () => {
      for (const [file, name] of Object.values(INDIRECT).flat()) {
        const text = await readFile(join(import.meta.dirname, '../../src', file), 'utf8')
        assert.ok(text.includes(name), `${file} has no test '${name}'`)
      }
    })

    test('the table of rules has a line for every method that a role below the instance calls, and for no other', () => {
      assertCells(writes.filter(isForRoles).map(nameOf), Object.keys(PRIVILEGE_RULES))
    })

    for (const end of ['deactivateOrganization', 'deleteOrganization'] as const) {
      test(`in a closed organization nothing is changed by a role in it: ${end}`, async () => {
        const { call, owner } = world.scene
        const { [end]: method } = OrganizationService.method
        await call(
          method as typeof OrganizationService.method.deleteOrganization,
          { organizationId: world.ids.home },
          owner,
        )
        const foreign = Object.fromEntries(CLOSED.map((name) => [name, actors[name]]))
        assertNone(
          await differing(writes, foreign, async (method, _, actor, turn) => {
            const { outcome, id } = await askAs(method, actor, turn)
            return outcome === 'allowed' && !inClosed(method, []) ? `allowed ${id}` : ''
          }),
        )
      })
    }
  })
