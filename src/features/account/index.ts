/**
 * The own account of a user, mostly for the hosted pages: sessions, keys, links, second factors, the password, and actions
 * with a code from an email. `ways-to-sign-in.ts` prevents that users remove their last way to sign in.
 */
import { module } from '../../module/module.ts'
import { deletionJobs } from './handlers/delete-own-account.ts'
import { accountRefusals } from './refusals.ts'
import { accountMethods } from './rpc-v1.ts'
import { requireAnotherWayToSignIn } from './ways-to-sign-in.ts'

export const accountModule = module({
  name: 'account',
  refusals: accountRefusals,
  methods: accountMethods,
  jobs: (app) => [deletionJobs(app)],
  beforeSignInMethodRemoved: requireAnotherWayToSignIn,
})

export type { KeyUse } from '../passkeys/index.ts'
export {
  changeOwnPassword,
  endOwnSessions,
  finishOwnKey,
  isGivenAlready,
  removeOwnKey,
  removeOwnLink,
  renameOwnKey,
  startOwnKey,
} from './handlers/change-own-account.ts'
export {
  finishOtp,
  finishTotp,
  makeRecoveryCodes,
  removeOtp,
  removeTotp,
  startOtp,
  startTotp,
} from './handlers/change-own-factors.ts'
export {
  changeOwnPicture,
  changeOwnProfile,
  confirmOwnContact,
  findOwnNewContact,
  type OwnProfile,
  removeOwnPhone,
  replaceOwnContact,
  useAddressAsName,
} from './handlers/change-own-profile.ts'
export { cancelOwnDeletion, requestOwnDeletion } from './handlers/delete-own-account.ts'
export { downloadOwnData } from './handlers/download-own-data.ts'
export { type AcceptedKeys, type Account, type OwnSession, readAccount } from './handlers/read-account.ts'
export {
  finishFirstKey,
  finishRegistration,
  type NewAccount,
  registerAccount,
  startFirstKey,
  type Ticket,
} from './handlers/register-account.ts'
export { type CodePurpose, checkMailedCode, finishKeyByCode, startKeyByCode } from './handlers/register-key-by-code.ts'
export { checkKeyLink, finishKeyByLink, startKeyByLink } from './handlers/register-key-by-link.ts'
export {
  finishKeyBySetUpLink,
  isSetUpEmail,
  readSetUp,
  setUpByLink,
  startKeyBySetUpLink,
} from './handlers/set-up-administrator.ts'
export {
  acceptInvitationByCode,
  type NewPassword,
  type Outcome,
  type PasswordOutcome,
  resetPasswordByCode,
  sendEmailCode,
  sendInvitationAgain,
  sendResetCode,
  sendResetCodeTo,
  verifyEmailByCode,
} from './handlers/use-mailed-code.ts'
