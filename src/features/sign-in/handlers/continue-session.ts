/** The session of a browser: begun with a password or a provider, continued with keys and codes, ended by signing out. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../../access/app.ts'
import { parseSessionToken } from '../../../crypto/tokens.ts'
import { VISITOR_ACTOR } from '../../../kernel/actor.ts'
import type { Document, Origin } from '../../../store/index.ts'
import {
  anonymousCaller,
  type ChallengesDraft,
  type ChangedSession,
  type ChecksDraft,
  createSession,
  endSession,
  type OpenSession,
  type SessionUpdate,
  updateSession,
} from '../../sessions/index.ts'
import { effectiveSettings } from '../../settings/index.ts'
import type { SecondFactor } from '../authentication-level.ts'
import { type Asked, type Failure, failureOf, keyFailureOf, type Renewed, type Unavailable } from '../outcomes.ts'
import { findOpenSession } from './find-person.ts'

/** The browser of a visitor. */
export interface Client {
  /** The host that it asked for. */
  readonly host: string
  /** A description for its owner. */
  readonly description: string
}

/** What a person shows. */
export type Proof =
  | { readonly password: string }
  | { readonly credential: JsonObject }
  | { readonly factor: Exclude<SecondFactor, 'u2f'>; readonly code: string }

/** What a browser brings back from a sign-in at a provider; only the browser that began holds the cookie that belongs to it. */
export interface ExternalProof {
  readonly intentId: string
  readonly token: string
}

/** How long a session lives in which a passkey of any user was asked for, until one is shown. */
const UNANSWERED_MS = 10 * 60_000

const CODE_CHECKS = {
  totp: 'totp',
  otp_email: 'otpEmail',
  otp_sms: 'otpSms',
  recovery_code: 'recoveryCode',
} as const satisfies Record<string, keyof ChecksDraft>

function checksOf(proof: Proof): ChecksDraft {
  if ('password' in proof) return { password: proof.password }
  return 'credential' in proof ? { webAuthN: proof.credential } : { [CODE_CHECKS[proof.factor]]: proof.code }
}

/** The domain on which keys are asked for: the configured one, or, while none is configured, that of the browser. */
export function keyDomain({ config }: App, { host }: Client): string {
  return config.passkeyOrigins === undefined ? host : ''
}

function originOf({ clock }: App, session?: Document<OpenSession>): Origin {
  return { actor: session?.state.user?.id ?? VISITOR_ACTOR, at: clock() }
}

function renewed({ session, token }: ChangedSession): Renewed {
  return { outcome: 'done', token, expiresAt: session.state.endsAt }
}

async function attemptRenewal(act: () => Promise<ChangedSession>): Promise<Renewed | Failure> {
  try {
    return renewed(await act())
  } catch (error) {
    return failureOf(error)
  }
}

/** Updates the session of a token. A lifetime is never chosen by the visitor: the pages set that of the settings. */
async function updateByToken(
  app: App,
  token: string,
  change: Omit<SessionUpdate, 'sessionId' | 'token'>,
): Promise<ChangedSession> {
  const caller = anonymousCaller(originOf(app, await findOpenSession(app, token, app.clock())))
  const sessionId = parseSessionToken(token)?.tokenId ?? ''
  const prolonging = { ...caller, mayWrite: () => true }
  return updateSession(app, change.lifetimeMs === undefined ? caller : prolonging, { sessionId, token, ...change })
}

/** Begins a session with user name and password; the session that the browser had ends. */
export async function signInWithPassword(
  app: App,
  given: {
    readonly userName: string
    readonly password: string
    /** Whose user it is, where several organizations have users of that name. */
    readonly organizationId?: string | undefined
    readonly client: Client
    readonly before: string | undefined
  },
): Promise<Renewed | Failure> {
  const { userName, password, organizationId, client, before } = given
  const signedIn = await attemptRenewal(() =>
    createSession(app, anonymousCaller(originOf(app)), {
      checks: { user: { loginName: userName, organizationId }, password },
      userAgent: { description: client.description },
    }),
  )
  if (signedIn.outcome === 'done' && before !== undefined) await signOut(app, before)
  return signedIn
}

