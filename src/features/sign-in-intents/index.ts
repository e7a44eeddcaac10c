/**
 * Sign-ins with identity providers. An intent is one sign-in, from its start to the session that it proves: the browser
 * goes to the provider, returns once, and the account there belongs to a user here.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { intentRetention, intentRetirements, intents } from './documents.ts'
import { intentRefusals } from './refusals.ts'
import { intentMethods } from './rpc-v2.ts'

export const signInIntentsModule = module({
  name: 'sign-in-intents',
  kinds: stays(STAYS.underWay, intents, intentRetirements),
  refusals: intentRefusals,
  methods: intentMethods,
  retention: () => [intentRetention],
})

export { assertedUser, isAccountOf } from './asserted-user.ts'
export { completedSignIn } from './completed-sign-in.ts'
export { intentRetention, intentRetirements, intents } from './documents.ts'
export {
  type Finished,
  finishIntent,
  finishSamlIntent,
  type PostedResponse,
  type ReturnedBrowser,
} from './handlers/finish-intent.ts'
export {
  answerWithCredentials,
  type Credentials,
  type DirectoryVisit,
  waitingDirectory,
} from './handlers/sign-in-with-credentials.ts'
export { startIntent } from './handlers/start-intent.ts'
export { checkIntent, type RetrievedIntent, retrieveIntent, type ShownIntent } from './handlers/use-intent.ts'
export { draftOfPerson, emailOf } from './identity.ts'
export { proposedUsers } from './proposed-users.ts'
export { intentRefusals } from './refusals.ts'
export { ownMetadata, ownSide } from './saml/own-metadata.ts'
export type { NextStep } from './saml/request.ts'
export { visitorFrom } from './unfinished.ts'
