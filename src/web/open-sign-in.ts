/** Signing in on the pages, made of what the room of sessions offers: the same checks as in the API, in the same order. */
import type { JsonObject } from '@bufbuild/protobuf'
import { FRESH_SIGN_IN_MILLISECONDS } from '../access/fresh-sign-in.ts'
import { parseSessionToken } from '../crypto/tokens.ts'
import { secondFactorsOf } from '../features/one-time-codes/index.ts'
import { organizationState } from '../features/organizations/index.ts'
import { keysOf } from '../features/passkeys/index.ts'
import { passwordFacts } from '../features/passwords/index.ts'
import {
  asksForSecondFactor,
  type ChallengesDraft,
  type ChangedSession,
  type ChecksDraft,
  createSession,
  endSessionNow,
  hasExpired,
  isTokenOf,
  noteExpired,
  type OpenSession,
  type SessionsNeeds,
  type SessionUpdate,
  type Standing,
  sessions,
  standingOf,
  stranger,
  updateSession,
} from '../features/sessions/index.ts'
import { effectiveSettings, type LoginSettings } from '../features/settings/index.ts'
import { isLiving, users } from '../features/users/index.ts'
import type { Clock } from '../kernel/instant.ts'
import type { Document, Origin } from '../store/index.ts'
import { failureOf, keyFailureOf } from './failures.ts'
import type { Client, Failure, Person, Proof, Renewed, SecondFactor, SignInPort, Step } from './sign-in-ports.ts'

/** Who stands on what happens before anybody is known. */
const VISITOR = 'visitor'

/** How long a session lives in which a passkey was asked of anybody and nobody has answered. */
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

/** On which domain keys are asked for: our own, or, while that is not set, the one that the browser is on. */
export function domainFor({ passkeys }: Pick<SessionsNeeds, 'passkeys'>, { host }: Client): string {
  return passkeys.relyingParty.origins === undefined ? host : ''
}

/** The second factors of a person that count in their organization. */
async function factorsOf(
  { store }: SessionsNeeds,
  userId: string,
  { factors }: OpenSession,
  login: LoginSettings,
): Promise<readonly SecondFactor[]> {
  const typed: readonly SecondFactor[] = await secondFactorsOf(store, userId)
  // A session remembers one key; beside a passkey that alone has signed in, another would take its place.
  const isFree = factors.webAuthN?.use !== 'passkey' || factors.password !== undefined
  const hasKey = isFree && (await keysOf(store, userId, 'second_factor')).length > 0
  const has: readonly SecondFactor[] = hasKey ? [...typed, 'u2f'] : typed
  return has.filter((factor) => login.secondFactors.includes(factor))
}

function stepOf(
  standing: Standing,
  login: LoginSettings,
  factors: readonly SecondFactor[],
  mustChangePassword: boolean,
): Step {
  if (!standing.hasSecondFactor) {
    const isAsked = asksForSecondFactor(login, standing)
    // Recovery codes stand in for another factor; alone they are none.
    if (factors.some((factor) => factor !== 'recovery_code')) return 'second_factor'
    if (isAsked) return factors.length > 0 ? 'second_factor' : 'set_up_second_factor'
  }
  return mustChangePassword ? 'change_password' : 'none'
}

