/** Checks the settings of an account at Twilio. Pure. */
import { refused } from '../../kernel/refusal.ts'
import type { TwilioAccount } from './events.ts'
import { smsRefusals } from './refusals.ts'

/** A SID is part of a path, and of the user name before a colon. */
const SID = /^[A-Za-z0-9_-]+$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** The account. Throws, and names all invalid fields. */
export function checkedAccount(given: TwilioAccount): TwilioAccount {
  const { sid, senderNumber, verifyServiceSid, description } = given
  const canSend = senderNumber !== '' || verifyServiceSid !== ''
  const rules: readonly (readonly [boolean, string, string])[] = [
    [SID.test(sid), 'sid', 'must consist of letters and digits'],
    [canSend, 'senderNumber', 'is required without a verify service'],
    [!CONTROL.test(senderNumber), 'senderNumber', 'must not contain control characters'],
    [verifyServiceSid === '' || SID.test(verifyServiceSid), 'verifyServiceSid', 'must consist of letters and digits'],
  ]
  const violations = rules.flatMap(([holds, field, problem]) => (holds ? [] : [{ field, description: problem }]))
  if (violations.length > 0) throw refused(smsRefusals, 'sms.twilio_invalid', { violations })
  return { sid, senderNumber, verifyServiceSid, description }
}
