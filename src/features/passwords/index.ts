/**
 * Passwords of users: set, changed with a proof, reset with a code, and checked at sign-in. Only this module reads the
 * hash. Passwords are compared only in `handlers/check-password.ts`.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { passwords } from './documents.ts'
import { removePassword } from './handlers/set-password.ts'
import { passwordsRefusals } from './refusals.ts'
import { passwordMethodsV1 } from './rpc-v1.ts'
import { passwordMethods } from './rpc-v2.ts'

export const passwordsModule = module({
  name: 'passwords',
  kinds: within('human', passwords),
  refusals: passwordsRefusals,
  methods: (app) => [...passwordMethodsV1(app), ...passwordMethods(app)],
  whenUserRemoved: (_, work, userId) => removePassword(work, userId),
})

export { type CarriedPassword, describePassword, putPassword } from './carried.ts'
export { passwords } from './documents.ts'
export { prepareChange, proveByCode, type ReplacedPassword } from './handlers/change-password.ts'
export {
  type ConfirmPassword,
  checkPassword,
  checkPasswordTellingCount,
  checkVisitorPassword,
} from './handlers/check-password.ts'
export { choosePassword, choosePasswordByCode } from './handlers/choose-password.ts'
export {
  checkNewPassword,
  findFlaws,
  hashNewPassword,
  type NewPassword,
  passwordPolicyOf,
} from './handlers/prepare-password.ts'
export { sendPasswordReset } from './handlers/reset-password.ts'
export { disablePassword, setPassword } from './handlers/set-password.ts'
export { findPasswordMethod, mustBeChanged, passwordFacts, slowestCheckMilliseconds } from './queries.ts'
