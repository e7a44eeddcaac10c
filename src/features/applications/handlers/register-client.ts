/**
 * Clients register themselves (RFC 7591), and manage that (RFC 7592). With a token of a project they are for that project;
 * without one, where the instance allows it, for all that allow such clients.
 */

import { clientManagementTokens, matchesHash } from '../../../crypto/tokens.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import type { LivingProject } from '../../projects/index.ts'
import { DEFAULT_REGISTRATIONS_PER_HOUR, securitySettings } from '../../settings/index.ts'
import type { ClientMetadata } from '../agents/client-metadata.ts'
import {
  newRegisteredId,
  type RegisteredClient,
  registeredClient,
  registeredClients,
} from '../agents/registered-clients.ts'
import { countRegistration } from '../agents/registration-shares.ts'
import { projectOfToken } from '../agents/registration-tokens.ts'
import { applicationRefusals } from '../refusals.ts'

/** Throws unless a client can register now, and counts it; answers the project that it registers for. */
async function requireAllowed(
  app: App,
  token: string | undefined,
  work: Work,
): Promise<Document<LivingProject> | undefined> {
  const security = await securitySettings(app, work)
  if (!security.allowsClientRegistration) throw refused(applicationRefusals, 'application.registration_disabled')
  const project = token === undefined ? undefined : await projectOfToken(app, token, work.origin.at, work)
  if (project === undefined && (token !== undefined || !security.allowsAnonymousClientRegistration)) {
    throw refused(applicationRefusals, 'application.registration_token_invalid')
  }
  const { registrationsPerHour: most = DEFAULT_REGISTRATIONS_PER_HOUR } = security
  await countRegistration(work, project?.owner ?? app.instanceId, most)
  return project
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
  registrationToken: string | undefined,
): Promise<Registration> {
  const clientId = newRegisteredId(app)
  const { text, hash } = clientManagementTokens.issue(clientId.slice(4))
  const { value } = await app.store.write(origin, async (work) => {
    const project = await requireAllowed(app, registrationToken, work)
    const command = { type: 'register', metadata, projectId: project?.id, hash, at: work.origin.at } as const
    return work.decide(registeredClients, clientId, command, project?.owner ?? app.instanceId)
  })
  return { client: value as Document<RegisteredClient>, token: text }
}

/** The registration that a token manages; undefined when there is none, or when the instance no longer allows clients to register. */
export async function registrationOfToken(app: App, clientId: string, token: string) {
  const parsed = clientManagementTokens.parse(token)
  const client = await registeredClient(app, clientId)
  const isOwn = parsed !== undefined && client !== undefined && `dcr-${parsed.tokenId}` === clientId
  if (!isOwn || !matchesHash(parsed.secret, client.state.secret.hash)) return undefined
  return (await securitySettings(app)).allowsClientRegistration ? client : undefined
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
