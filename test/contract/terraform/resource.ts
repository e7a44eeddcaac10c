/**
 * What Terraform does with a resource: it creates one, reads it and plans no difference, updates it, and deletes it.
 * Requests and responses are JSON, as those of a client in another language: their types are of no use to it.
 */
import assert from 'node:assert/strict'
import { fromJson, type JsonObject, toJson } from '@bufbuild/protobuf'
import { Refused } from '../../../src/kernel/refusal.ts'
import { allMethods } from '../../support/services.ts'
import type { World } from '../../support/world.ts'
import { TERRAFORM } from '../peer-tools.ts'

const SERVICES = {
  action: 'action.v2.ActionService',
  admin: 'admin.v1.AdminService',
  application: 'application.v2.ApplicationService',
  feature: 'feature.v2.FeatureService',
  management: 'management.v1.ManagementService',
  organization: 'org.v2.OrganizationService',
  project: 'project.v2.ProjectService',
  settings: 'settings.v2.SettingsService',
  user: 'user.v2.UserService',
  webKey: 'webkey.v2.WebKeyService',
} as const

/** A response or a part of one. */
export interface Reply {
  readonly [member: string]: Reply
}

type Caller = (method: string, request?: object) => Promise<Reply>

/** Calls the methods of the services, as far as Terraform calls them, too. */
export type Api = Readonly<Record<keyof typeof SERVICES, Caller>>

export type Attributes = Readonly<Record<string, unknown>>

/** The members of requests that name a resource. */
export type Names = Readonly<Record<string, unknown>>

/** A resource: how its attributes are written, read and removed. */
export interface Resource {
  readonly first: Attributes
  /** Those that change. */
  readonly second?: Attributes
  /** Returns what names it from then on. */
  create(api: Api, attributes: Attributes): Promise<Names>
  /** Returns its attributes, or nothing; it may be refused with `not_found`. */
  read(api: Api, names: Names): Promise<object | undefined>
  /** Without it, every change deletes the resource and creates another one. */
  update?(api: Api, names: Names, attributes: Attributes): Promise<unknown>
  /** Without it, the resource cannot go away: only Terraform forgets it. */
  delete?(api: Api, names: Names): Promise<unknown>
}

/** Resources by their names, without `zitadel_`. What follows a space tells several rows of one resource apart. */
export type Resources = Readonly<Record<string, Resource>>

export function openApi(world: World): Api {
  const callers = Object.entries(SERVICES).map(([name, service]) => [name, callerOf(world, service)])
  return Object.fromEntries(callers) as Api
}

function callerOf(world: World, service: string): Caller {
  const known = new Set((TERRAFORM[service] ?? '').split(/\s+/))
  return async (name, request = {}) => {
    assert.ok(known.has(name), `Terraform does not call ${service}/${name}`)
    const method = allMethods.get(`signet.${service}/${name}`) ?? assert.fail(`${service}/${name} is not served`)
    const reply = await world.call(method, fromJson(method.input, request as JsonObject), world.owner)
    return toJson(method.output, reply, { alwaysEmitImplicit: true }) as unknown as Reply
  }
}

/** Creates, reads, updates and deletes it; each read finds what was written. */
export async function exercise(api: Api, { first, second, ...resource }: Resource): Promise<void> {
  const names = await resource.create(api, first)
  await findsAll(first)
  if (resource.update !== undefined) {
    const changed = { ...first, ...second }
    await resource.update(api, names, changed)
    await findsAll(changed)
    await unlessUnchanged(resource.update(api, names, changed))
    await findsAll(changed)
  }
  if (resource.delete !== undefined) {
    await resource.delete(api, names)
    assert.equal(await read(), undefined)
  }

  async function read(): Promise<object | undefined> {
    try {
      return await resource.read(api, names)
    } catch (error) {
      if (error instanceof Refused && error.kind === 'not_found') return undefined
      throw error
    }
  }
  async function findsAll(attributes: Attributes): Promise<void> {
    const state = ((await read()) ?? assert.fail('it is not found')) as Attributes
    assert.deepEqual(Object.fromEntries(Object.keys(attributes).map((name) => [name, state[name]])), attributes)
  }
}

/** What is written once more changes nothing; it may be refused for that. */
async function unlessUnchanged(updating: Promise<unknown>): Promise<void> {
  try {
    await updating
  } catch (error) {
    if (!(error instanceof Refused && error.code.endsWith('unchanged'))) throw error
  }
}

/** What is read, unless it is the default, which Terraform takes for nothing. */
export function unlessDefault(state: Reply | undefined): Reply | undefined {
  return state?.isDefault ? undefined : state
}

/** The one of a list with these members. */
export function oneOf(list: Reply | undefined, members: Attributes): Reply | undefined {
  return Object.values(list ?? {}).find((one) => Object.entries(members).every(([name, value]) => one[name] === value))
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

let count = 0
/** A name that nothing else has. */
export const newName = (start: string): string => `${start}-${++count}`

/** A machine user to do something with. */
export async function aUser({ management }: Api): Promise<Names> {
  const userName = newName('robot')
  return { userId: (await management('AddMachineUser', { userName, name: 'Robot' })).userId }
}

/** A project with two roles. */
export async function aProject({ management }: Api): Promise<Names> {
  const { id: projectId } = await management('AddProject', { name: newName('Project') })
  for (const roleKey of ['reader', 'writer']) {
    await management('AddProjectRole', { projectId, roleKey, displayName: roleKey })
  }
  return { projectId }
}

/** A user with roles in something, named in the same way everywhere. */
export function memberResource(
  service: 'admin' | 'management',
  name: string,
  [first, second]: readonly [string, string],
  within: (api: Api) => Promise<Names> = async () => ({}),
): Resource {
  return {
    first: { roles: [first] },
    second: { roles: [second] },
    async create(api, attributes) {
      const names = { ...(await within(api)), ...(await aUser(api)) }
      await api[service](`Add${name}Member`, { ...names, ...attributes })
      return names
    },
    async read(api, { userId, ...place }) {
      const queries = [{ userIdQuery: { userId } }]
      return oneOf((await api[service](`List${name}Members`, { ...place, queries })).result, { userId })
    },
    update: (api, names, attributes) => api[service](`Update${name}Member`, { ...names, ...attributes }),
    delete: (api, names) => api[service](`Remove${name}Member`, names),
  }
}
