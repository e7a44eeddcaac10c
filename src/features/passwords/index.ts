/** The front of this room: all that others may know about the passwords of people. */
export { type Proof, prepareChange, type ReplacedPassword } from './changing.ts'
export {
  type ConfirmPassword,
  openPasswordChecks,
  type PasswordChecks,
  type PasswordChecksNeeds,
  type PasswordOf,
} from './checking.ts'
export type { Password, PasswordCommand } from './decider.ts'
export { passwords } from './documents.ts'
export type { PasswordEvent } from './events.ts'
export type { PasswordMessages, PasswordsNeeds, ResetMessage } from './needs.ts'
export {
  type ChosenPassword,
  choosePassword,
  choosePasswordByCode,
  type GivenPassword,
  type ProveChoice,
  passwordPolicyOf,
  passwordPort,
  sendPasswordReset,
} from './port.ts'
export { findFlaws, type NewPassword, preparePassword } from './preparing.ts'
export { type PasswordsRefusal, passwordsRefusals } from './refusals.ts'
export { type ResetMedium, resetPassword } from './resetting.ts'
export { passwordMethods } from './rpc.ts'
export {
  findPasswordMethod,
  type HashedPassword,
  type PasswordFacts,
  passwordFacts,
  removePassword,
  setPassword,
} from './setting.ts'
