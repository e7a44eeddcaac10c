/** Adds applications that another product had, with their client IDs, secrets and keys. */
import { readPublicKey } from '../../../crypto/machine-key.ts'
import { passwordRefusals } from '../../../crypto/passwords/index.ts'
import { hashSecret, isSecretHash } from '../../../crypto/tokens.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { ApiAccess } from '../../../kernel/role.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { findProject, projectRefusals, projects } from '../../projects/index.ts'
import { isIdOrNameOfUser } from '../../users/index.ts'
import { agentApplicationId, agentKindOf } from '../agents/agent-clients.ts'
import { type ClientMetadata, configOfClient } from '../agents/client-metadata.ts'
import { IDLE_MS, isRegisteredId, registeredClients, UNUSED_MS } from '../agents/registered-clients.ts'
import { applicationKeys, applicationSecrets, applications } from '../documents.ts'
import type { AgentUse, ApplicationConfig } from '../events.ts'
import { usesKeys, usesSecret } from '../find-application.ts'
import { applicationRefusals } from '../refusals.ts'
import type { Application } from '../state.ts'
import { checkConfig, checkId, checkName } from './check-application.ts'

/** A secret in the clear, or the hash that the other product stores. */
export type ImportedSecret = { readonly plain: string } | { readonly hash: string }

export interface ImportedApplication {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly clientId: string
  readonly config: ApplicationConfig
  readonly isActive: boolean
  /** How far its tokens reach in our own API; not given: the organization, as those of one that is added here. */
  readonly apiAccess?: { readonly access: ApiAccess; readonly allowedBy: string }
  /** There only if nobody prepared it. */
  readonly agent?: AgentUse
}

/** Few enough for a claim and for every place that names a client. */
const LONGEST_CLIENT_ID = 200

/** Throws unless nothing else has this client ID that tokens name; see `newClientId`. */
async function checkClientId(app: App, work: Work, clientId: string): Promise<void> {
  const isReadable = /^[\x21-\x7e]+$/.test(clientId) && clientId.length <= LONGEST_CLIENT_ID
  const isTaken = (await work.get(projects, clientId)) !== undefined || (await isIdOrNameOfUser(app, clientId, work))
  if (!isReadable || isTaken) throw refused(applicationRefusals, 'application.client_id_taken')
}

/** Adds an application as part of a write. */
export async function importApplication(
  app: App,
  work: Work,
  { id, projectId, name, clientId, config, isActive, apiAccess, agent }: ImportedApplication,
): Promise<Document<Application>> {
  checkName(name)
  checkConfig(app, config, '')
  const project = await findProject(app, projectId, work)
  if (project === undefined) throw refused(projectRefusals, 'project.missing')
  if (agent === undefined) {
    await checkId(app, work, id, project.owner)
    await checkClientId(app, work, clientId)
  } else if (
    agentKindOf(clientId) !== agent.kind ||
    agentApplicationId(agent.isForSignIn ? '' : projectId, clientId) !== id
  ) {
    throw refused(applicationRefusals, 'application.client_id_taken')
  }
  const given = { projectId, name, clientId, config, ...(agent && { agent }) }
  await work.decide(applications, id, { type: 'add', ...given }, project.owner)
  const { access, allowedBy } = apiAccess ?? { access: 'organization', allowedBy: '' }
  const allowed = { type: 'set_api_access', access, allowedBy } as const
  const added = await work.decide(applications, id, allowed, project.owner)
  return isActive ? added : work.decide(applications, id, { type: 'deactivate' })
}

type Added = Pick<ImportedApplication, 'id' | 'projectId' | 'config'>

/** Sets the secret of an application that was added in the same write. A hash is replaced at the first use. */
export async function importApplicationSecret(
  app: App,
  work: Work,
  { id, config }: Added,
  secret: ImportedSecret,
): Promise<void> {
  if (!usesSecret(config)) throw refused(applicationRefusals, 'application.other_type')
  const flaw = 'hash' in secret && !isSecretHash(secret.hash) ? app.hashing.checkSecret(secret.hash) : undefined
  if (flaw !== undefined) throw refused(passwordRefusals, flaw.code, { reason: flaw.description })
  const hash = 'hash' in secret ? secret.hash : hashSecret(secret.plain)
  await work.decide(applicationSecrets, id, { type: 'set', hash }, await ownerOf(work, id))
}

