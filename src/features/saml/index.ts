/**
 * SAML: the keys that sign messages, and responses to the requests of service providers. The requests themselves are beside
 * authorization requests, so that the sign-in pages know one as well as the other.
 */
import { module } from '../../module/module.ts'
import { samlKeys } from './documents.ts'
import { samlRefusals } from './refusals.ts'
import { samlMethods } from './rpc-v2.ts'

export const samlModule = module({
  name: 'saml',
  kinds: [samlKeys],
  refusals: samlRefusals,
  methods: samlMethods,
})

export { samlKeys } from './documents.ts'
export { type RestoredSamlKey, restoreSamlKeys, samlSigning } from './keys.ts'
export { type LoggedOut, logOutFrom } from './log-out.ts'
export {
  ASSERTION,
  BINDING,
  FORMAT,
  factorsFor,
  METADATA,
  PROTOCOL,
  type SamlStatus,
  samlAddresses,
  samlTime,
} from './names.ts'
export { samlRefusals } from './refusals.ts'
export {
  deliver,
  providerOf,
  respondWithSession,
  respondWithStatus,
  type SamlDelivery,
  statusOf,
} from './respond.ts'
export { protocolMessage, statusElement } from './write-response.ts'
