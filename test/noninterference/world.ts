/**
 * Two tenants with one of every kind and nothing in common, and everybody who may call in the second: A is looked at, B
 * looks. While the gate is closed nothing is written, so that every request finds the same world.
 */
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { openGrantWithToken } from '../../src/features/grants/index.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import type { ExampleThings } from '../../src/http/openapi/example-names.ts'
import { exampleRequest } from '../../src/http/openapi/example-requests.ts'
import { rolesAt } from '../../src/kernel/role.ts'
import { FRESH } from '../contract/limit-values.ts'
import { NOTHING_ELSE } from '../matrices/requests.ts'
import { openScene, type Scene, users } from '../matrices/scene.ts'
import { addInstanceThings, addTenant, type Tenant } from '../matrices/tenant.ts'
import type { CallOptions } from '../support/calls.ts'
import type { TestEngine } from '../support/engines.ts'
import { Gate } from './dry-engine.ts'

/** In the name of everything that belongs to A and has a name. */
const MARK = 'acme'

/** A tenant as requests see it. */
export interface Side {
  readonly things: ExampleThings
  /** What texts of its person are called. */
  readonly texts: Readonly<Record<'domain' | 'loginName' | 'email' | 'userCode' | 'resourceOwner', string>>
}

async function sideOf({ call, owner }: Scene, { ids, intent }: Tenant, ofInstance: object): Promise<Side> {
  const { user } = await call(users.getUserByID, { userId: ids.human }, owner)
  const email = user?.type.case === 'human' ? (user.type.value.email?.email ?? '') : ''
  const things = { ...ids, ...ofInstance, ...NOTHING_ELSE, intentToken: intent.token } as unknown as ExampleThings
  const loginName = user?.preferredLoginName ?? ''
  return {
    things,
    texts: { domain: ids.domain, loginName, email, userCode: ids.userCode, resourceOwner: ids.home },
  }
}

/** Everybody of B who can call, by role; those without one, and nobody. */
async function addCallers(scene: Scene, { ids, sessionToken, self }: Tenant) {
  const { call, owner, addMachine } = scene
  const callers: Record<string, CallOptions> = {
    nobody: {},
    'a machine without a role': self,
    'a person without a role': { bearer: sessionToken },
  }
  for (const role of rolesAt('organization')) {
    callers[role] = (await addMachine({ organizationId: ids.home, organizationRoles: [role] })).request
  }
  const give = async (role: string, organizationId: string, resource: object) => {
    const { userId, request } = await addMachine({ organizationId })
    const { createAdministrator } = InternalPermissionService.method
    await call(createAdministrator, { userId, resource: { resource: resource as never }, roles: [role] }, owner)
    callers[role] = request
  }
  const { projectId, partner } = ids
  for (const role of rolesAt('project')) await give(role, ids.home, { case: 'projectId', value: projectId })
  const value = { projectId, organizationId: partner }
  for (const role of rolesAt('project_grant')) await give(role, partner, { case: 'projectGrant', value })
  return callers
}

/** The IDs in the log of what belongs to some organizations. */
async function streamsOf({ store }: Scene, owners: readonly string[]) {
  const streams = new Set<string>()
  const ids = new Set<string>(owners)
  for (let from = 0; ; ) {
    const events = await store.events({ from, limit: 1_000 })
    for (const { kind, id, owner } of events) {
      if (!owners.includes(owner)) continue
      streams.add(`${kind}/${id}`)
      for (const part of id.split(/[ /]/)) if (/^\d{18}$/.test(part)) ids.add(part)
    }
    const last = events.at(-1)
    if (last === undefined) return { streams, ids }
    from = last.sequence
  }
}

/** How people of A call: with a session, a personal access token, and a token of their application. */
async function bearersOf(scene: Scene, { ids, sessionToken, self }: Tenant) {
  const { app } = scene
  const subject = {
    ...{ userId: ids.human, organizationId: ids.home, isMachine: false, sessionId: '', scope: 'openid', acr: '' },
    ...{ clientId: ids.clientId, applicationId: ids.applicationId, projectId: ids.projectId },
    ...{ audience: [await apiProjectId(app)], authenticatedAt: app.clock(), amr: ['pwd', 'mfa'] },
  }
  const lifetime = { grantType: 'test', lifetimeMs: 86_400_000 }
  const { text } = await openGrantWithToken(app, scene.origin(), subject, lifetime)
  return { session: sessionToken, 'personal access token': self.bearer ?? '', token: text }
}

export async function openTenants(engine: TestEngine, gate = new Gate()) {
  let requests = 0
  const scene = await openScene(gate.on(engine))
  const ofInstance = await addInstanceThings(scene)
  const first = await addTenant(scene, { name: 'Acme', userCode: 'BCDF-GHJK' })
  const second = await addTenant(scene, { name: 'Birch', userCode: 'LMNP-QRST' })
  const { ids } = first
  const owners = [ids.home, ids.partner, ids.outsider]
  const known = await streamsOf(scene, owners)
  const { ids: others } = await streamsOf(scene, [second.ids.home, scene.defaultOrganizationId, scene.instanceId])
  return {
    scene,
    gate,
    a: await sideOf(scene, first, ofInstance),
    b: await sideOf(scene, second, ofInstance),
    callers: await addCallers(scene, second),
    bearersOfA: await bearersOf(scene, first),
    /** The streams of A, and of the organizations that only A knows. */
    streams: known.streams,
    owners: new Set(owners),
    /** The IDs of what A has. */
    idsOfA: [...known.ids].filter((id) => !others.has(id)),
    /** The IDs of A's things in a text, and its names. */
    thingsOfA(text: string): readonly string[] {
      const found = (text.match(/\d{18}/g) ?? []).filter((id) => known.ids.has(id) && !others.has(id))
      return [...new Set([...found, ...(text.toLowerCase().includes(MARK) ? [MARK] : [])])]
    },
    requestOf: (method: Parameters<typeof exampleRequest>[0], { things }: Side) =>
      exampleRequest(method, things, { ...FRESH, idOf: () => '' }),
    /** How many requests were made. */
    requests: () => requests,
    count() {
      requests += 1
    },
    dispose: () => scene.dispose(),
  }
}

export type Tenants = Awaited<ReturnType<typeof openTenants>>
