/**
 * Clients register themselves (RFC 7591), and manage that (RFC 7592). With a token of a project they are for that project,
 * with one of a user for the projects of an organization, and without one, where the instance allows it, for all. Each of
 * these projects must allow such clients.
 */

import { clientManagementTokens, matchesHash } from '../../../crypto/tokens.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../../store/index.ts'
import { DEFAULT_REGISTRATIONS_PER_HOUR, securitySettings } from '../../settings/index.ts'
import type { ClientMetadata } from '../agents/client-metadata.ts'
import {
  newRegisteredId,
  type RegisteredClient,
  registeredClient,
  registeredClients,
} from '../agents/registered-clients.ts'
import { type CountedPlace, countPlace, countRegistration } from '../agents/registration-shares.ts'
import { projectOfToken } from '../agents/registration-tokens.ts'
import { applicationRefusals } from '../refusals.ts'

/**
 * Who lets a client in: a registration token, or an organization, by a user of it who has that permission; nobody, when all that
 * is known is the place in the network that it comes from.
 */
export type Registrar = { readonly source: string } | { readonly token: string } | { readonly organizationId: string }

/** Throws unless the instance allows clients to register. */
export async function requireRegistrationOpen(app: App, reader: Reader = app.store) {
  const security = await securitySettings(app, reader)
  if (!security.allowsClientRegistration) throw refused(applicationRefusals, 'application.registration_disabled')
  return security
}

interface Admitted {
  readonly owner: string
  readonly projectId?: string
}

/** What a client that registers belongs to; undefined when its registrar does not count. */
async function admit(
  app: App,
  registrar: Exclude<Registrar, { source: string }>,
  work: Work,
): Promise<Admitted | undefined> {
  if ('organizationId' in registrar) return { owner: registrar.organizationId }
  const project = await projectOfToken(app, registrar.token, work.origin.at, work)
  return project && { owner: project.owner, projectId: project.id }
}

/** Throws unless a client can register now, and counts it. */
async function requireAllowed(app: App, registrar: Registrar, work: Work, place?: CountedPlace): Promise<Admitted> {
  const security = await requireRegistrationOpen(app, work)
  const stranger = security.allowsAnonymousClientRegistration ? { owner: app.instanceId } : undefined
  const admitted = 'source' in registrar ? stranger : await admit(app, registrar, work)
  if (admitted === undefined) throw refused(applicationRefusals, 'application.registration_token_invalid')
  const { registrationsPerHour: most = DEFAULT_REGISTRATIONS_PER_HOUR } = security
  await countRegistration(work, admitted.owner, place?.within(most) ?? most)
  return admitted
}

export interface Registration {
  readonly client: Document<RegisteredClient>
  /** With it the client manages its registration. It is shown once and not stored. */
  readonly token: string
}

/** Registers a client. */
export async function registerClient(
  app: App,
  origin: Origin,
  metadata: ClientMetadata,
  registrar: Registrar,
): Promise<Registration> {
  const clientId = newRegisteredId(app)
  const { text, hash } = clientManagementTokens.issue(clientId.slice(4))
  const place = 'source' in registrar ? countPlace(app, registrar.source) : undefined
  const written = app.store.write(origin, async (work) => {
    const { owner, projectId } = await requireAllowed(app, registrar, work, place)
    const command = { type: 'register', metadata, projectId, hash, at: work.origin.at } as const
    return work.decide(registeredClients, clientId, command, owner)
  })
  const { value } = await written.catch((error) => {
    place?.giveBack()
    throw error
  })
  return { client: value as Document<RegisteredClient>, token: text }
}

/** The registration that a token manages; undefined when there is none. */
export async function registrationOfToken(app: App, clientId: string, token: string) {
  const parsed = clientManagementTokens.parse(token)
  const client = await registeredClient(app, clientId)
  const isOwn = parsed !== undefined && client !== undefined && `dcr-${parsed.tokenId}` === clientId
  return isOwn && matchesHash(parsed.secret, client.state.secret.hash) ? client : undefined
}

/** Changes the metadata of a registration. */
export async function changeRegistration(app: App, origin: Origin, clientId: string, metadata: ClientMetadata) {
  const { value } = await app.store.write(origin, (work) =>
    work.decide(registeredClients, clientId, { type: 'change', metadata }),
  )
  return value as Document<RegisteredClient>
}

/** Ends a registration; from the commit on, its tokens are invalid. */
export async function endRegistration(app: App, origin: Origin, clientId: string): Promise<void> {
  await app.store.write(origin, (work) =>
    work.decide(registeredClients, clientId, { type: 'remove', at: work.origin.at }),
  )
}
