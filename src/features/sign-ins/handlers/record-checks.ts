/** Records the checks of a session, the change of a password, and the applications, each in the commit that makes it. */

import type { Instant } from '../../../kernel/instant.ts'
import type { App, CheckedSession, JoinedApplication } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import type { OpenSession, UserSession } from '../../sessions/index.ts'
import { signInStateOf } from '../../sign-in/index.ts'
import { signIns } from '../documents.ts'
import type { Step, StepKind } from '../events.ts'
import { explainNeed, methodOf } from '../reasons.ts'
import { noteAddress } from './note-address.ts'

function timesOf(session: OpenSession | undefined): Readonly<Partial<Record<StepKind, Instant>>> {
  if (session === undefined) return {}
  const { password, intent, webAuthN, totp, otpSms, otpEmail, recoveryCode } = session.factors
  return {
    ...(session.user && { user: session.user.checkedAt }),
    ...(password && { password }),
    ...(intent && { identity_provider: intent }),
    ...(webAuthN && { passkey: webAuthN.checkedAt }),
    ...(totp && { totp }),
    ...(otpSms && { otp_sms: otpSms }),
    ...(otpEmail && { otp_email: otpEmail }),
    ...(recoveryCode && { recovery_code: recoveryCode }),
  }
}

/** The checks that a session has passed since. */
function passedSince(before: OpenSession | undefined, after: OpenSession): readonly Step[] {
  const known = timesOf(before)
  const times = Object.entries(timesOf(after)) as [StepKind, Instant][]
  return times.filter(([kind, at]) => known[kind] !== at).map(([kind, at]) => ({ at, kind, result: 'passed' }))
}

/** Records what a session has passed, and what is needed next. */
export async function recordChecks(app: App, work: Work, { id, isNew, before, after }: CheckedSession): Promise<void> {
  const session = after as OpenSession
  if (session.user === undefined) return
  const passed = passedSince(before as OpenSession | undefined, session)
  if (passed.length === 0) return
  const { at } = work.origin
  const signedIn = session as UserSession
  const { step } = await signInStateOf(app, signedIn, at)
  const steps = [...passed]
  if (step !== 'none' && step !== 'first_factor') {
    const setting = await explainNeed(app, signedIn, step)
    const kind = step === 'change_password' ? 'password_change' : 'second_factor'
    steps.push({ at, kind, result: 'required', ...(setting && { setting }) })
  }
  const { id: userId, organizationId } = signedIn.user
  const method = methodOf(session.factors)
  const command = { type: 'check', userId, method, steps, isComplete: step === 'none', at } as const
  if (isNew) await work.begin(signIns, id, command, organizationId)
  else await work.decide(signIns, id, command, organizationId)
  // Another check in the same browser says nothing new.
  if ((before as OpenSession | undefined)?.user === undefined) {
    await noteAddress(app, work, id, { userId, from: session.userAgent }, organizationId)
  }
}

/** A password that had to be changed was changed: that was the last step. */
export async function recordPasswordChange(
  app: App,
  work: Work,
  _: string,
  sessionId: string | undefined,
): Promise<void> {
  if (sessionId === undefined || (await app.store.get(signIns, sessionId)) === undefined) return
  await work.decide(signIns, sessionId, { type: 'change_password', at: work.origin.at })
}

/** An application gets a grant: the first time in a session, the user was signed in to it. */
export async function recordApplication(
  _: App,
  work: Work,
  { sessionId, applicationId, projectId }: JoinedApplication,
): Promise<void> {
  if ((await work.get(signIns, sessionId)) === undefined) return
  await work.decide(signIns, sessionId, { type: 'join', applicationId, projectId, at: work.origin.at })
}
