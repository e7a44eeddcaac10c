/** Dynamic client registration (RFC 7591) and its management (RFC 7592). */

import { accessRefusals } from '../access/refusals.ts'
import type { Permission } from '../access/role-permissions.ts'
import { holdsIn } from '../access/roles.ts'
import {
  type ClientMetadata,
  changeRegistration,
  endRegistration,
  isProblem,
  keysAsRegistered,
  type RegisteredClient,
  type Registrar,
  readMetadata,
  registerClient,
  registrationOfToken,
  requireRegistrationOpen,
} from '../features/applications/index.ts'
import { identifyBearer } from '../features/sign-in/index.ts'
import { sourceOf } from '../http/client-address.ts'
import { type PageAnswer, type PageRequest, UnreadableForm } from '../http/page.ts'
import { Refused, refused } from '../kernel/refusal.ts'
import type { App } from '../module/app.ts'
import { type Document, isStorableText } from '../store/index.ts'
import { bearerError, jsonAnswer, OAuthError, tooManyRequests } from './answers.ts'
import { originOf } from './origin.ts'
import { ROUTES } from './routes.ts'
import { seconds } from './tokens.ts'

function tokenOf(request: PageRequest): string | undefined {
  const header = request.header('authorization')
  return header === undefined ? undefined : (/^bearer +([^\s]+)$/i.exec(header)?.[1] ?? '')
}

const UNREADABLE = {
  400: 'The body is not JSON.',
  413: 'The body is too long.',
  415: 'The body must be of the type application/json.',
} as const

/** The body of a request; what is wrong with it is an error of the metadata. */
async function jsonOf(request: PageRequest): Promise<unknown> {
  try {
    return await request.readJson()
  } catch (error) {
    if (!(error instanceof UnreadableForm)) throw error
    throw new OAuthError('invalid_client_metadata', UNREADABLE[error.status], error.status)
  }
}

/** The metadata of a request; throws what is wrong with them (RFC 7591 §3.2.2). */
async function metadataIn(request: PageRequest): Promise<readonly [ClientMetadata, Readonly<Record<string, unknown>>]> {
  const given = await jsonOf(request)
  const read = readMetadata(given)
  if (isProblem(read)) throw new OAuthError(read.error, `The metadata are not valid: ${read.description}.`)
  if (!isStorableText(JSON.stringify(read))) throw new OAuthError('invalid_client_metadata', 'A text cannot be stored.')
  return [read, given as Readonly<Record<string, unknown>>]
}

/** What is registered about a client (RFC 7591 §3.2.1). */
function informationOf({ externalUrl }: App, { id, state }: Document<RegisteredClient>, token: string) {
  const { metadata, registeredAt } = state
  return {
    client_id: id,
    client_id_issued_at: seconds(registeredAt),
    ...(metadata.givenName !== '' && { client_name: metadata.givenName }),
    redirect_uris: metadata.redirectUris,
    grant_types: metadata.hasRefreshToken ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: metadata.keys === undefined ? 'none' : 'private_key_jwt',
    ...(metadata.keys !== undefined && keysAsRegistered(metadata.keys)),
    application_type: metadata.applicationType === 'native' ? 'native' : 'web',
    registration_access_token: token,
    registration_client_uri: `${externalUrl}${ROUTES.registration}/${id}`,
  }
}

/** The answer for what the module refuses; everything else is thrown. */
function refusalAnswer(error: unknown): PageAnswer {
  if (!(error instanceof Refused)) throw error
  switch (error.code) {
    // Discovery does not name the endpoint then: it is not there.
    case 'application.registration_disabled':
      return jsonAnswer({ error: 'not_found', error_description: error.message }, 404)
    case 'application.registration_token_invalid':
      return bearerError('invalid_token', error.message)
    case 'application.too_many_registrations':
    case 'store.limit_reached':
      throw new OAuthError('temporarily_unavailable', error.message, 429, { headers: { 'retry-after': '3600' } })
    default:
      // What a token of a user is not enough for (RFC 6750 §3.1).
      if (error.code.startsWith('access.')) return bearerError('insufficient_scope', error.message, 403)
      throw error
  }
}

const REGISTER = 'project.app.register_dynamic' satisfies Permission

/** Who lets a client in that shows this token: one of a project, or of a user who may register clients. */
async function registrarOf(app: App, request: PageRequest, token: string): Promise<Registrar> {
  const caller = await identifyBearer(app, token, app.clock(), { origin: request.header('origin') })
  if (caller === undefined) return { token }
  const { organizationId, grants } = caller
  if (!holdsIn(grants, REGISTER, organizationId)) throw refused(accessRefusals, 'access.forbidden')
  return { organizationId }
}

/** Runs an endpoint; refusals become the answers that clients expect. It is not there unless the instance lets clients register. */
async function answering(app: App, act: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    await requireRegistrationOpen(app)
    return await act()
  } catch (error) {
    return refusalAnswer(error)
  }
}

/** Registers a client. `mayStart` counts those who come without a token. */
export function answerRegistration(app: App, request: PageRequest, mayStart: () => boolean): Promise<PageAnswer> {
  return answering(app, async () => {
    const token = tokenOf(request)
    if (token === undefined && !mayStart()) throw tooManyRequests()
    const [metadata] = await metadataIn(request)
    const registrar =
      token === undefined ? { source: sourceOf(request.client) } : await registrarOf(app, request, token)
    const { client, token: management } = await registerClient(app, originOf(app), metadata, registrar)
    return jsonAnswer(informationOf(app, client, management), 201)
  })
}

/** Shows, changes or ends a registration. */
export function answerManagement(app: App, request: PageRequest): Promise<PageAnswer> {
  return answering(app, async () => {
    const clientId = request.path.slice(ROUTES.registration.length + 1)
    const token = tokenOf(request) ?? ''
    const client = await registrationOfToken(app, clientId, token)
    if (client === undefined) return bearerError('invalid_token', 'The registration access token is not valid.')
    if (request.method === 'DELETE') {
      await endRegistration(app, originOf(app), clientId)
      return { ...jsonAnswer({}, 204), body: '' }
    }
    if (request.method !== 'PUT') return jsonAnswer(informationOf(app, client, token))
    const [metadata, given] = await metadataIn(request)
    if (given.client_id !== clientId) {
      throw new OAuthError('invalid_client_metadata', 'The metadata are not valid: client_id is another one.')
    }
    return jsonAnswer(informationOf(app, await changeRegistration(app, originOf(app), clientId, metadata), token))
  })
}
