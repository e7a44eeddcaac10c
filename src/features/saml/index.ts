/**
 * SAML: the keys that sign messages, responses to the requests of service providers, and logouts on their way through them.
 * The requests themselves are beside authorization requests, so that the sign-in pages know one as well as the other.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { carriedSamlKeys } from './carried.ts'
import { samlLogoutRetention, samlLogoutRetirements, samlLogouts } from './logout/documents.ts'
import { samlRefusals } from './refusals.ts'
import { samlMethods } from './rpc-v2.ts'

export const samlModule = module({
  name: 'saml',
  kinds: [carriedSamlKeys, ...stays(STAYS.underWay, samlLogouts, samlLogoutRetirements)],
  refusals: samlRefusals,
  methods: samlMethods,
  retention: () => [samlLogoutRetention],
})

export { samlSigning } from './keys.ts'
export { sessionsNamed } from './logout/participants.ts'
export {
  askedLogout,
  findLogout,
  logOutFor,
  noteAnswer,
  takeStep,
  tellServiceProviders,
} from './logout/run-logout.ts'
export { factorsFor, type SamlStatus, samlAddresses } from './names.ts'
export {
  deliver,
  providerOf,
  respondWithSession,
  respondWithStatus,
  type SamlDelivery,
  statusOf,
} from './respond.ts'
export { logoutRequest, protocolMessage, statusElement } from './write-response.ts'
