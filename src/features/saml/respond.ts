/**
 * Answers the requests of service providers. A response opens a grant as a code does: with the same rules for who may use
 * the application, the same record, and the session that it ends with.
 */
import { randomUUID } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { signedQuery } from '../../crypto/xml/sign.ts'
import type { Instant } from '../../kernel/instant.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../store/index.ts'
import { activeApplication, findApplicationsByEntityId, type SamlConfig } from '../applications/index.ts'
import {
  ACR,
  approvedGrant,
  authorizationRequestRefusals,
  finishSamlRequest,
  isFreshEnough,
  type StartedSamlRequest,
} from '../authorization-requests/index.ts'
import { runFunctionFor, samlFunctionMembers } from '../executions/index.ts'
import { type NewGrant, openGrant } from '../grants/index.ts'
import { findOpenSession } from '../sessions/index.ts'
import { type Told, toldTo } from '../statements/index.ts'
import { activePerson, type LivingUser } from '../users/index.ts'
import { attributesFor, nameIdFor, withAdded } from './attributes.ts'
import { samlSigning } from './keys.ts'
import { classFor, factorsFor, type SamlStatus, samlAddresses } from './names.ts'
import { failureResponse, type NameId, type ResponseFrame, successResponse } from './write-response.ts'

/** A message for the service provider: a form that the browser sends, or an address that it goes to. */
export type SamlDelivery =
  | { readonly binding: 'post'; readonly url: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly binding: 'redirect'; readonly url: string }

interface Message {
  readonly name: 'SAMLResponse' | 'SAMLRequest'
  readonly xml: string
  readonly url: string
  readonly binding: 'post' | 'redirect'
  readonly relayState?: string | undefined
}

/** How a message reaches a service provider. In an address, it is signed there (SAML 2.0 Bindings §3.4). */
export async function deliver(app: App, { name, xml, url, binding, relayState }: Message): Promise<SamlDelivery> {
  const relay = relayState === undefined ? {} : { RelayState: relayState }
  if (binding === 'post') {
    return { binding, url, fields: { [name]: Buffer.from(xml).toString('base64'), ...relay } }
  }
  const message = [name, deflateRawSync(Buffer.from(xml)).toString('base64')] as const
  const query = signedQuery([message, ...Object.entries(relay)], await samlSigning(app))
  return { binding, url: `${url}${url.includes('?') ? '&' : '?'}${query}` }
}

/** The application of a request, with its configuration; undefined when it cannot be used now. */
export async function providerOf(app: App, applicationId: string) {
  const found = await activeApplication(app, applicationId)
  const config = found?.application.state.config
  return found === undefined || config?.type !== 'saml' ? undefined : { ...found, config }
}

function frameOf(app: App, { responseUrl, inResponseTo }: StartedSamlRequest, at: Instant): ResponseFrame {
  return { issuer: samlAddresses(app.externalUrl).entityId, destination: responseUrl, inResponseTo, at }
}

const AES_256 = 'aes256-gcm' as const

/** What an authorization request would say: which levels of authentication count. */
function askedOf({ clientId, classes }: StartedSamlRequest) {
  const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [ACR.multi] } } })
  return { clientId, scope: '', ...(factorsFor(classes) === 2 && { claims }) }
}

/**
 * What a service provider is told. Its entity ID is the audience of assertions, so organizations that had it before listen, too:
 * what they have not heard from the user's own mailbox or domain is not said to them.
 */
async function toldAt(app: App, user: Document<LivingUser>, config: SamlConfig, projectId: string): Promise<Told> {
  const all = await findApplicationsByEntityId(app, config.entityId)
  const own = all.findIndex(({ state }) => state.projectId === projectId)
  const before = all.slice(0, Math.max(0, own)).map(({ state }) => state.projectId)
  return toldTo(app, user, { projectIds: [...before, projectId] })
}

