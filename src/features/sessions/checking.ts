/**
 * Gathers the evidence for the checks of a request, in their order, inside the work that will decide about it; the first
 * failure ends it. The work may run again after a conflict: what is slow or counts is done once.
 */
import { accessRefusals } from '../../access/refusals.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Work } from '../../store/index.ts'
import { checkOtp, checkTotp, useRecoveryCode } from '../one-time-codes/index.ts'
import { type VerifiedAssertion, verifyAssertion } from '../passkeys/index.ts'
import type { ConfirmPassword } from '../passwords/index.ts'
import { userRefusals } from '../users/index.ts'
import type { Check } from './decider.ts'
import type { ChecksDraft } from './drafts.ts'
import type { FailingCheck } from './events.ts'
import type { Asker, SessionsNeeds } from './needs.ts'
import { asksAnybody, type CheckName, objectionToCheck, objectionToPerson, type Person } from './objections.ts'
import { findPerson, readPerson } from './people.ts'
import { type SessionRefusal, sessionRefusals } from './refusals.ts'
import type { OpenSession } from './state.ts'

/** What is gathered once for a request, however often its work runs. */
export interface Evidence {
  password?: { readonly userId: string; readonly confirm: Promise<ConfirmPassword> }
  assertion?: { readonly challenge: string; readonly verified: Promise<VerifiedAssertion> }
  /** A check that failed and that the session has to remember. */
  failed?: FailingCheck
}

export interface Gathered {
  readonly person: Person | undefined
  readonly checks: readonly Check[]
}

export interface Gathering {
  readonly asker: Asker
  /** Asked as soon as it is known whom the user check is about, before anything is said about them. */
  authorize(owner: string): void
  readonly sessionId: string
  /** The session as it is, or as a new one will be before its checks. */
  readonly session: OpenSession
  readonly draft: ChecksDraft
  readonly evidence: Evidence
}

function object(objection: SessionRefusal | undefined): void {
  if (objection !== undefined) throw refused(sessionRefusals, objection)
}

/** Refusals that say something about the user; what is left says that somebody should come back later. */
const TELLING: ReadonlySet<string> = new Set(['invalid', 'not_found', 'precondition', 'forbidden'])

/** Lets those who may not know hear one answer only, whatever was the matter. */
async function veil(isTold: boolean, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (isTold || !(error instanceof Refused) || !TELLING.has(error.kind)) throw error
    throw refused(sessionRefusals, 'session.sign_in_refused')
  }
}

