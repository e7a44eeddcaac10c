/**
 * The session of a browser: started with a password or a provider, continued with keys and codes, ended by signing out.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import { parseSessionToken } from '../../../crypto/tokens.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import { canUseKeysAt } from '../../passkeys/index.ts'
import {
  anonymousCaller,
  type ChallengesDraft,
  type ChangedSession,
  type ChecksDraft,
  createSession,
  endSession,
  findSessionOfToken,
  type OpenSession,
  type SessionUpdate,
  type UserAgent,
  updateSession,
} from '../../sessions/index.ts'
import type { ShownIntent } from '../../sign-in-intents/index.ts'
import type { SecondFactor } from '../authentication-level.ts'
import { type Asked, type Failure, failureOf, keyFailureOf, type Renewed, type Unavailable } from '../outcomes.ts'

/** The browser of a visitor. */
export interface Client {
  /** The requested host. */
  readonly host: string
  /** A description for its user. */
  readonly description: string
  /** The address that the request came from, if it is known. */
  readonly ip?: string
  /** The authorization request that it came with, for the record of a refused sign-in. */
  readonly requestId?: string | undefined
}

/** What a session keeps of the browser, for its user. */
export function userAgentOf({ description, ip }: Client): UserAgent {
  return { description, ...(ip !== undefined && { ip }) }
}

/** The proof of a user. */
export type Proof =
  | { readonly password: string }
  | { readonly credential: JsonObject }
  | { readonly factor: Exclude<SecondFactor, 'u2f'>; readonly code: string }

/** The result of a sign-in at a provider, in the browser that started it on one of the hosted pages. */
export type ExternalProof = Required<ShownIntent>

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

/** The domain for keys: the configured one, or that of the browser as long as none is configured. */
export function keyDomain({ config }: App, { host }: Client): string {
  return config.passkeyOrigins === undefined ? host : ''
}

/** Whether the browser can be asked for keys at the address that it uses. */
export function canUseKeys(app: App, { host }: Client): boolean {
  return canUseKeysAt(app, host)
}

/** Who writes what a page does, and when. */
export function originOf({ clock }: App, session?: Document<OpenSession>): Origin {
  const user = session?.state.user?.id
  return { actor: user === undefined ? 'visitor' : { user }, at: clock() }
}

function renewed({ session, token }: ChangedSession): Renewed {
  return { outcome: 'done', token, expiresAt: session.state.endsAt }
}

/** Does something that gives the session a new token. */
export async function attemptRenewal(act: () => Promise<ChangedSession>): Promise<Renewed | Failure> {
  try {
    return renewed(await act())
  } catch (error) {
    return failureOf(error)
  }
}

/** Updates the session of a token. */
async function updateByToken(
  app: App,
  token: string,
  change: Pick<SessionUpdate, 'checks' | 'challenges'>,
): Promise<ChangedSession> {
  const caller = anonymousCaller(originOf(app, await findSessionOfToken(app, token, app.clock())))
  const sessionId = parseSessionToken(token)?.tokenId ?? ''
  return updateSession(app, caller, { sessionId, token, ...change })
}

/** Starts a session with username and password, and ends the previous session of the browser. */
export async function signInWithPassword(
  app: App,
  given: (
    | { readonly userId: string }
    /** A login name, or an email address. */
    | { readonly userName: string }
  ) & {
    readonly password: string
    /** Whose user it is, where several organizations have users of that name. */
    readonly organizationId?: string | undefined
    readonly client: Client
    readonly before: string | undefined
  },
): Promise<Renewed | Failure> {
  const { password, organizationId, client, before } = given
  const signedIn = await attemptRenewal(() =>
    createSession(app, anonymousCaller(originOf(app)), {
      checks: {
        user: 'userId' in given ? { userId: given.userId } : { signInName: given.userName, organizationId },
        password,
      },
      userAgent: userAgentOf(client),
      requestId: client.requestId,
    }),
  )
  if (signedIn.outcome === 'done' && before !== undefined) await signOut(app, before)
  return signedIn
}

/**
 * Starts a session with a sign-in at a provider, which is used up. Continues a session of the same user, and ends that
 * of another one.
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
  const known = await findSessionOfToken(app, before, app.clock())
  if (before !== undefined && known?.state.user?.id === userId) {
    return attemptRenewal(() => updateByToken(app, before, { checks: { intent } }))
  }
  // The holder of the proof is this user, so the checks hide nothing. The outcome contains no reason anyway.
  const holder = { ...anonymousCaller(originOf(app)), mayKnow: () => true }
  const userAgent = userAgentOf(client)
  const signedIn = await attemptRenewal(() =>
    createSession(app, holder, { checks: { user: { userId }, intent }, userAgent, requestId: client.requestId }),
  )
  if (signedIn.outcome === 'done' && before !== undefined) await signOut(app, before)
  return signedIn
}

/** Asks for a key of the user of the session. `unavailable`: there is none, or keys cannot be used at this address. */
export async function askForKey(
  app: App,
  given: {
    readonly use: 'passkey' | 'second_factor'
    readonly token: string
    readonly client: Client
  },
): Promise<(Asked & Omit<Renewed, 'outcome'>) | Failure | Unavailable> {
  const { use, token, client } = given
  const userVerification = use === 'passkey' ? 'required' : 'preferred'
  const webAuthN = { domain: keyDomain(app, client), userVerification } as const
  try {
    const changed = await updateByToken(app, token, { challenges: { webAuthN } })
    const publicKey = (changed.challenges.webAuthN?.publicKey ?? {}) as JsonObject
    const { token: next, expiresAt } = renewed(changed)
    return { outcome: 'asked', publicKey, token: next, expiresAt }
  } catch (error) {
    return keyFailureOf(error)
  }
}

/** Shows a factor for the session. */
export function showFactor(app: App, token: string, proof: Proof): Promise<Renewed | Failure> {
  return attemptRenewal(() => updateByToken(app, token, { checks: checksOf(proof) }))
}

/** Sends a code to the user of the session. */
export function sendCode(app: App, token: string, factor: 'otp_email' | 'otp_sms'): Promise<Renewed | Failure> {
  const challenges: ChallengesDraft = factor === 'otp_sms' ? { otpSms: 'send' } : { otpEmail: {} }
  return attemptRenewal(() => updateByToken(app, token, { challenges }))
}

/** Ends the session. */
export async function signOut(app: App, token: string): Promise<void> {
  const session = await findSessionOfToken(app, token, app.clock())
  if (session !== undefined) await endSession(app, originOf(app, session), session.id)
}