/** Adds a public key to an application that was added in the same write. */
export async function importApplicationKey(
  work: Work,
  { id: applicationId, projectId, config }: Added,
  key: { readonly id: string; readonly publicKey: string; readonly expiresAt: Instant; readonly issuedAt?: Instant },
): Promise<void> {
  if (!usesKeys(config)) throw refused(applicationRefusals, 'application.key_not_usable')
  const publicKey = readPublicKey(Buffer.from(key.publicKey))
  if (publicKey === undefined) throw refused(applicationRefusals, 'application.key_not_usable')
  // One of an export is kept even if it has expired since.
  const { expiresAt, issuedAt: at = work.origin.at } = key
  const command = { type: 'add', applicationId, projectId, publicKey, expiresAt, at } as const
  await work.decide(applicationKeys, key.id, command, await ownerOf(work, applicationId))
}

async function ownerOf(work: Work, applicationId: string): Promise<string> {
  const application = await work.get(applications, applicationId)
  if (application === undefined) throw refused(applicationRefusals, 'application.not_found')
  return application.owner
}

/** Changes an application to what another product has now, as part of a write. Its client ID cannot change. */
export async function followApplication(
  app: App,
  work: Work,
  { id, name, config, isActive }: Pick<ImportedApplication, 'id' | 'name' | 'config' | 'isActive'>,
): Promise<void> {
  checkName(name)
  checkConfig(app, config, '')
  const { state } = await work.decide(applications, id, { type: 'follow_metadata', name, config })
  if (state.status === 'active' && !isActive) await work.decide(applications, id, { type: 'deactivate' })
  if (state.status === 'inactive' && isActive) await work.decide(applications, id, { type: 'reactivate' })
}

/** Gives an application the secret that it has in another product now, or none, as part of a write. */
export async function followApplicationSecret(
  app: App,
  work: Work,
  added: Added,
  secret: ImportedSecret | undefined,
): Promise<void> {
  const known = (await work.get(applicationSecrets, added.id))?.state
  if (secret === undefined) {
    if (known?.status === 'set') await work.decide(applicationSecrets, added.id, { type: 'remove' })
    return
  }
  const hash = 'hash' in secret ? secret.hash : hashSecret(secret.plain)
  if (known?.status !== 'set' || known.secret.hash !== hash) await importApplicationSecret(app, work, added, secret)
}

/** Removes the keys that another product does not have any more, as part of a write. Answers those that are there. */
export async function keepApplicationKeys(
  app: App,
  work: Work,
  applicationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await app.store.findIds(applicationKeys, { field: 'applicationId', equals: applicationId })
  for (const id of known) {
    if (!ids.includes(id) && (await work.get(applicationKeys, id))) {
      await work.decide(applicationKeys, id, { type: 'remove' })
    }
  }
  return new Set(known)
}

export interface ImportedRegistration {
  /** The client ID. */
  readonly id: string
  readonly metadata: ClientMetadata
  readonly projectId?: string
  /** Of the token with which it manages its registration. */
  readonly hash: string
  readonly registeredAt: Instant
  readonly endsAt: Instant
}

/** Adds a client that registered itself, as part of a write. */
export async function importRegistration(app: App, work: Work, given: ImportedRegistration): Promise<void> {
  const { id, metadata, projectId, hash, registeredAt, endsAt } = given
  if (!isRegisteredId(id) || !isSecretHash(hash)) throw refused(applicationRefusals, 'application.client_id_taken')
  checkConfig(app, configOfClient(metadata), 'metadata.')
  const command = { type: 'register', metadata, projectId, hash, at: registeredAt } as const
  await work.decide(registeredClients, id, command, app.instanceId)
  if (endsAt <= registeredAt + UNUSED_MS) return
  await work.decide(registeredClients, id, { type: 'use', at: instant(endsAt - IDLE_MS) })
}
