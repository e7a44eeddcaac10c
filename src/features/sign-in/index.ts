/**
 * Sign-in: the evaluation of the checks of a session (`authentication-level.ts`), the identification of bearer tokens,
 * and all steps of the hosted pages until a user is signed in. Outcomes for pages never contain the reason of a
 * refusal.
 */
import { module } from '../../module/module.ts'
import { signInMethods } from './rpc-v2.ts'

export const signInModule = module({
  name: 'sign-in',
  methods: signInMethods,
})

export type { ReturnedBrowser } from '../sign-in-intents/index.ts'
export type { SecondFactor, Step } from './authentication-level.ts'
export {
  askForKey,
  type Client,
  canUseKeys,
  type ExternalProof,
  keyDomain,
  sendCode,
  showFactor,
  signInWithPassword,
  signInWithProvider,
  signOut,
} from './handlers/continue-session.ts'
export {
  findPerson,
  isRecentPassword,
  type Person,
  preferredLanguageOf,
  type SignInRules,
  signInRules,
} from './handlers/find-person.ts'
export { identifyBearer } from './handlers/identify-bearer.ts'
export {
  acceptProposedUser,
  linkExternalAccount,
  type Registration,
  type RegistrationField,
  registerWithExternalAccount,
} from './handlers/join-external-account.ts'
export { askForPasskey, signInWithPasskey } from './handlers/sign-in-with-passkey.ts'
export {
  answerDirectory,
  directoryToAsk,
  type ExternalAccount,
  finishProviderSignIn,
  finishSamlSignIn,
  readExternalAccount,
  startProviderSignIn,
} from './handlers/sign-in-with-provider.ts'
export { readLogoutTarget, signLogoutTarget } from './logout-target.ts'
export {
  type Asked,
  attempt,
  type Done,
  type Failure,
  failureOf,
  hideThrottling,
  keyFailureOf,
  type Renewed,
  type Unavailable,
} from './outcomes.ts'
export {
  homeOf,
  isProviderUsable,
  linkableProviders,
  linkedProviders,
  linksOf,
  type OfferedProvider,
  offeredProviders,
  providerName,
  registeringProviders,
} from './providers.ts'
export { isSignInComplete, secondFactorsOf } from './second-factors.ts'
export { signInStateOf, strengthOfSession } from './sign-in-state.ts'