/**
 * Begins a session with a sign-in at a provider, which is used up. A session of the same user is continued; another one
 * ends.
 */
export async function signInWithProvider(
  app: App,
  given: {
    readonly proof: ExternalProof
    readonly userId: string
    readonly client: Client
    readonly before: string | undefined
  },
): Promise<Renewed | Failure> {
  const { proof: intent, userId, client, before } = given
  const known = await findOpenSession(app, before, app.clock())
  if (before !== undefined && known?.state.user?.id === userId) {
    return attemptRenewal(() => updateByToken(app, before, { checks: { intent } }))
  }
  // The holder of the proof is this user, so nothing is hidden from the checks; the outcome tells no reason all the same.
  const holder = { ...anonymousCaller(originOf(app)), mayKnow: () => true }
  const userAgent = { description: client.description }
  const signedIn = await attemptRenewal(() =>
    createSession(app, holder, { checks: { user: { userId }, intent }, userAgent }),
  )
  if (signedIn.outcome === 'done' && before !== undefined) await signOut(app, before)
  return signedIn
}

/** Asks for a passkey before the user is known. */
async function askAnyUser(
  app: App,
  token: string | undefined,
  challenges: ChallengesDraft,
  client: Client,
): Promise<ChangedSession> {
  const known = await findOpenSession(app, token, app.clock())
  const lifetimeMs = UNANSWERED_MS
  // Reloading the page makes no second session.
  if (token !== undefined && known !== undefined && known.state.user === undefined) {
    return updateByToken(app, token, { challenges, lifetimeMs })
  }
  const userAgent = { description: client.description }
  return createSession(app, anonymousCaller(originOf(app)), { challenges, lifetimeMs, userAgent })
}

/**
 * Asks for a key: of the user of the session, or for a passkey of any user. `unavailable`: there is none, or keys cannot
 * be used at this address.
 */
export async function askForKey(
  app: App,
  given: {
    readonly use: 'passkey' | 'second_factor'
    readonly token: string | undefined
    readonly isOfAnyUser: boolean
    readonly client: Client
  },
): Promise<(Asked & Omit<Renewed, 'outcome'>) | Failure | Unavailable> {
  const { use, token, isOfAnyUser, client } = given
  const userVerification = use === 'passkey' ? 'required' : 'preferred'
  const webAuthN = { domain: keyDomain(app, client), userVerification } as const
  try {
    const changed = isOfAnyUser
      ? await askAnyUser(app, token, { webAuthN: { ...webAuthN, isForAnyUser: true } }, client)
      : await updateByToken(app, token ?? '', { challenges: { webAuthN } })
    const publicKey = (changed.challenges.webAuthN?.publicKey ?? {}) as JsonObject
    const { token: next, expiresAt } = renewed(changed)
    return { outcome: 'asked', publicKey, token: next, expiresAt }
  } catch (error) {
    return keyFailureOf(error)
  }
}

/** Gives a session the usual lifetime once a passkey has said who its user is. */
async function setUsualLifetime(app: App, changed: ChangedSession): Promise<ChangedSession> {
  const { hasOwnLifetime, user } = changed.session.state
  if (!hasOwnLifetime || user === undefined) return changed
  const { login } = await effectiveSettings(app, user.organizationId)
  return updateByToken(app, changed.token, { lifetimeMs: login.sessionLifetimeMs })
}

/** Shows a factor for the session. */
export function showFactor(app: App, token: string, proof: Proof): Promise<Renewed | Failure> {
  return attemptRenewal(async () => setUsualLifetime(app, await updateByToken(app, token, { checks: checksOf(proof) })))
}

/** Sends a code to the user of the session. */
export function sendCode(app: App, token: string, factor: 'otp_email' | 'otp_sms'): Promise<Renewed | Failure> {
  const challenges: ChallengesDraft = factor === 'otp_sms' ? { otpSms: 'send' } : { otpEmail: {} }
  return attemptRenewal(() => updateByToken(app, token, { challenges }))
}

/** Ends the session. */
export async function signOut(app: App, token: string): Promise<void> {
  const session = await findOpenSession(app, token, app.clock())
  if (session !== undefined) await endSession(app, originOf(app, session), session.id)
}
