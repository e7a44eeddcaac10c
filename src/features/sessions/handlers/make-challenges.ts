/** Creates the challenges of a session: for a passkey or security key, or a code that is sent to the user. */

import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import type { AskedDelivery } from '../../messages/index.ts'
import { challengeOtp } from '../../one-time-codes/index.ts'
import { requestAssertion } from '../../passkeys/index.ts'
import type { ChallengesDraft, GivenChallenges } from '../drafts.ts'
import type { Challenges } from '../events.ts'
import { type ChallengeName, challengePrecondition, type Person } from '../preconditions.ts'
import { sessionRefusals } from '../refusals.ts'
import type { SessionCaller } from '../session-access.ts'
import type { OpenSession } from '../state.ts'

export interface ChallengeRequest {
  readonly caller: SessionCaller
  readonly sessionId: string
  /** The session after the checks of the request. */
  readonly session: OpenSession
  readonly person: Person | undefined
  readonly draft: ChallengesDraft
}

/** How a code is delivered, as the request asks for it. */
function askedDelivery({ otpSms, otpEmail = {} }: ChallengesDraft, medium: 'sms' | 'email'): AskedDelivery {
  const asked = medium === 'sms' ? otpSms : otpEmail
  if (asked === 'return') return { type: 'return' }
  return { type: 'send', urlTemplate: typeof asked === 'object' ? asked.urlTemplate : undefined }
}

/** The refusal of the passkeys module, with the path of the field in this request. */
function withFieldPath({ code, kind, message, violations }: Refused): Refused {
  const placed = violations.map(({ field, description }) => ({ field: `challenges.webAuthN.${field}`, description }))
  return new Refused(code, kind, message, { violations: placed })
}

/** Creates the challenges of a request in their order: the data for the session and for the client. */
export async function makeChallenges(
  app: App,
  work: Work,
  request: ChallengeRequest,
): Promise<{ readonly kept: Challenges; readonly given: GivenChallenges }> {
  const { caller, sessionId, session, person, draft } = request
  const requirePerson = (challenge: ChallengeName): Person => {
    const unmet = challengePrecondition(session, challenge, person)
    if (unmet !== undefined) throw refused(sessionRefusals, unmet)
    if (person === undefined) throw refused(sessionRefusals, 'session.no_user')
    return person
  }

  const askForKey = async (asked: NonNullable<ChallengesDraft['webAuthN']>) => {
    const { domain: rpId, userVerification } = asked
    const { userId } = requirePerson(userVerification === 'required' ? 'passkey' : 'second_factor_key')
    try {
      return await requestAssertion(app, { userId, rpId, userVerification, at: caller.origin.at })
    } catch (error) {
      throw error instanceof Refused ? withFieldPath(error) : error
    }
  }

  const askForCode = async (medium: 'sms' | 'email') => {
    const asked = requirePerson(medium === 'sms' ? 'otp_sms' : 'otp_email')
    const { userId, organizationId: owner } = asked
    const delivery = await caller.decideDelivery(asked, askedDelivery(draft, medium))
    return challengeOtp(app, work, { medium, userId, owner, sessionId, delivery })
  }

  const key = draft.webAuthN && (await askForKey(draft.webAuthN))
  const sms = draft.otpSms && (await askForCode('sms'))
  const email = draft.otpEmail && (await askForCode('email'))
  return {
    kept: {
      ...(key && { webAuthN: key.challenge }),
      ...(sms && { otpSms: sms.challenge }),
      ...(email && { otpEmail: email.challenge }),
    },
    given: {
      ...(key && { webAuthN: key.options }),
      ...(sms?.code !== undefined && { otpSms: sms.code }),
      ...(email?.code !== undefined && { otpEmail: email.code }),
    },
  }
}
