/** The front of this room: all that others may know about codes that prove something, and about wrong attempts. */
export {
  CODES,
  type CodeOf,
  cancelCode,
  checkCode,
  findOpenCode,
  type IssuedCode,
  issueCode,
  refuseWrongCode,
  useCode,
  type VerificationsNeeds,
} from './codes.ts'
export { MOST_CODES, type Verification, type VerificationCommand } from './decider.ts'
export { type Attempts, type AttemptsCommand, NO_ATTEMPTS, TRIES_OF_A_CODE } from './decisions/attempts.ts'
export { attempts, verifications } from './documents.ts'
export type { AttemptsEvent, Purpose, SecretPath, VerificationEvent } from './events.ts'
export { removeVerifications } from './forgetting.ts'
export { type VerificationRefusal, verificationRefusals } from './refusals.ts'
export { admitTry, attemptsOf, countTry, mostFailures, refuseThrottled, type Try, unlockAttempts } from './trying.ts'