/** What the service provider will call the user; throws when the user has no such name. */
async function nameFor(
  app: App,
  reader: Reader,
  { userId, organizationId, projectId }: Pick<NewGrant, 'userId' | 'organizationId' | 'projectId'>,
  { nameIdFormat }: StartedSamlRequest,
  config: SamlConfig,
): Promise<NameId> {
  const person = await activePerson(reader, userId, organizationId)
  if (person === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.user_not_active')
  const told = await toldAt(app, person.user, config, projectId)
  return nameIdFor(told, nameIdFormat, config, `_${randomUUID()}`)
}

/** Opens the grant and ends the request in one write; throws when the user may not use the application. */
async function approve(
  app: App,
  work: Work,
  request: Document<StartedSamlRequest>,
  config: SamlConfig,
  { sessionId, grantId }: { readonly sessionId: string; readonly grantId: string },
) {
  const { state } = request
  const { at } = work.origin
  await finishSamlRequest(work, request.id, 'answered')
  const approved = await approvedGrant(app, work, askedOf(state), sessionId, at)
  const subject = { ...approved, serviceProviderName: await nameFor(app, work, approved, state, config) }
  const asked = { isForced: state.isForced === true, since: state.flowStartedAt }
  if (!isFreshEnough(subject.authenticatedAt, asked, at)) {
    throw refused(authorizationRequestRefusals, 'authorization_request.sign_in_too_old')
  }
  await openGrant(app, work, grantId, subject)
  const session = await findOpenSession(work, sessionId, at, subject.userId)
  return { subject, endsAt: session?.state.endsAt ?? at }
}

interface Approved {
  readonly subject: NewGrant & { readonly serviceProviderName: NameId }
  readonly endsAt: number
}

/** The attributes of the mapping, and those of the targets of `presamlresponse`. */
async function allAttributes(app: App, user: Document<LivingUser>, config: SamlConfig, projectId: string) {
  const told = await toldAt(app, user, config, projectId)
  const attributes = await attributesFor(app, user, config, { projectId, told })
  const members = () => samlFunctionMembers(app, user, projectId)
  const outcome = await runFunctionFor(app, 'presamlresponse', { user, projectId }, members)
  return outcome === undefined ? attributes : withAdded(attributes, outcome.answer)
}

async function responseFor(
  app: App,
  state: StartedSamlRequest,
  config: SamlConfig,
  { subject, endsAt, grantId }: Approved & { readonly grantId: string },
): Promise<string> {
  const at = app.clock()
  const person = await activePerson(app.store, subject.userId, subject.organizationId)
  if (person === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.user_not_active')
  const said = {
    nameId: subject.serviceProviderName,
    audience: config.entityId,
    sessionIndex: grantId,
    authenticatedAt: subject.authenticatedAt,
    sessionEndsAt: endsAt,
    contextClass: classFor(state.classes, { amr: subject.amr, hasTwo: subject.acr === ACR.multi }),
    attributes: await allAttributes(app, person.user, config, subject.projectId),
  }
  const { encryptionCertificate: certificate, encryptionCipher } = config
  const encryption = certificate === undefined ? undefined : { certificate, cipher: encryptionCipher ?? AES_256 }
  const isPost = state.binding === 'post'
  return successResponse(said, frameOf(app, state, at), { key: await samlSigning(app), encryption, isPost })
}

/** Answers a request with an assertion about the user of a session. Throws when the user may not use the application. */
export async function respondWithSession(
  app: App,
  origin: Origin,
  request: Document<StartedSamlRequest>,
  sessionId: string,
  /** What a caller must have shown in the same write. */
  requireShown?: (work: Work) => Promise<void>,
): Promise<SamlDelivery> {
  const { state } = request
  const found = await providerOf(app, state.applicationId)
  if (found === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.not_found')
  const grantId = app.newId()
  const message = { name: 'SAMLResponse', url: state.responseUrl, ...pick(state) } as const
  let value: Approved
  try {
    const written = await app.store.write(origin, async (work) => {
      await requireShown?.(work)
      return approve(app, work, request, found.config, { sessionId, grantId })
    })
    value = written.value
  } catch (error) {
    // Who showed the session is answered: no sign-in changes what the user is called.
    if (!(error instanceof Refused) || error.code !== 'saml.name_unavailable') throw error
    return respondWithStatus(app, origin, request, statusOf(error), error.message)
  }
  try {
    return await deliver(app, { ...message, xml: await responseFor(app, state, found.config, { ...value, grantId }) })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return deliver(app, { ...message, xml: await failure(app, state, statusOf(error), error.message) })
  }
}

function pick({ binding, secret }: StartedSamlRequest) {
  return { binding, ...secret }
}

async function failure(app: App, state: StartedSamlRequest, status: SamlStatus, description: string | undefined) {
  const frame = frameOf(app, state, app.clock())
  return failureResponse(status, description, frame, { key: await samlSigning(app), isPost: state.binding === 'post' })
}

/** Answers a request with a status that says why there is no assertion. */
export async function respondWithStatus(
  app: App,
  origin: Origin,
  request: Document<StartedSamlRequest>,
  status: SamlStatus,
  description?: string,
): Promise<SamlDelivery> {
  await app.store.write(origin, (work) => finishSamlRequest(work, request.id, 'failed'))
  const { state } = request
  const xml = await failure(app, state, status, description)
  return deliver(app, { name: 'SAMLResponse', xml, url: state.responseUrl, ...pick(state) })
}

/** What a service provider is told about a refusal. */
export function statusOf({ code }: Refused): SamlStatus {
  switch (code) {
    case 'authorization_request.acr_unmet':
      return 'NoAuthnContext'
    case 'saml.name_unavailable':
      return 'InvalidNameIDPolicy'
    case 'authorization_request.no_access':
    case 'authorization_request.wrong_organization':
    case 'execution.target_failed':
      return 'RequestDenied'
    default:
      return 'AuthnFailed'
  }
}
