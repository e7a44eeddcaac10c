/** Links between users and accounts at identity providers. The methods are in `humans`. */
import { module } from '../../access/module.ts'
import { identityLinks, removeIdentityLinksOf, removeLinksOfProvider } from './documents.ts'
import { identityLinkRefusals } from './refusals.ts'

export const identityLinksModule = module({
  name: 'identity-links',
  kinds: [identityLinks],
  refusals: identityLinkRefusals,
  whenUserRemoved: removeIdentityLinksOf,
  whenProviderRemoved: removeLinksOfProvider,
})

export {
  accountKey,
  addIdentityLink,
  hasIdentityLink,
  IDENTITY_LINK_CLAIM,
  identityLinkId,
  identityLinks,
  listIdentityLinks,
  removeIdentityLink,
} from './documents.ts'
export type { IdentityLink } from './events.ts'
