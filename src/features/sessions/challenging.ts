/** Asks the person of a session for something: a passkey or key, or a code that is sent to them. */
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Work } from '../../store/index.ts'
import { challengeOtp } from '../one-time-codes/index.ts'
import { requestAssertion } from '../passkeys/index.ts'
import type { ChallengesDraft, GivenChallenges } from './drafts.ts'
import type { Challenges } from './events.ts'
import type { Asker, SessionsNeeds } from './needs.ts'
import { type ChallengeName, objectionToChallenge, type Person } from './objections.ts'
import { sessionRefusals } from './refusals.ts'
import type { OpenSession } from './state.ts'

export interface Challenging {
  readonly asker: Asker
  readonly sessionId: string
  /** The session with the checks of the request done. */
  readonly session: OpenSession
  readonly person: Person | undefined
  readonly draft: ChallengesDraft
}

/** Whoever gets a code back, or leads a mail where they like, has no need of the person: that takes the permission. */
function checkDelivery({ asker, draft }: Challenging, { organizationId }: Person): void {
  const { otpSms, otpEmail } = draft
  const isOwnLink = typeof otpEmail === 'object' && otpEmail.urlTemplate !== undefined
  if (otpSms !== 'return' && otpEmail !== 'return' && !isOwnLink) return
  if (!asker.mayWrite(organizationId)) throw refused(sessionRefusals, 'session.code_not_returned')
}

/** The room of keys knows the domain, but not where in the request it stands. */
function withPlace({ code, kind, message, violations }: Refused): Refused {
  const placed = violations.map(({ field, description }) => ({ field: `challenges.webAuthN.${field}`, description }))
  return new Refused(code, kind, message, { violations: placed })
}

/** Makes the challenges of a request, in their order: what the session keeps, and what the client gets. */
export async function makeChallenges(
  needs: SessionsNeeds,
  work: Work,
  challenging: Challenging,
): Promise<{ readonly kept: Challenges; readonly given: GivenChallenges }> {
  const { asker, sessionId, session, person, draft } = challenging
  const admit = (challenge: ChallengeName): Person => {
    const objection = objectionToChallenge(session, challenge, person)
    if (objection !== undefined) throw refused(sessionRefusals, objection)
    if (person === undefined) throw refused(sessionRefusals, 'session.no_user')
    checkDelivery(challenging, person)
    return person
  }

  const askForKey = async (asked: NonNullable<ChallengesDraft['webAuthN']>) => {
    const { domain: rpId, userVerification, isForAnybody = false } = asked
    const isAnybody = isForAnybody && session.user === undefined
    const name = userVerification === 'required' ? 'passkey' : 'second_factor_key'
    const userId = isAnybody ? undefined : admit(name).userId
    try {
      return await requestAssertion(needs.passkeys, { userId, rpId, userVerification, at: asker.origin.at })
    } catch (error) {
      throw error instanceof Refused ? withPlace(error) : error
    }
  }

  const askForCode = (medium: 'sms' | 'email', delivery: 'return' | { readonly urlTemplate?: string }) => {
    const { userId, organizationId: owner } = admit(medium === 'sms' ? 'otp_sms' : 'otp_email')
    return challengeOtp(needs.oneTimeCodes, work, { medium, userId, owner, sessionId, delivery })
  }

  const key = draft.webAuthN && (await askForKey(draft.webAuthN))
  const sms = draft.otpSms && (await askForCode('sms', draft.otpSms === 'return' ? 'return' : {}))
  const email = draft.otpEmail && (await askForCode('email', draft.otpEmail))
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
