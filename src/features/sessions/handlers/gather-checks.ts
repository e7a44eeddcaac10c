/**
 * Gathers the evidence for the checks of a request in their order, inside the work that decides on it, and stops at the
 * first failure. The work can run again after a conflict; slow or counted steps run only once.
 */

import { hideReason } from '../../../access/hidden-reasons.ts'
import { accessRefusals } from '../../../access/refusals.ts'
import { isTemporary, Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { checkOtp, checkTotp, useRecoveryCode } from '../../one-time-codes/index.ts'
import { type VerifiedAssertion, verifyAssertion } from '../../passkeys/index.ts'
import { type ConfirmPassword, checkPasswordTellingCount, checkVisitorPassword } from '../../passwords/index.ts'
import { settingsOfUser } from '../../settings/index.ts'
import { checkIntent } from '../../sign-in-intents/index.ts'
import { findByLoginName, findBySignInName, findUserStanding, userRefusals } from '../../users/index.ts'
import type { Check } from '../decider.ts'
import type { ChecksDraft } from '../drafts.ts'
import type { FailingCheck } from '../events.ts'
import { sessionEndings } from '../open-session.ts'
import { asksForAnyUser, type CheckName, checkPrecondition, type Person, userPrecondition } from '../preconditions.ts'
import { type SessionRefusal, sessionRefusals } from '../refusals.ts'
import type { SessionCaller } from '../session-access.ts'
import type { CheckedUser, OpenSession } from '../state.ts'

/** Evidence that is gathered once for a request, however often its work runs. */
export interface Evidence {
  password?: { readonly userId: string; readonly confirm: Promise<ConfirmPassword> }
  assertion?: { readonly challenge: string; readonly verified: Promise<VerifiedAssertion> }
  /** The check that was tried last, and what is known of its user: for the record of a refusal. */
  tried?: {
    readonly check: CheckName
    readonly person: Person | undefined
    readonly organizationId?: string | undefined
  }
  /** The reason of a refusal, before it is hidden. */
  refusal?: unknown
  /** A failed check that the session counts. */
  failed?: FailingCheck
}

export interface Gathered {
  readonly person: Person | undefined
  readonly checks: readonly Check[]
}

export interface Gathering {
  readonly caller: SessionCaller
  /** Called as soon as the user is known, before anything is revealed about them. */
  authorize(owner: string): void
  readonly sessionId: string
  /** Whether the session is being created. */
  readonly isNew: boolean
  /** The session as it is, or as a new one will be before its checks. */
  readonly session: OpenSession
  readonly draft: ChecksDraft
  readonly evidence: Evidence
}

/** The results of the checks so far; each check sees those before it. */
interface Progress extends Gathering {
  readonly app: App
  readonly work: Work
  session: OpenSession
  person: Person | undefined
  isPasswordCompared: boolean
  readonly checks: Check[]
}

/** Gathers the evidence of all requested checks. Throws the refusal of the first one that fails. */
export async function gatherChecks(app: App, work: Work, gathering: Gathering): Promise<Gathered> {
  const { draft, session } = gathering
  const progress: Progress = { ...gathering, app, work, person: undefined, isPasswordCompared: false, checks: [] }
  if (draft.user !== undefined) await gatherUser(progress, draft.user)
  else if (session.user !== undefined) await resumeUser(progress, session.user)
  if (draft.password !== undefined) await gatherPassword(progress, draft.password)
  if (draft.intent !== undefined) await gatherIntent(progress, draft.intent)
  if (draft.webAuthN !== undefined) await gatherAssertion(progress, draft.webAuthN)
  if (draft.totp !== undefined) await gatherCode(progress, 'totp', draft.totp)
  if (draft.otpSms !== undefined) await gatherCode(progress, 'otp_sms', draft.otpSms)
  if (draft.otpEmail !== undefined) await gatherCode(progress, 'otp_email', draft.otpEmail)
  if (draft.recoveryCode !== undefined) await gatherCode(progress, 'recovery_code', draft.recoveryCode)
  return { person: progress.person, checks: progress.checks }
}

/**
 * The current state of a user; undefined when there is none. If the user or the organization changes before the commit,
 * the work runs again.
 */
export async function readPerson(app: App, work: Work, userId: string): Promise<Person | undefined> {
  const person = await findUserStanding(work, userId)
  if (person === undefined) return undefined
  const organizationId = person.user.owner
  const [{ login }, generations] = await Promise.all([
    settingsOfUser(app, { userId, organizationId }),
    sessionEndings.now(work, { userId, organizationId }),
  ])
  const stopped = 'stoppedBy' in person ? { stoppedBy: person.stoppedBy } : {}
  return { userId, organizationId, ...stopped, login, generations }
}

type NamedUser = Exclude<NonNullable<ChecksDraft['user']>, { readonly userId: string }>

function findNamed(app: App, named: NamedUser) {
  const { organizationId } = named
  return 'loginName' in named
    ? findByLoginName(app, named.loginName, organizationId)
    : findBySignInName(app, named.signInName, organizationId)
}

/** What the caller typed. */
function nameOf(user: NonNullable<ChecksDraft['user']>): string {
  if ('userId' in user) return user.userId
  return 'loginName' in user ? user.loginName : user.signInName
}

/** The user of a user check. */
async function findPerson(
  { app, work }: Progress,
  user: NonNullable<ChecksDraft['user']>,
): Promise<Person | undefined> {
  const userId = 'userId' in user ? user.userId : (await findNamed(app, user))?.id
  return userId === undefined ? undefined : readPerson(app, work, userId)
}

function requireMet(unmet: SessionRefusal | undefined): void {
  if (unmet !== undefined) throw refused(sessionRefusals, unmet)
}

/** The user of a check, after its preconditions are checked. */
function requirePerson({ session, person }: Progress, check: CheckName): Person {
  requireMet(checkPrecondition(session, check, person))
  if (person === undefined) throw refused(sessionRefusals, 'session.no_user')
  return person
}

/** Notes what is tried now. */
function tries({ evidence, person }: Progress, check: CheckName, organizationId?: string): void {
  evidence.tried = { check, person, organizationId }
}

/** Adds a check that succeeded; later checks see it. */
function addCheck(progress: Progress, check: Check): void {
  const { person, caller } = progress
  progress.checks.push(check)
  if (check.check !== 'user' || person === undefined) return
  const user = { id: person.userId, organizationId: person.organizationId, checkedAt: caller.origin.at }
  progress.session = { ...progress.session, user }
}

/** Gives callers who may not know the reason the same refusal for all reasons. */
async function hidingReasons(evidence: Evidence, mayKnow: boolean, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    evidence.refusal = error
    throw hideReason(error, 'password', mayKnow, () => refused(sessionRefusals, 'session.sign_in_refused'))
  }
}

