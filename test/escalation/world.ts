/**
 * The world in which somebody tries to gain permissions: the whole server on a port, a provider of the attacker's own, and
 * for each attempt an organization of its own, with people above and below.
 */
import assert from 'node:assert/strict'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { ExampleThings } from '../../src/http/openapi/example-names.ts'
import { INSTANCE_OWNER, ORGANIZATION_OWNER, type RoleLevel } from '../../src/kernel/role.ts'
import { NOTHING_ELSE } from '../matrices/requests.ts'
import type { CallOptions } from '../support/calls.ts'
import type { TestEngine } from '../support/engines.ts'
import { type Browser, type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { openingOn } from '../support/opening.ts'
import { openScriptedProvider, type ScriptedProvider } from '../support/scripted-provider.ts'
import { giveRole, type RoleAt, type Where } from './roles.ts'
import { addThings } from './things.ts'

export const users = UserService.method
const sessions = SessionService.method

/** Everything of the attacker's own is under this domain: mailboxes, pages, and what redirects lead to. */
export const OWN_DOMAIN = 'mallory.example'

/** Somebody who can be attacked, or who attacks. */
export interface Person {
  readonly name: string
  readonly userId: string
  readonly loginName: string
  readonly email: string
  /** Their organization. */
  readonly home: string
  /** Their session, as it was before anything happened. */
  readonly session: CallOptions
  /** A browser in which they were signed in before anything happened. */
  readonly browser: Browser
}

export interface Neighbourhood {
  readonly home: string
  /** The organizations in which permissions are compared, by what they are called in reports. */
  readonly organizations: Readonly<Record<string, string>>
  /** The projects that were there before. */
  readonly projects: ReadonlySet<string>
  readonly attacker: Person
  readonly others: readonly Person[]
  /** What requests are about; the attacker's own things take the places of those that they replace. */
  readonly things: Record<string, string>
}

async function addPerson({ call, owner, login, app, browser }: Arena, name: string, home: string): Promise<Person> {
  const loginName = `${name.toLowerCase()}-${app.newId()}`
  const email = `${loginName}@corp.example`
  const { userId } = await call(
    users.addHumanUser,
    {
      username: loginName,
      organisation: { org: { case: 'orgId', value: home } },
      profile: { firstName: name, lastName: 'Person' },
      email: { email, verification: { case: 'isVerified', value: true } },
      passwordType: { case: 'password', value: { password: PASSWORD } },
    },
    owner,
  )
  const checks = { user: { search: { case: 'userId', value: userId } }, password: { password: PASSWORD } } as const
  const { sessionToken } = await call(sessions.createSession, { checks }, login)
  return { name, userId, loginName, email, home, session: { bearer: sessionToken }, browser: browser() }
}

/** Signs somebody in who will open a link later: the attacker may change how one signs in. */
export async function signIn({ url }: Arena, { browser, loginName }: Person): Promise<void> {
  if (browser.cookies.size > 0) return
  const page = await browser.open(`${url}/ui/login`)
  const account = await browser.send(page, { userName: loginName, password: PASSWORD }, '/ui/login')
  assert.equal(new URL(account.url).pathname, '/ui/account')
}

/** The server, and what is there whoever attacks. */
export interface Arena extends OpenIdWorld {
  readonly login: CallOptions
  readonly provider: ScriptedProvider
  /** An organization that has nothing to do with any other. */
  readonly elsewhere: string
  readonly instanceOwner: Person
}

async function prepare(world: OpenIdWorld, provider: ScriptedProvider): Promise<Arena> {
  const { call, owner, defaultOrganizationId } = world
  const login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
  const elsewhere = (await call(ManagementService.method.addOrg, { name: 'Elsewhere' }, owner)).id
  // Only owners of the instance can allow it, and it allows more.
  await call(SettingsService.method.setSecuritySettings, { enableImpersonation: true }, owner)
  const arena = { ...world, login, provider, elsewhere, instanceOwner: undefined as never }
  const instanceOwner = await addPerson(arena, INSTANCE_OWNER, defaultOrganizationId)
  await giveRole(arena, instanceOwner.userId, { level: 'instance', role: INSTANCE_OWNER }, {})
  return {
    ...arena,
    instanceOwner,
    async dispose() {
      await provider.close()
      await world.dispose()
    },
  }
}

export async function openArena(engine: TestEngine): Promise<Arena> {
  const provider = await openScriptedProvider()
  return openingOn(openOpenIdWorld({ engine }), (world) => prepare(world, provider))
}

/** Adds an organization in which the attacker has a role, an owner is above, somebody without a role below, and others between. */
export async function addNeighbourhood(arena: Arena, role: RoleAt, others: readonly RoleAt[]): Promise<Neighbourhood> {
  const { call, owner, defaultOrganizationId, elsewhere, instanceOwner } = arena
  const name = `Home ${arena.app.newId()}`
  const home = (await call(ManagementService.method.addOrg, { name }, owner)).id
  const { things, partner } = await addThings(arena, home)
  const where: Where = { organization: home, project: things.projectId, grant: things.projectGrantId, partner }
  const homeOf = (level: RoleLevel) => (level === 'project_grant' ? partner : home)
  const add = async (one: RoleAt, called = one.role) => {
    const person = await addPerson(arena, called, homeOf(one.level))
    await giveRole(arena, person.userId, one, where)
    return person
  }
  const [attacker, nobody, ...people] = await Promise.all([
    add(role, 'Mallory'),
    addPerson(arena, 'Nobody', home),
    ...[{ level: 'organization', role: ORGANIZATION_OWNER } as const, ...others].map((one) => add(one)),
  ])
  people.push(nobody)
  const [chief, ...rest] = people
  const authorization = { projectId: things.projectId, userId: nobody.userId, roleKeys: ['role'] }
  const inHome = { ...owner, organizationId: home }
  const authorizationId = (await call(ManagementService.method.addUserGrant, authorization, inHome)).userGrantId
  return {
    home,
    organizations: { home, partner, elsewhere, default: defaultOrganizationId },
    projects: new Set([things.projectId ?? '']),
    attacker,
    others: [...people, instanceOwner],
    things: {
      ...(NOTHING_ELSE as unknown as Record<string, string>),
      ...things,
      authorizationId,
      human: chief?.userId ?? '',
      newcomer: rest.at(-1)?.userId ?? '',
      member: rest[0]?.userId ?? '',
      instanceMember: instanceOwner.userId,
      issuer: arena.provider.issuer,
      webhook: `${arena.provider.issuer}/hook`,
    } satisfies Partial<Record<keyof ExampleThings, string>>,
  }
}