/** Gathers everything that the request wants checked; throws the refusal of the first check that fails. */
export async function gatherChecks(needs: SessionsNeeds, work: Work, gathering: Gathering): Promise<Gathered> {
  const { asker, sessionId, draft, evidence } = gathering
  const { at } = asker.origin
  const checks: Check[] = []
  let { session } = gathering
  let person: Person | undefined
  let isCompared = false

  /** What the next check sees of those before it. */
  const pass = (check: Check): void => {
    checks.push(check)
    if (check.check !== 'user' || person === undefined) return
    session = { ...session, user: { id: person.userId, organizationId: person.organizationId, checkedAt: at } }
  }

  const admit = (check: CheckName): Person => {
    object(objectionToCheck(session, check, person))
    if (person === undefined) throw refused(sessionRefusals, 'session.no_user')
    return person
  }

  const comparePassword = async (one: Person, password: string): Promise<void> => {
    if (isCompared) return
    const { userId, organizationId: owner } = one
    if (evidence.password?.userId !== userId) {
      evidence.password = { userId, confirm: needs.checks.check({ userId, owner, password, origin: asker.origin }) }
    }
    const confirm = await evidence.password.confirm
    await confirm(work)
    isCompared = true
  }

  const checkUser = async (user: NonNullable<ChecksDraft['user']>): Promise<void> => {
    person = await findPerson(needs, work, user)
    const owner = person?.organizationId ?? needs.instanceId
    gathering.authorize(owner)
    const isTold = asker.mayKnow(owner)
    const { password } = draft
    if (isTold) {
      if (person === undefined) throw refused(userRefusals, 'user.not_found')
      admit('user')
      return pass({ check: 'user' })
    }
    // Whether there is such a user must not be seen by anybody who does not know the password.
    if (password === undefined) throw refused(accessRefusals, 'access.forbidden')
    await veil(isTold, async () => {
      const name = 'userId' in user ? user.userId : user.loginName
      if (person === undefined) return needs.checks.checkNobody({ name, password, at })
      // First, so that whoever cannot sign in takes as long.
      await comparePassword(person, password)
      admit('user')
      pass({ check: 'user' })
    })
  }

  const checkPassword = async (password: string): Promise<void> => {
    const isTold = person === undefined || asker.mayKnow(person.organizationId)
    await veil(isTold, async () => {
      if (isTold) admit('password')
      if (person !== undefined) await comparePassword(person, password)
      admit('password')
      pass({ check: 'password' })
    })
  }

  const checkIntent = async (intent: NonNullable<ChecksDraft['intent']>): Promise<void> => {
    const { userId, organizationId: owner } = admit('intent')
    try {
      await needs.checkIntent(work, { ...intent, userId, owner })
    } catch (error) {
      if (error instanceof Refused && TELLING.has(error.kind)) evidence.failed = 'intent'
      throw error
    }
    pass({ check: 'intent' })
  }

  const verify = async (credential: NonNullable<ChecksDraft['webAuthN']>): Promise<VerifiedAssertion> => {
    const challenge = session.challenges.webAuthN
    if (challenge === undefined) throw refused(sessionRefusals, 'session.no_challenge')
    if (evidence.assertion?.challenge !== challenge.challenge) {
      const given = { challenge, userId: session.user?.id, credential, at }
      evidence.assertion = { challenge: challenge.challenge, verified: verifyAssertion(needs.passkeys, given) }
    }
    try {
      return await evidence.assertion.verified
    } catch (error) {
      if (error instanceof Refused && error.kind === 'invalid') evidence.failed = 'web_auth_n'
      throw error
    }
  }

  const checkWebAuthN = async (credential: NonNullable<ChecksDraft['webAuthN']>): Promise<void> => {
    // A passkey that was asked of anybody says who it is; any other is that of the user.
    const isAnybody = session.user === undefined && asksAnybody(session)
    if (!isAnybody) admit('web_auth_n')
    const verified = await verify(credential)
    if (isAnybody) {
      person = await readPerson(needs, work, verified.userId)
      admit('user')
      pass({ check: 'user' })
      admit('web_auth_n')
    }
    await verified.confirm(work)
    const { keyId, use, userVerified } = verified
    pass({ check: 'web_auth_n', challenge: session.challenges.webAuthN?.challenge ?? '', keyId, use, userVerified })
  }

  const checkCode = async (check: 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code', code: string): Promise<void> => {
    const { userId, organizationId: owner } = admit(check)
    const { otpSms, otpEmail } = session.challenges
    const one = { userId, owner, code }
    if (check === 'totp') await checkTotp(needs.oneTimeCodes, work, one)
    else if (check === 'recovery_code') await useRecoveryCode(needs.oneTimeCodes, work, one)
    else {
      const medium = check === 'otp_sms' ? 'sms' : 'email'
      const challenge = check === 'otp_sms' ? otpSms : otpEmail
      if (challenge === undefined) throw refused(sessionRefusals, 'session.no_challenge')
      await checkOtp(needs.oneTimeCodes, work, { ...one, medium, sessionId, challenge })
    }
    pass({ check })
  }

  /** Whoever was locked out meanwhile cannot go on; with a password, that is seen only after it was compared. */
  const resume = async (userId: string): Promise<void> => {
    const one = await readPerson(needs, work, userId)
    person = one
    if (draft.password !== undefined) return
    await veil(one === undefined || asker.mayKnow(one.organizationId), async () => object(objectionToPerson(one)))
  }

  if (draft.user !== undefined) await checkUser(draft.user)
  else if (session.user !== undefined) await resume(session.user.id)
  if (draft.password !== undefined) await checkPassword(draft.password)
  if (draft.intent !== undefined) await checkIntent(draft.intent)
  if (draft.webAuthN !== undefined) await checkWebAuthN(draft.webAuthN)
  if (draft.totp !== undefined) await checkCode('totp', draft.totp)
  if (draft.otpSms !== undefined) await checkCode('otp_sms', draft.otpSms)
  if (draft.otpEmail !== undefined) await checkCode('otp_email', draft.otpEmail)
  if (draft.recoveryCode !== undefined) await checkCode('recovery_code', draft.recoveryCode)
  return { person, checks }
}
