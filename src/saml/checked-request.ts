/** What all messages of service providers must be: of one that is known, for us, and recent. A request counts once. */
import { createHash } from 'node:crypto'
import { childOf, textOf, type XmlElement } from '../crypto/xml/parse.ts'
import { activeApplication, findApplicationsByEntityId, type SamlConfig } from '../features/applications/index.ts'
import { takeAssertion } from '../features/authorization-requests/index.ts'
import { providerOf } from '../features/saml/index.ts'
import { instant } from '../kernel/instant.ts'
import { ASSERTION, instantOfSaml, PROTOCOL, SAML } from '../kernel/saml-names.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import type { ReceivedMessage } from './binding.ts'

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
  const at = instantOfSaml(text)
  if (at === undefined) throw new BadMessage('A time in the message is not one.')
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

/** An application of the service provider; each organization can have one. */
interface Party {
  readonly applicationId: string
  readonly clientId: string
  readonly config: SamlConfig
}

async function partiesOf(app: App, entityId: string): Promise<readonly Party[]> {
  const known = entityId === '' ? [] : await findApplicationsByEntityId(app, entityId)
  const found = await Promise.all(known.map(({ id }) => activeApplication(app, id)))
  const parties = found.flatMap((one): readonly Party[] => {
    const config = one?.application.state.config
    if (one === undefined || config?.type !== 'saml') return []
    return [{ applicationId: one.application.id, clientId: one.application.state.clientId, config }]
  })
  if (parties.length === 0) throw new BadMessage('The issuer of the message is no application that can be used.')
  return parties
}

/** What succeeds for some of the applications; throws the error of the first one when it does for none. */
export async function forThoseThat<Given, Value>(
  all: readonly Given[],
  act: (one: Given) => Value | Promise<Value>,
): Promise<readonly Value[]> {
  const tried = await Promise.allSettled(all.map(async (one) => act(one)))
  const done = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = tried.find((one) => one.status === 'rejected')
  if (done.length === 0 && failed !== undefined) throw failed.reason
  return done
}

/** Throws for a message that was seen before. It cannot be seen again once it is too old. */
async function takeOnce(app: App, entityId: string, id: string): Promise<void> {
  const at = app.clock()
  const name = createHash('sha256').update(`saml\0${entityId}\0${id}`).digest('base64url')
  const until = instant(at + OLDEST_MS + AHEAD_MS)
  const isFirst = await takeAssertion(app, { actor: 'anonymous', at }, `saml-${name}`, until)
  if (!isFirst) throw new BadMessage('The message was used before. Start again at the application.')
}

export interface Expected {
  readonly name: 'AuthnRequest' | 'LogoutRequest'
  /** Our address that it must be for. */
  readonly destination: string
  /** Whether it counts only with a signature, whatever the metadata say. */
  readonly mustBeSigned: (config: SamlConfig) => boolean
  /** Counts it; false: there were too many from this address of the network. */
  mayStart(): boolean
}

/** What was signed, if the message is; throws unless it is of the issuer that it names. */
async function verifiedRoot(
  message: ReceivedMessage,
  { config, entityId }: { readonly config: SamlConfig; readonly entityId: string },
  mustBeSigned: boolean,
) {
  const verified = await message.verified(config)
  if (verified === undefined && mustBeSigned) throw new BadMessage('The message must be signed, and is not.')
  const root = verified ?? message.root
  // What is read from here on is what was signed, if it was.
  if (issuerOf(root) !== entityId) throw new BadMessage('The issuer of the message is another one.')
  return { root, isSigned: verified !== undefined }
}

/**
 * The request that a service provider sent, for each application that accepts it: there is one, unless several organizations
 * have the same service provider. Throws `BadMessage` or `XmlRefused`.
 */
export async function checkedRequests(
  app: App,
  message: ReceivedMessage,
  expected: Expected,
): Promise<readonly CheckedRequest[]> {
  const { name, destination, mustBeSigned, mayStart } = expected
  const entityId = issuerOf(message.root)
  const { relayState } = message
  const checked = await forThoseThat(await partiesOf(app, entityId), async (party): Promise<CheckedRequest> => {
    const { root, isSigned } = await verifiedRoot(message, { ...party, entityId }, mustBeSigned(party.config))
    return { root, id: checkRoot(root, name, destination, app.clock()), relayState, isSigned, ...party }
  })
  if (!mayStart()) throw new BadMessage('Too many requests. Try again in a minute.', 429)
  const id = checked[0]?.id ?? ''
  await takeOnce(app, entityId, id)
  return checked.filter((one) => one.id === id)
}

/** What a service provider answered. */
export interface CheckedResponse {
  readonly inResponseTo: string
  readonly isSuccess: boolean
}

/** Success with another code in it is not one: PartialLogout, for example. */
function isSuccess(root: XmlElement): boolean {
  const status = childOf(root, PROTOCOL, 'Status')
  const code = status && childOf(status, PROTOCOL, 'StatusCode')
  if (code === undefined) throw new BadMessage('The message has no status.')
  return attribute(code, 'Value') === `${SAML}:status:Success` && code.children.length === 0
}

/**
 * The answer of an application to a request of ours to log out: signed, if the metadata have keys. Throws `BadMessage` or
 * `XmlRefused`.
 */
export async function checkedLogoutResponse(
  app: App,
  message: ReceivedMessage,
  { applicationId, destination }: { readonly applicationId: string; readonly destination: string },
): Promise<CheckedResponse> {
  const found = await providerOf(app, applicationId)
  if (found === undefined) throw new BadMessage('The issuer of the message is no application that can be used.')
  const { config } = found
  const { entityId } = config
  const mustBeSigned = config.signingCertificates.length > 0
  const { root } = await verifiedRoot(message, { config, entityId }, mustBeSigned)
  checkRoot(root, 'LogoutResponse', destination, app.clock())
  return { inResponseTo: inResponseToOf(root), isSuccess: isSuccess(root) }
}

/** The request that a message answers. */
export function inResponseToOf(root: XmlElement): string {
  return attribute(root, 'InResponseTo') ?? ''
}