/** `name`: what the caller typed. Callers who may not know about the user are throttled by it. */
async function comparePassword(progress: Progress, person: Person, password: string, name: string): Promise<void> {
  if (progress.isPasswordCompared) return
  const { app, work, caller, evidence } = progress
  const { userId, organizationId: owner } = person
  const { origin } = caller
  if (evidence.password?.userId !== userId) {
    const confirm = caller.mayKnow(owner)
      ? checkPasswordTellingCount(app, { userId, owner, password, origin })
      : checkVisitorPassword(app, { name, user: { userId, owner }, password, origin })
    evidence.password = { userId, confirm }
  }
  const confirm = await evidence.password.confirm
  await confirm(work)
  progress.isPasswordCompared = true
}

async function gatherUser(progress: Progress, user: NonNullable<ChecksDraft['user']>): Promise<void> {
  const { app, caller, draft } = progress
  const person = await findPerson(progress, user)
  progress.person = person
  tries(
    progress,
    draft.password === undefined ? 'user' : 'password',
    'userId' in user ? undefined : user.organizationId,
  )
  const owner = person?.organizationId ?? app.instanceId
  progress.authorize(owner)
  if (caller.mayKnow(owner)) {
    if (person === undefined) throw refused(userRefusals, 'user.not_found')
    requirePerson(progress, 'user')
    return addCheck(progress, { check: 'user' })
  }
  // Callers who do not know the password must not learn whether the user exists.
  const { password } = draft
  if (password === undefined) throw refused(accessRefusals, 'access.forbidden')
  await hidingReasons(progress.evidence, false, async () => {
    const name = nameOf(user)
    if (person === undefined) {
      await checkVisitorPassword(app, { name, user: undefined, password, origin: caller.origin })
      return
    }
    // Compared first, so that a user who cannot sign in is not answered faster.
    await comparePassword(progress, person, password, name)
    requirePerson(progress, 'user')
    addCheck(progress, { check: 'user' })
  })
}

