/**
 * Clients register themselves (RFC 7591), and manage that (RFC 7592). With a token of a project they are for that project;
 * without one, where the instance allows it, for all that allow such clients.
 */

import { clientManagementTokens, matchesHash } from '../../../crypto/tokens.ts'
import { instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Reader } from '../../../store/index.ts'
import { activeProject } from '../../projects/index.ts'
import { DEFAULT_REGISTRATIONS_PER_HOUR, securitySettings } from '../../settings/index.ts'
import { signJwt, verifyOwnJwt } from '../../web-keys/index.ts'
import type { ClientMetadata } from '../agents/client-metadata.ts'
import {
  newRegisteredId,
  type RegisteredClient,
  registeredClient,
  registeredClients,
} from '../agents/registered-clients.ts'
import { applicationRefusals } from '../refusals.ts'

const HOUR_MS = 3_600_000
/** How long a registration token counts. */
const TOKEN_LIFETIME_MS = 24 * HOUR_MS
/** The claim that only registration tokens have, with the project. */
const PROJECT_CLAIM = 'registration_project'

/** The audience of registration tokens: a name for the endpoint that no other token has. */
function audienceOf({ externalUrl }: App): string {
  return `${externalUrl}/oauth/v2/register`
}

/**
 * A token with which clients register for a project. It is signed and not stored; it ends after a day, or when the project
 * no longer allows clients to register.
 */
export async function newRegistrationToken(app: App, projectId: string) {
  const at = app.clock()
  const expiresAt = instant(at + TOKEN_LIFETIME_MS)
  const claims = {
    iss: app.externalUrl,
    aud: audienceOf(app),
    iat: Math.floor(at / 1000),
    exp: Math.floor(expiresAt / 1000),
    jti: app.newId(),
    [PROJECT_CLAIM]: projectId,
  }
  return { token: await signJwt(app, claims, { typ: 'registration+jwt' }), expiresAt }
}

/** The project of a registration token; undefined when it does not count. */
async function projectOfToken(app: App, token: string): Promise<string | undefined> {
  const claims = await verifyOwnJwt(app, token)
  const projectId = claims?.[PROJECT_CLAIM]
  const isValid = claims?.aud === audienceOf(app) && typeof claims.exp === 'number' && claims.exp * 1000 > app.clock()
  return isValid && typeof projectId === 'string' ? projectId : undefined
}

/** Throws unless clients can register now, with or without a token; answers the project that they register for. */
async function requireAllowed(app: App, token: string | undefined, reader: Reader): Promise<string | undefined> {
  const security = await securitySettings(app, reader)
  if (!security.allowsClientRegistration) throw refused(applicationRefusals, 'application.registration_disabled')
  if (token === undefined) {
    if (security.allowsAnonymousClientRegistration) return undefined
    throw refused(applicationRefusals, 'application.registration_token_invalid')
  }
  const projectId = await projectOfToken(app, token)
  const project = projectId === undefined ? undefined : await activeProject(app, projectId, reader)
  if (project?.state.allowsRegisteredClients !== true) {
    throw refused(applicationRefusals, 'application.registration_token_invalid')
  }
  return project.id
}

/** Throws when as many clients registered in the last hour as the instance allows. */
async function requireWithinRate(app: App): Promise<void> {
  const { registrationsPerHour: most = DEFAULT_REGISTRATIONS_PER_HOUR } = await securitySettings(app)
  const where = { field: 'registeredAt', above: app.clock() - HOUR_MS } as const
  const recent = await app.store.findIds(registeredClients, where, most)
  if (recent.length >= most) throw refused(applicationRefusals, 'application.too_many_registrations')
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
  await requireWithinRate(app)
  const clientId = newRegisteredId(app)
  const { text, hash } = clientManagementTokens.issue(clientId.slice(4))
  const { value } = await app.store.write(origin, async (work) => {
    const projectId = await requireAllowed(app, registrationToken, work)
    const command = { type: 'register', metadata, projectId, hash, at: work.origin.at } as const
    return work.decide(registeredClients, clientId, command, app.instanceId)
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
