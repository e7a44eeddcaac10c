/**
 * Verifications: one-time codes (for an email address, a phone number, an invitation, a password reset, a passkey
 * link), and the count of wrong secrets that slows down guessing and then locks the user. Other modules issue and check
 * codes inside their own writes.
 */
import { stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { attempts, verifications } from './documents.ts'
import { removeVerifications } from './handlers/end-codes.ts'
import { verificationRefusals } from './refusals.ts'

export const verificationsModule = module({
  name: 'verifications',
  kinds: [
    ...stays('Codes and links in mails; they are sent again.', verifications),
    ...stays('Wrong attempts are counted anew.', attempts),
  ],
  refusals: verificationRefusals,
  whenUserRemoved: (_, work, userId) => removeVerifications(work, userId),
})

export { countFailures, NO_ATTEMPTS, nextTryAt } from './decisions/attempts.ts'
export { attempts, lockedAt, verifications } from './documents.ts'
export type { Purpose } from './events.ts'
export { checkCode, refuseClosed, refuseWrongCode, useCode } from './handlers/check-code.ts'
export {
  admitTry,
  countTry,
  findLocked,
  LOCK_NOTICE_JOB,
  type LockNotice,
  resetFailures,
  type Try,
  unlockAttempts,
} from './handlers/count-attempt.ts'
export { cancelCode } from './handlers/end-codes.ts'
export { codeLifetimeMs, findOpenCode, hasOpenCode, issueCode } from './handlers/issue-code.ts'
export { hideCodeReason } from './hide-reason.ts'
export { verificationRefusals } from './refusals.ts'
