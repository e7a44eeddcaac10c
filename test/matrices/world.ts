/**
 * Two organizations with everything in one of them that a method can be about, and a port before rooms that keep nothing:
 * whatever gets as far as a commit is answered so, and every call finds the same world.
 */

import type { DescMethodUnary, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { Grant } from '../../src/access/call.ts'
import type { Method } from '../../src/access/method.ts'
import { createApp, methodsOf } from '../../src/app.ts'
import { startServer } from '../contract/server.ts'
import type { TestEngine } from '../support/engines.ts'
import { allMethods } from '../support/services.ts'
import { openPaths, type Path } from './paths.ts'
import { openScene } from './scene.ts'
import { addInstanceThings, addOrganization, addPolicies, addTenant } from './tenant.ts'
import { watchMethods } from './watched.ts'
import { KEPT, withoutCommit } from './without-commit.ts'

/** Who calls. */
export const CALLERS = [
  'nobody',
  'owner of another organization',
  'the same, with the header of this one',
  'user manager of the organization',
  'plain user on themself',
  'plain user on another',
  'directory of the organization',
  'login client',
  'viewer of the instance',
  'owner of the instance',
  'session bearer on themself',
] as const

export type CallerName = (typeof CALLERS)[number]

export interface MatrixCaller {
  readonly bearer: string | undefined
  readonly grants: readonly Grant[]
  /** The organization of their calls. */
  readonly organizationId: string
  /** The header, if they send one. */
  readonly header?: string
  /** Whom they act on, when the method is about a person or about a machine. */
  readonly human: string
  readonly machine: string
}

/** What became of a call. */
export interface Heard {
  readonly outcome: 'allowed' | '401' | '403' | '404'
  /** The id of the refusal; `kept` when it would have been written; empty when it was only read. */
  readonly id: string
  readonly text: string
}

const OUTCOMES: Readonly<Record<string, Heard['outcome']>> = {
  unauthenticated: '401',
  permission_denied: '403',
  not_found: '404',
}

/** The same, by the numbers of gRPC. */
const STATUSES: Readonly<Record<number, Heard['outcome']>> = { 16: '401', 7: '403', 5: '404' }

/** What nobody who may nothing there, or is of another organization, may ever read. */
const PRIVATE = [
  'human',
  'machine',
  'applicationId',
  'apiId',
  'applicationKeyId',
  'keyId',
  'tokenId',
  'passkeyId',
  'u2fId',
  'sessionId',
  'newcomer',
  'member',
  'domain',
  'idpId',
  'linkedUserId',
  'projectId',
  'projectGrantId',
  'authorizationId',
  'groupId',
] as const

export interface CallerOptions {
  readonly engine?: TestEngine
  /** Whether calls are committed; otherwise every call finds the same world. */
  readonly commits?: boolean
  /** Changes the methods that are served. */
  wrap?(methods: readonly Method[]): readonly Method[]
}

/** Opens the world. */
export async function openCallers({ engine, commits = false, wrap = (served) => served }: CallerOptions = {}) {
  const scene = await openScene(engine)
  const { call, owner, store, instanceId } = scene
  const tenant = await addTenant(scene, { name: 'Home', userCode: 'BCDF-GHJK' })
  const { home, human, machine } = tenant.ids
  const away = await addOrganization(scene, 'Away')
  // So that a stranger who asks without the header finds something of their own and nothing else.
  await addPolicies(scene, away)
  const ids = { ...tenant.ids, ...(await addInstanceThings(scene)) }

  // The callers' methods write nothing; who they are is read from the real store.
  const methods = methodsOf(createApp({ ...scene.app, store: commits ? store : withoutCommit(store) }))
  const readers = new Set<DescMethodUnary>()
  const server = await startServer(undefined, wrap(watchMethods(methods, readers)), scene.authorize)
  const paths = openPaths(server.url)

  const onInstance = (role: string): readonly Grant[] => [{ scope: 'instance', roles: [role] }]
  const inOrganization = (organizationId: string, role: string): readonly Grant[] => [
    { scope: { organizationId }, roles: [role] },
  ]
  const others = { human, machine }
  const withRole = async (role: string) => {
    const { request } = await scene.addMachine({ organizationId: home, instanceRoles: [role] })
    return { bearer: request.bearer, grants: onInstance(role), organizationId: home, ...others }
  }
  const withRoleHere = async (role: string) => {
    const { request } = await scene.addMachine({ organizationId: home, organizationRoles: [role] })
    return { bearer: request.bearer, grants: inOrganization(home, role), organizationId: home, ...others }
  }
  const stranger = await scene.addMachine({ organizationId: away, organizationRoles: ['ORG_OWNER'] })
  const plain = await scene.addMachine({ organizationId: home })
  const ofAway = { bearer: stranger.request.bearer, grants: inOrganization(away, 'ORG_OWNER'), ...others }

  const callers: Readonly<Record<CallerName, MatrixCaller>> = {
    nobody: { bearer: undefined, grants: [], organizationId: '', ...others },
    'owner of another organization': { ...ofAway, organizationId: away },
    'the same, with the header of this one': { ...ofAway, organizationId: home, header: home },
    'user manager of the organization': await withRoleHere('ORG_USER_MANAGER'),
    'plain user on themself': {
      bearer: tenant.self.bearer,
      grants: [],
      organizationId: home,
      human: machine,
      machine,
    },
    'plain user on another': { bearer: plain.request.bearer, grants: [], organizationId: home, ...others },
    'directory of the organization': await withRoleHere('ORG_DIRECTORY_SYNC'),
    'login client': await withRole('IAM_LOGIN_CLIENT'),
    'viewer of the instance': await withRole('IAM_OWNER_VIEWER'),
    'owner of the instance': await withRole('IAM_OWNER'),
    'session bearer on themself': {
      bearer: tenant.sessionToken,
      grants: [],
      organizationId: home,
      human,
      machine: human,
    },
  }

  const read = (body: JsonObject): readonly [code: string, id: string] => {
    const details = (body.details ?? []) as readonly { readonly debug?: { readonly id?: JsonValue } }[]
    const id = details.map(({ debug }) => debug?.id).find((one) => one !== undefined)
    return [String(body.code), String(id ?? '')]
  }

  return {
    /** The world itself, where calls are kept. */
    scene,
    callers,
    methods,
    /** Methods that have looked at the organization of the call. */
    readers: readers as ReadonlySet<DescMethodUnary>,
    instanceId,
    ids,
    intent: tenant.intent,
    private: PRIVATE.map((name) => ids[name]),
    faults: server.faults,
    finished: server.finished,
    url: server.url,
    addMachine: scene.addMachine,
    /** Makes a user an owner of the instance, permanently. */
    async makeInstanceOwner(userId: string): Promise<void> {
      await call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, owner)
    },
    /** By another path, if one is named; REST only where the contract has one for this method. */
    async ask(
      name: string,
      body: JsonObject,
      { bearer, header }: MatrixCaller,
      path: Path = 'Connect',
    ): Promise<Heard> {
      const headers = {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(header !== undefined && { 'x-service-orgid': header }),
      }
      const method = allMethods.get(name)
      const told = method && (await paths.ask(path, method, body, headers))
      if (told !== undefined) {
        const { code, id, text } = told
        if (code === 0) return { outcome: 'allowed', id: '', text }
        return { outcome: STATUSES[code] ?? 'allowed', id: id === KEPT ? 'kept' : id, text }
      }
      const response = await fetch(`${server.url}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (response.ok) return { outcome: 'allowed', id: '', text }
      const [code, id] = read(JSON.parse(text) as JsonObject)
      return { outcome: OUTCOMES[code] ?? 'allowed', id: id === KEPT ? 'kept' : id, text }
    },
    async close() {
      paths.close()
      await server.close()
      await scene.dispose()
    },
  }
}

export type CallerWorld = Awaited<ReturnType<typeof openCallers>>