export function openSignIn(needs: SessionsNeeds, clock: Clock): SignInPort {
  const { store, instanceId } = needs
  const originOf = (session?: Document<OpenSession>): Origin => ({
    actor: session?.state.user?.id ?? VISITOR,
    at: clock(),
  })
  const loginOf = async (organizationId: string): Promise<LoginSettings> =>
    (await effectiveSettings(store, organizationId, instanceId)).login

  /** The session of a token, while it lives and the token is its current one. */
  const findOpen = async (token: string | undefined): Promise<Document<OpenSession> | undefined> => {
    const parsed = token === undefined ? undefined : parseSessionToken(token)
    const session = parsed && (await store.get(sessions, parsed.tokenId))
    if (token === undefined || session?.state.status !== 'open' || !isTokenOf(session, token)) return undefined
    const at = clock()
    if (!hasExpired(session.state, at)) return session as Document<OpenSession>
    await noteExpired(store, session.id, session.state, at)
    return undefined
  }

  const renewed = ({ session, token }: ChangedSession): Renewed => ({
    outcome: 'done',
    token,
    expiresAt: session.state.endsAt,
  })

  /** A lifetime is never the visitor's wish: the pages set that of the settings, which may be longer than before. */
  const update = async (token: string, change: Omit<SessionUpdate, 'sessionId' | 'token'>): Promise<ChangedSession> => {
    const asker = stranger(originOf(await findOpen(token)))
    const sessionId = parseSessionToken(token)?.tokenId ?? ''
    const prolonging = { ...asker, mayWrite: () => true }
    return updateSession(needs, change.lifetimeMs === undefined ? asker : prolonging, { sessionId, token, ...change })
  }

  const signOut = async (token: string): Promise<void> => {
    const session = await findOpen(token)
    if (session !== undefined) await endSessionNow(store, stranger(originOf(session)), session.id)
  }

  const attempt = async (act: () => Promise<ChangedSession>): Promise<Renewed | Failure> => {
    try {
      return renewed(await act())
    } catch (error) {
      return failureOf(error)
    }
  }

  /** Somebody has answered what was asked of anybody: from here on the session lives as long as others. */
  const settle = async (changed: ChangedSession): Promise<ChangedSession> => {
    const { hasOwnLifetime, user } = changed.session.state
    if (!hasOwnLifetime || user === undefined) return changed
    const { sessionLifetimeMs: lifetimeMs } = await loginOf(user.organizationId)
    return update(changed.token, { lifetimeMs })
  }

  const askAnybody = async (token: string | undefined, challenges: ChallengesDraft, client: Client) => {
    const known = await findOpen(token)
    const lifetimeMs = UNANSWERED_MS
    // Reloading the page makes no second session.
    if (token !== undefined && known?.state.user === undefined && known !== undefined) {
      return update(token, { challenges, lifetimeMs })
    }
    const userAgent = { description: client.description }
    return createSession(needs, stranger(originOf()), { challenges, lifetimeMs, userAgent })
  }

  const describe = async (session: Document<OpenSession>): Promise<Person | undefined> => {
    const { user: checked, challenges, factors: shown } = session.state
    if (checked === undefined) return undefined
    const { id: userId, organizationId } = checked
    const at = clock()
    const [user, organization, login, facts, passkeys] = await Promise.all([
      store.get(users, userId),
      organizationState(store, organizationId),
      loginOf(organizationId),
      passwordFacts(store, [userId]),
      keysOf(store, userId, 'passkey'),
    ])
    const state = user?.state
    if (state === undefined || !isLiving(state) || state.type !== 'human' || organization !== 'active') return undefined
    if (state.status !== 'active' && state.status !== 'initial') return undefined
    const standing = standingOf(session.state, login, at)
    if (standing.authenticatedAt === undefined) return undefined
    const factors = await factorsOf(needs, userId, session.state, login)
    const password = facts.get(userId)
    const mustChange = password?.changeRequired === true && shown.password !== undefined
    const isOpen = (challenge: { readonly expiresAt: number } | undefined) =>
      challenge !== undefined && at < challenge.expiresAt
    const offered: readonly SecondFactor[] = ['totp', 'u2f']
    return {
      sessionId: session.id,
      userId,
      organizationId,
      userName: state.userName,
      displayName: state.profile.displayName,
      step: stepOf(standing, login, factors, mustChange),
      isFresh: at - standing.authenticatedAt <= FRESH_SIGN_IN_MILLISECONDS,
      factors,
      sent: [
        ...(isOpen(challenges.otpEmail) ? (['otp_email'] as const) : []),
        ...(isOpen(challenges.otpSms) ? (['otp_sms'] as const) : []),
      ],
      offered: offered.filter((factor) => login.secondFactors.includes(factor)),
      hasPassword: password !== undefined,
      provesWith: [
        ...(password !== undefined && login.allowsPassword ? (['password'] as const) : []),
        ...(passkeys.length > 0 && login.allowsPasskeys ? (['passkey'] as const) : []),
      ],
      redirectUri: login.defaultRedirectUri,
    }
  }

  return {
    async rules(organizationId) {
      const { allowsPassword, allowsPasskeys, hidesPasswordReset } = await loginOf(organizationId ?? instanceId)
      return { allowsPassword, allowsPasskeys, hidesPasswordReset }
    },

    async find(token) {
      const session = await findOpen(token)
      return session && describe(session)
    },

    async signIn({ userName, password, client, before }) {
      const signed = await attempt(() =>
        createSession(needs, stranger(originOf()), {
          checks: { user: { loginName: userName }, password },
          userAgent: { description: client.description },
        }),
      )
      if (signed.outcome === 'done' && before !== undefined) await signOut(before)
      return signed
    },

    async signInElsewhere({ proof: intent, userId, client, before }) {
      const known = await findOpen(before)
      if (before !== undefined && known?.state.user?.id === userId) {
        return attempt(() => update(before, { checks: { intent } }))
      }
      // Whoever holds the proof is the person it is about; what is wrong with them is told to nobody all the same.
      const holder = { ...stranger(originOf()), mayKnow: () => true }
      const userAgent = { description: client.description }
      const signed = await attempt(() =>
        createSession(needs, holder, { checks: { user: { userId }, intent }, userAgent }),
      )
      if (signed.outcome === 'done' && before !== undefined) await signOut(before)
      return signed
    },

    async askForKey({ use, token, isOfAnybody, client }) {
      const userVerification = use === 'passkey' ? 'required' : 'preferred'
      const webAuthN = { domain: domainFor(needs, client), userVerification } as const
      try {
        const changed = isOfAnybody
          ? await askAnybody(token, { webAuthN: { ...webAuthN, isForAnybody: true } }, client)
          : await update(token ?? '', { challenges: { webAuthN } })
        const publicKey = (changed.challenges.webAuthN?.publicKey ?? {}) as JsonObject
        const { token: next, expiresAt } = renewed(changed)
        return { outcome: 'asked', publicKey, token: next, expiresAt }
      } catch (error) {
        return keyFailureOf(error)
      }
    },

    show: (token, proof) => attempt(async () => settle(await update(token, { checks: checksOf(proof) }))),
    send: (token, factor) =>
      attempt(() => update(token, { challenges: factor === 'otp_sms' ? { otpSms: 'send' } : { otpEmail: {} } })),
    signOut,
  }
}
