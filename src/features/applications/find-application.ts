/** Finds applications, by ID or client ID, and checks the credentials they present. */

import type { Call, ProjectScope } from '../../access/call.ts'
import { hashSecret, isForeignHash, matchesHash } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { ApiAccess } from '../../kernel/role.ts'
import { type App, perApp } from '../../module/app.ts'
import { CLIENT_ID_CLAIM } from '../../module/token-party.ts'
import type { Document, Reader } from '../../store/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { findProject } from '../projects/index.ts'
import type { ActiveApplicationKey } from './decider.ts'
import { applicationKeys, applicationSecrets, applications } from './documents.ts'
import type { ApplicationConfig } from './events.ts'
import { applicationRefusals } from './refusals.ts'
import { isLiving, type LivingApplication } from './state.ts'

/**
 * The application, active or not; undefined when there is none, or when its project was removed. Whether the project and
 * the organization are active is not checked.
 */
export async function findApplication(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingApplication> | undefined> {
  const document = await reader.get(applications, id)
  if (document === undefined || !isLiving(document.state)) return undefined
  // A job removes the applications of a removed project. Until then they do not count.
  if ((await findProject(app, document.state.projectId, reader)) === undefined) return undefined
  return document as Document<LivingApplication>
}

const MOST_REMEMBERED = 10_000

/** The application that had a client ID when it was last looked up. */
const idsByClientId = perApp((): Map<string, string> => new Map())

/** Finds an application by its client ID. The ID is remembered; that the application exists and has the client ID is read each time. */
export async function findApplicationByClientId(
  app: App,
  clientId: string,
  reader: Reader = app.store,
): Promise<Document<LivingApplication> | undefined> {
  const ids = idsByClientId(app)
  const remembered = ids.get(clientId)
  const found = remembered === undefined ? undefined : await findApplication(app, remembered, reader)
  if (found?.state.clientId === clientId) return found
  const id = await app.store.findClaimHolder(CLIENT_ID_CLAIM, clientId)
  if (id === undefined) return undefined
  if (ids.size >= MOST_REMEMBERED) ids.clear()
  ids.set(clientId, id)
  return findApplication(app, id, reader)
}

/** How many organizations can have the same service provider and still be told apart by who signs in. */
const MOST_WITH_ENTITY_ID = 20

/** The applications of a SAML service provider, at most one of each organization, the oldest first. */
export async function findApplicationsByEntityId(
  app: App,
  entityId: string,
): Promise<readonly Document<LivingApplication>[]> {
  const where = { field: 'entityId', equals: entityId } as const
  const { documents } = await app.store.find(applications, { where, limit: MOST_WITH_ENTITY_ID })
  return documents.filter(({ state }) => isLiving(state) && state.config.type === 'saml') as never
}

/** Throws `application.not_found` when there is no such application in the project, if that is given. */
export async function requireApplication(
  app: App,
  id: string,
  projectId: string | undefined,
  reader: Reader = app.store,
): Promise<Document<LivingApplication>> {
  const document = await findApplication(app, id, reader)
  if (document === undefined || (projectId !== undefined && document.state.projectId !== projectId)) {
    throw refused(applicationRefusals, 'application.not_found')
  }
  return document
}

/** The application, if the caller holds the permission of the method on its project or in its organization. */
export async function applicationForCaller(
  app: App,
  call: Call,
  id: string,
  projectId?: string,
): Promise<Document<LivingApplication>> {
  const document = await requireApplication(app, id, projectId)
  call.authorize({ projectId: document.state.projectId, ownerId: document.owner })
  return document
}

/** The application, if there is one that the caller may see: reading tells nobody which IDs exist elsewhere. */
export async function visibleApplication(
  app: App,
  call: Call,
  id: string,
): Promise<Document<LivingApplication> | undefined> {
  const document = await findApplication(app, id)
  if (document === undefined) return undefined
  return call.reaches({ projectId: document.state.projectId, ownerId: document.owner }) ? document : undefined
}

/** Like `applicationForCaller`, for something that is added to the application: one that does not exist must be created first. */
export async function applicationToExtend(
  app: App,
  call: Call,
  id: string,
  projectId: string,
): Promise<Document<LivingApplication>> {
  const document = await findApplication(app, id)
  if (document === undefined || document.state.projectId !== projectId) {
    // The caller holds the permission somewhere, and there is nothing to hold it on.
    call.visibleOwners()
    throw refused(applicationRefusals, 'application.missing')
  }
  call.authorize({ projectId, ownerId: document.owner })
  return document
}

/** The application, if it was removed before from this project and the caller holds the permission of the method there. */
export async function removedApplication(
  app: App,
  call: Call,
  id: string,
  projectId: string,
): Promise<Document<unknown> | undefined> {
  const document = await app.store.getRemoved(applications, id)
  if (document === undefined || (await findProject(app, projectId))?.owner !== document.owner) return undefined
  call.authorize({ projectId, ownerId: document.owner })
  return document
}

/** An application as it counts at our own API: its project, and how far its tokens reach. */
export interface ApiReach {
  readonly place: ProjectScope
  readonly access: ApiAccess
}

/**
 * How far the tokens of an application reach in our own API. The API project belongs to the instance, and so do its
 * applications: the console among them.
 */
export async function apiAccessOf(app: App, applicationId: string): Promise<ApiReach> {
  const [document, apiProject] = await Promise.all([app.store.get(applications, applicationId), apiProjectId(app)])
  if (document === undefined || !isLiving(document.state)) throw refused(applicationRefusals, 'application.not_found')
  const { projectId, api, agent } = document.state
  const place = { projectId, ownerId: document.owner }
  // Nobody here controls a client that nobody prepared, whichever project it is used for.
  if (agent !== undefined) return { place, access: 'none' }
  return { place, access: projectId === apiProject ? 'instance' : (api?.access ?? 'project') }
}

/** Whether an application is a client that nobody prepared. */
export async function isAgentApplication(app: App, applicationId: string): Promise<boolean> {
  const state = (await app.store.get(applications, applicationId))?.state
  return state !== undefined && isLiving(state) && state.agent !== undefined
}

/** Whether an application with this configuration authenticates itself with a secret. */
export function usesSecret(config: ApplicationConfig): boolean {
  return config.type !== 'saml' && (config.authMethod === 'basic' || config.authMethod === 'post')
}

/** Whether an application with this configuration authenticates itself with keys. */
export function usesKeys(config: ApplicationConfig): boolean {
  return config.type !== 'saml' && config.authMethod === 'private_key_jwt'
}

/** Whether this is the secret of the application; false also when it authenticates itself in another way. */
export async function matchesApplicationSecret(
  app: App,
  { id, state }: Document<LivingApplication>,
  secret: string,
): Promise<boolean> {
  if (!usesSecret(state.config)) return false
  const stored = await app.store.get(applicationSecrets, id)
  if (stored?.state.status !== 'set') return false
  const { hash: from } = stored.state.secret
  if (!isForeignHash(from)) return matchesHash(secret, from)
  if (!(await app.hashing.verifySecret(from, secret, stored.owner))) return false
  const command = { type: 'rehash', from, hash: hashSecret(secret) } as const
  await app.store.write({ actor: 'server', at: app.clock() }, (work) => work.decide(applicationSecrets, id, command))
  return true
}

/** The key with this ID, if there is one. */
export async function readApplicationKey(
  app: App,
  keyId: string,
  reader: Reader = app.store,
): Promise<Document<ActiveApplicationKey> | undefined> {
  const key = await reader.get(applicationKeys, keyId)
  return key?.state.status === 'active' ? (key as Document<ActiveApplicationKey>) : undefined
}

/** A key with which an application signs. */
export interface FoundApplicationKey {
  readonly applicationId: string
  /** SPKI in PEM. */
  readonly publicKey: string
  readonly expiresAt: Instant
}

/** The key, expired or not; undefined when there is none, or when its application does not authenticate itself with keys. */
export async function findApplicationKey(app: App, keyId: string): Promise<FoundApplicationKey | undefined> {
  const key = (await readApplicationKey(app, keyId))?.state
  const application = key && (await findApplication(app, key.applicationId))
  if (key === undefined || application === undefined || !usesKeys(application.state.config)) return undefined
  const { applicationId, publicKey, expiresAt } = key
  return { applicationId, publicKey, expiresAt }
}

/** An assertion that does not name its key is verified with this many of the newest ones. */
const MOST_UNNAMED_KEYS = 10

/** The keys that may have signed an assertion of an application, as SPKI in PEM: the named one, or the newest. */
export async function verificationKeysOf(
  app: App,
  applicationId: string,
  keyId: string | undefined,
): Promise<readonly string[]> {
  const named = keyId === undefined ? undefined : await readApplicationKey(app, keyId)
  const keys =
    keyId === undefined
      ? await newestKeysOfApplication(app, applicationId, MOST_UNNAMED_KEYS)
      : [named].flatMap((key) => key ?? [])
  const now = app.clock()
  return keys
    .filter(({ state }) => state.applicationId === applicationId && state.expiresAt > now)
    .map(({ state }) => state.publicKey)
}

/** The newest keys of an application, expired or not. */
export async function newestKeysOfApplication(
  app: App,
  applicationId: string,
  limit: number,
): Promise<readonly Document<ActiveApplicationKey>[]> {
  const where = { field: 'applicationId', equals: applicationId } as const
  const query = { where, orderBy: 'createdAt', descending: true, limit } as const
  const { documents } = await app.store.find(applicationKeys, query)
  return documents.filter(({ state }) => state.status === 'active') as readonly Document<ActiveApplicationKey>[]
}

/** The client IDs of the oldest applications of a project, without those that nobody prepared. */
export async function clientIdsOfProject(app: App, projectId: string, limit: number): Promise<readonly string[]> {
  const where = { field: 'preparedIn', equals: projectId } as const
  const { documents } = await app.store.find(applications, { where, orderBy: 'id', limit })
  return documents.flatMap(({ state }) => (isLiving(state) ? [state.clientId] : []))
}
