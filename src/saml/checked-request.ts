/** What all requests of service providers must be: of one that is known, for us, recent, and not seen before. */
import { createHash } from 'node:crypto'
import { childOf, textOf, type XmlElement } from '../crypto/xml/parse.ts'
import { activeApplication, findApplicationByEntityId, type SamlConfig } from '../features/applications/index.ts'
import { takeAssertion } from '../features/authorization-requests/index.ts'
import { ASSERTION, PROTOCOL } from '../features/saml/index.ts'
import type { PageRequest } from '../http/page.ts'
import { ANONYMOUS_ACTOR } from '../kernel/actor.ts'
import { instant } from '../kernel/instant.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import { type ReceivedMessage, receive } from './binding.ts'

/** How old a request may be, and how far the clock of its sender may be ahead. */
const OLDEST_MS = 600_000
const AHEAD_MS = 180_000

/** A request whose sender is known, as far as it signs. */
export interface CheckedRequest {
  readonly root: XmlElement
  readonly id: string
  readonly relayState: string | undefined
  readonly isSigned: boolean
  readonly applicationId: string
  readonly clientId: string
  readonly config: SamlConfig
}

function attribute(root: XmlElement, name: string): string | undefined {
  return root.attributes.get(name)
}

function issuerOf(root: XmlElement): string {
  const issuer = childOf(root, ASSERTION, 'Issuer')
  return issuer === undefined ? '' : textOf(issuer)
}

/** An instant of XML Schema, in UTC. */
export function timeOf(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const at = isTime ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new BadMessage('A time in the message is not one.')
  return at
}

function checkRoot(root: XmlElement, name: string, destination: string, at: number): string {
  if (root.namespace !== PROTOCOL || root.name !== name) throw new BadMessage(`The message is no ${name}.`)
  if (attribute(root, 'Version') !== '2.0') throw new BadMessage('The message is not one of SAML 2.0.')
  const id = attribute(root, 'ID') ?? ''
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id)) throw new BadMessage('The message has no usable ID.')
  const sentTo = attribute(root, 'Destination')
  if (sentTo !== undefined && sentTo !== destination) throw new BadMessage('The message is for another destination.')
  const issuedAt = timeOf(attribute(root, 'IssueInstant') ?? '')
  if (issuedAt < at - OLDEST_MS || issuedAt > at + AHEAD_MS) {
    throw new BadMessage('The message is too old, or the clock of the service provider is wrong.')
  }
  return id
}

async function configOf(app: App, entityId: string) {
  const known = entityId === '' ? undefined : await findApplicationByEntityId(app, entityId)
  const found = known && (await activeApplication(app, known.id))
  const config = found?.application.state.config
  if (found === undefined || config?.type !== 'saml') {
    throw new BadMessage('The issuer of the message is no application that can be used.')
  }
  return { applicationId: found.application.id, clientId: found.application.state.clientId, config }
}

/** Throws for a message that was seen before. It cannot be seen again once it is too old. */
async function takeOnce(app: App, entityId: string, id: string): Promise<void> {
  const at = app.clock()
  const name = createHash('sha256').update(`saml\0${entityId}\0${id}`).digest('base64url')
  const until = instant(at + OLDEST_MS + AHEAD_MS)
  const isFirst = await takeAssertion(app, { actor: ANONYMOUS_ACTOR, at }, `saml-${name}`, until)
  if (!isFirst) throw new BadMessage('The message was used before. Start again at the application.')
}

export interface Expected {
  readonly name: 'AuthnRequest' | 'LogoutRequest'
  /** Our address that it must be for. */
  readonly destination: string
  /** Whether it counts only with a signature, whatever the metadata say. */
  readonly mustBeSigned: (config: SamlConfig) => boolean
  mayStartFrom(address: string): boolean
}

async function verifiedRoot(message: ReceivedMessage, config: SamlConfig, mustBeSigned: boolean) {
  const verified = await message.verified(config)
  if (verified === undefined && mustBeSigned) throw new BadMessage('The message must be signed, and is not.')
  return { root: verified ?? message.root, isSigned: verified !== undefined }
}

/** The request that a service provider sent. Throws `BadMessage` or `XmlRefused`. */
export async function checkedRequest(app: App, request: PageRequest, expected: Expected): Promise<CheckedRequest> {
  const { name, destination, mustBeSigned, mayStartFrom } = expected
  const message = await receive(request, 'SAMLRequest')
  const entityId = issuerOf(message.root)
  const { config, ...application } = await configOf(app, entityId)
  const { root, isSigned } = await verifiedRoot(message, config, mustBeSigned(config))
  // What is read from here on is what was signed, if it was.
  if (issuerOf(root) !== entityId) throw new BadMessage('The issuer of the message is another one.')
  const id = checkRoot(root, name, destination, app.clock())
  if (!mayStartFrom(request.client)) throw new BadMessage('Too many requests. Try again in a minute.', 429)
  await takeOnce(app, entityId, id)
  return { root, id, relayState: message.relayState, isSigned, config, ...application }
}
