/**
 * What an event of the log says as a signal: the one table from our events to those of CAEP 1.0 and RISC 1.0. Nothing secret
 * is in it, and neither are names or addresses. Pure.
 */
import { actingUser } from '../../kernel/actor.ts'
import type { StoredEvent } from '../../store/index.ts'
import { type Factors, factorsAfter, proofsOf, type SessionEvent, strengthOf } from '../sessions/index.ts'

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/'
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/'
const SSF = 'https://schemas.openid.net/secevent/ssf/event-type/'

export const VERIFICATION = `${SSF}verification`

/** Whom a signal is about: a user; a session of a user; or the stream itself. */
export type About = 'user' | 'session' | 'stream'

type Claims = Readonly<Record<string, unknown>>

interface Source {
  readonly uri: string
  readonly about: About
  /** What the event says beyond its type; undefined: nothing that concerns receivers. `earlier` are those of its object. */
  claims?(event: StoredEvent, earlier: readonly StoredEvent[]): Claims | undefined
  /** The types of earlier events of the object that must be known. */
  readonly needs?: readonly string[]
}

type Data = Readonly<Record<string, unknown>>

function dataOf({ data }: StoredEvent): Data {
  return data as Data
}

const REGISTERED = ['passkey.registered.v1', 'passkey.imported.v1']
const CHECKS = [
  'session.password_checked.v1',
  'session.intent_checked.v1',
  'session.web_authn_checked.v1',
  'session.totp_checked.v1',
  'session.otp_sms_checked.v1',
  'session.otp_email_checked.v1',
  'session.recovery_code_checked.v1',
]
/** The level of NIST SP 800-63B that some checks amount to; 0: nothing that identifies a user. */
function levelOf(checks: readonly StoredEvent[]) {
  const factors = checks.reduce<Factors>((before, event) => factorsAfter(before, event as SessionEvent), {})
  return strengthOf(proofsOf(factors))
}

/** A change since the first sign-in of the session; the first one itself is none. */
function assuranceClaims(event: StoredEvent, earlier: readonly StoredEvent[]): Claims | undefined {
  const [before, after] = [levelOf(earlier), levelOf([...earlier, event])]
  if (before === 0 || before === after) return undefined
  return {
    namespace: 'NIST-AAL',
    current_level: `nist-aal${after}`,
    previous_level: `nist-aal${before}`,
    change_direction: 'increase',
  }
}

function keyClaims(registered: StoredEvent | undefined, change: 'create' | 'delete'): Claims | undefined {
  if (registered === undefined) return undefined
  const { transports, aaguid } = dataOf(registered)
  const isPlatform = Array.isArray(transports) && (transports.includes('internal') || transports.includes('hybrid'))
  return {
    credential_type: isPlatform ? 'fido2-platform' : 'fido2-roaming',
    change_type: change,
    ...(typeof aaguid === 'string' && aaguid !== '' && { fido2_aaguid: aaguid }),
  }
}

function credential(type: string, change: 'create' | 'update' | 'delete'): Source {
  const claims = { credential_type: type, change_type: change }
  return { uri: `${CAEP}credential-change`, about: 'user', claims: () => claims }
}

function sentCode(change: 'create' | 'delete'): Source {
  const claims = (event: StoredEvent) => ({
    credential_type: dataOf(event).medium === 'sms' ? 'phone-sms' : 'email',
    change_type: change,
  })
  return { uri: `${CAEP}credential-change`, about: 'user', claims }
}

function account(name: 'account-disabled' | 'account-enabled' | 'account-purged'): Source {
  return { uri: `${RISC}${name}`, about: 'user' }
}

const newKey: Source = {
  uri: `${CAEP}credential-change`,
  about: 'user',
  claims: (event) => keyClaims(event, 'create'),
}

const checked: Source = {
  uri: `${CAEP}assurance-level-change`,
  about: 'session',
  claims: assuranceClaims,
  needs: CHECKS,
}

const SOURCES: Readonly<Record<string, Source>> = {
  'session.ended.v1': { uri: `${CAEP}session-revoked`, about: 'session' },
  ...Object.fromEntries(CHECKS.map((type) => [type, checked])),
  'password.set.v1': {
    uri: `${CAEP}credential-change`,
    about: 'user',
    claims: ({ revision }) => ({ credential_type: 'password', change_type: revision === 1 ? 'create' : 'update' }),
  },
  'passkey.registered.v1': newKey,
  'passkey.imported.v1': newKey,
  'passkey.removed.v1': {
    uri: `${CAEP}credential-change`,
    about: 'user',
    claims: (_, [registered]) => keyClaims(registered, 'delete'),
    needs: REGISTERED,
  },
  'totp.verified.v1': credential('app', 'create'),
  'totp.imported.v1': credential('app', 'create'),
  'totp.removed.v1': credential('app', 'delete'),
  'otp.added.v1': sentCode('create'),
  'otp.removed.v1': sentCode('delete'),
  'recovery_codes.generated.v1': credential('recovery-codes', 'create'),
  'recovery_codes.removed.v1': credential('recovery-codes', 'delete'),
  'user.deactivated.v1': account('account-disabled'),
  'user.locked.v1': account('account-disabled'),
  'user.reactivated.v1': account('account-enabled'),
  'user.unlocked.v1': account('account-enabled'),
  'user.removed.v1': account('account-purged'),
  'signal_stream.verification_requested.v1': {
    uri: VERIFICATION,
    about: 'stream',
    claims(event) {
      const { state } = dataOf(event)
      return state === undefined ? {} : { state }
    },
  },
}

/** The URIs that a receiver can ask for. A verification is sent to whoever requests it. */
export const SUPPORTED: readonly string[] = [...new Set(Object.values(SOURCES).map(({ uri }) => uri))].filter(
  (uri) => uri !== VERIFICATION,
)

/** The types of our events that can become one of these. */
export function typesFor(uris: readonly string[]): readonly string[] {
  return Object.entries(SOURCES).flatMap(([type, { uri }]) => (uri === VERIFICATION || uris.includes(uri) ? type : []))
}

/** The earlier events that must be known to say what an event means. */
export function needsOf({ type }: StoredEvent): readonly string[] {
  return SOURCES[type]?.needs ?? []
}

/** What is known of an event beside itself. */
export interface Context {
  /** The user whom it concerns. */
  readonly userId: string
  readonly earlier: readonly StoredEvent[]
}

export interface Signal {
  readonly uri: string
  readonly about: About
  readonly claims: Claims
}

function initiator({ actor }: StoredEvent, userId: string): string {
  if (actor === 'server') return 'system'
  return actingUser(actor) === userId ? 'user' : 'admin'
}

/** What an event says as a signal; undefined: nothing. */
export function signalOf(event: StoredEvent, { userId, earlier }: Context): Signal | undefined {
  const source = SOURCES[event.type]
  const claims = source === undefined ? undefined : source.claims === undefined ? {} : source.claims(event, earlier)
  if (source === undefined || claims === undefined) return undefined
  const { uri, about } = source
  if (!uri.startsWith(CAEP)) return { uri, about, claims }
  const common = { event_timestamp: Math.floor(event.at / 1000), initiating_entity: initiator(event, userId) }
  return { uri, about, claims: { ...common, ...claims } }
}