/** A user who was locked meanwhile cannot continue. With a password, this is revealed only after the comparison. */
async function resumeUser(progress: Progress, user: CheckedUser): Promise<void> {
  const { app, work, caller, draft } = progress
  const person = await readPerson(app, work, user.id)
  progress.person = person
  tries(progress, 'user')
  if (draft.password !== undefined) return
  const mayKnow = person === undefined || caller.mayKnow(person.organizationId)
  await hidingReasons(progress.evidence, mayKnow, async () => requireMet(userPrecondition(user, person)))
}

async function gatherPassword(progress: Progress, password: string): Promise<void> {
  tries(progress, 'password')
  const { person, caller } = progress
  const mayKnow = person === undefined || caller.mayKnow(person.organizationId)
  await hidingReasons(progress.evidence, mayKnow, async () => {
    if (mayKnow) requirePerson(progress, 'password')
    if (person !== undefined) await comparePassword(progress, person, password, person.userId)
    requirePerson(progress, 'password')
    addCheck(progress, { check: 'password' })
  })
}

async function gatherIntent(progress: Progress, intent: NonNullable<ChecksDraft['intent']>): Promise<void> {
  tries(progress, 'intent')
  const { app, work, evidence } = progress
  const { userId, organizationId: owner } = requirePerson(progress, 'intent')
  try {
    await checkIntent(app, work, { ...intent, userId, owner })
  } catch (error) {
    if (error instanceof Refused && !isTemporary(error)) evidence.failed = 'intent'
    throw error
  }
  addCheck(progress, { check: 'intent' })
}

async function verifyKey(
  { app, session, caller, evidence }: Progress,
  credential: NonNullable<ChecksDraft['webAuthN']>,
): Promise<VerifiedAssertion> {
  const challenge = session.challenges.webAuthN
  if (challenge === undefined) throw refused(sessionRefusals, 'session.no_challenge')
  if (evidence.assertion?.challenge !== challenge.challenge) {
    const given = { challenge, userId: session.user?.id, credential, at: caller.origin.at }
    evidence.assertion = { challenge: challenge.challenge, verified: verifyAssertion(app, given) }
  }
  try {
    return await evidence.assertion.verified
  } catch (error) {
    if (error instanceof Refused && error.kind === 'invalid') evidence.failed = 'web_auth_n'
    throw error
  }
}

async function gatherAssertion(progress: Progress, credential: NonNullable<ChecksDraft['webAuthN']>): Promise<void> {
  const { app, work, session } = progress
  tries(progress, 'web_auth_n')
  // A passkey that was requested of any user identifies the user; any other belongs to the user of the session.
  const isOfAnyUser = session.user === undefined && asksForAnyUser(session)
  if (!isOfAnyUser) requirePerson(progress, 'web_auth_n')
  const verified = await verifyKey(progress, credential)
  if (isOfAnyUser) {
    progress.person = await readPerson(app, work, verified.userId)
    tries(progress, 'web_auth_n')
    requirePerson(progress, 'user')
    addCheck(progress, { check: 'user' })
    requirePerson(progress, 'web_auth_n')
  }
  await verified.confirm(work)
  const { keyId, use, userVerified } = verified
  const challenge = session.challenges.webAuthN?.challenge ?? ''
  addCheck(progress, { check: 'web_auth_n', challenge, keyId, use, userVerified })
}

async function gatherCode(
  progress: Progress,
  check: 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code',
  code: string,
): Promise<void> {
  const { app, work, session, sessionId } = progress
  tries(progress, check)
  const { userId, organizationId: owner } = requirePerson(progress, check)
  const tried = { userId, owner, code }
  if (check === 'totp') await checkTotp(app, work, tried)
  else if (check === 'recovery_code') await useRecoveryCode(app, work, tried)
  else {
    const medium = check === 'otp_sms' ? 'sms' : 'email'
    const challenge = check === 'otp_sms' ? session.challenges.otpSms : session.challenges.otpEmail
    if (challenge === undefined) throw refused(sessionRefusals, 'session.no_challenge')
    await checkOtp(app, work, { ...tried, medium, sessionId, challenge })
  }
  addCheck(progress, { check })
}
