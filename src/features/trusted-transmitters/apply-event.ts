/**
 * What a verified token does. It reaches users only by an account at the identity provider that the transmitter speaks for, and
 * only those over whom whoever trusts it has power: the users of the organization, or all of the instance.
 */
import { hashSecret, matchesHash } from '../../crypto/tokens.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document, Work } from '../../store/index.ts'
import { takeAssertionIn } from '../authorization-requests/index.ts'
import { findLinkedUser } from '../identity-links/index.ts'
import { findProviderOf } from '../identity-providers/index.ts'
import { homeGrantsOf, mayUsePath } from '../memberships/index.ts'
import { endSessionsOfUser } from '../sessions/index.ts'
import { organizationOfUser, setActive } from '../users/index.ts'
import type { LivingTransmitter } from './decider.ts'
import { findTransmitter, trustedTransmitters } from './documents.ts'
import { LONGEST_S, type VerifiedEvent, verifyEvent, WrongEvent } from './verify-event.ts'

const EFFECTS = {
  'https://schemas.openid.net/secevent/caep/event-type/session-revoked': 'session-revoked',
  'https://schemas.openid.net/secevent/risc/event-type/account-disabled': 'account-disabled',
} as const

type Json = Readonly<Record<string, unknown>>

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** The account that a subject names; the parts of a complex one beside the user are not known here. */
function accountOf(subject: unknown, issuer: string): string {
  const given = objectOf(subject)
  const { format, iss, sub } = given.format === 'complex' ? objectOf(given.user) : given
  if (format !== 'iss_sub' || typeof sub !== 'string' || sub === '' || sub.length > 500) {
    throw new WrongEvent('invalid_request', 'Its subject must name a user by iss_sub.')
  }
  if (iss !== issuer) throw new WrongEvent('invalid_request', 'Its subject is not of the issuer that is trusted.')
  return sub
}

/** The issuer of the accounts that a transmitter speaks for; undefined when the provider is gone, or no longer one of those. */
async function issuerOfAccounts(app: App, { owner, state }: Document<LivingTransmitter>): Promise<string | undefined> {
  const { connection } = (await findProviderOf(app, state.providerId, [owner]))?.state ?? {}
  return connection?.protocol === 'oidc' ? connection.issuer : undefined
}

/** The user of an account, if the transmitter may act on them. */
async function userFor(app: App, work: Work, { owner, state }: Document<LivingTransmitter>, externalUserId: string) {
  const userId = await findLinkedUser(app, { idpId: state.providerId, externalUserId }, work)
  const home = userId === undefined ? undefined : await organizationOfUser(app, userId)
  if (userId === undefined || home === undefined) return undefined
  if (owner !== app.instanceId && owner !== home) return undefined
  // Only owners trust transmitters, so each of them reaches as far as one.
  return (await mayUsePath(app, { owner }, userId)) ? userId : undefined
}

/** The sender can keep the event, and send it again later. */
function paused(): WrongEvent {
  return new WrongEvent('access_denied', 'An administrator has paused this transmitter.')
}

async function apply(app: App, transmitter: Document<LivingTransmitter>, event: VerifiedEvent, account: string) {
  const { id } = transmitter
  const { jti, iat, uri } = event
  const signal = EFFECTS[uri as keyof typeof EFFECTS]
  const seen = hashSecret(JSON.stringify(['signal', id, jti]))
  const until = instant((Math.ceil(iat) + LONGEST_S + 3_600) * 1000)
  await app.store.write({ actor: { transmitter: id }, at: app.clock() }, async (work) => {
    const current = await findTransmitter(work, id)
    if (current?.state.isPaused === true) throw paused()
    if (current === undefined || !(await takeAssertionIn(app, work, seen, until))) return
    const userId = await userFor(app, work, current, account)
    if (userId === undefined) return
    await endSessionsOfUser(app, work, userId, 'ended')
    let isDeactivated = false
    if (signal === 'account-disabled') {
      await app.lifecycle.whenUserLockedOut(app, work, userId)
      // Nobody outside locks out those who administer: they are signed out, and decide for themselves.
      const isAdministrator = (await homeGrantsOf(app, userId)).length > 0
      isDeactivated = current.state.whenDisabled === 'deactivate' && !isAdministrator
      if (isDeactivated) await setActive(app, work, userId, false)
    }
    await work.decide(trustedTransmitters, id, { type: 'note', applied: { jti, signal, userId, isDeactivated } })
  })
}

/** The transmitter that sends with this token; undefined when there is none. */
export async function findSender(
  app: App,
  id: string,
  token: string,
): Promise<Document<LivingTransmitter> | undefined> {
  const transmitter = await findTransmitter(app.store, id)
  return transmitter !== undefined && matchesHash(token, transmitter.state.secret.tokenHash) ? transmitter : undefined
}

/**
 * Takes a token of a transmitter; throws `WrongEvent`. One that came before, is about nobody here, or is of another type, has
 * no effect, and the sender does not learn which of these it is. One that is paused learns that, and can send it again.
 */
export async function takeEvent(app: App, transmitter: Document<LivingTransmitter>, text: string): Promise<void> {
  if (transmitter.state.isPaused === true) throw paused()
  const event = await verifyEvent(app, transmitter.state, text)
  if (!(event.uri in EFFECTS)) return
  const issuer = await issuerOfAccounts(app, transmitter)
  if (issuer === undefined) return
  await apply(app, transmitter, event, accountOf(event.subject, issuer))
}
