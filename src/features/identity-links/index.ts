/** Links between users and accounts at identity providers. The methods are in `humans`. */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { identityLinks, removeIdentityLinksOf, removeLinksOfProvider, removeReplacedLinks } from './documents.ts'
import { identityLinkRefusals } from './refusals.ts'

export const identityLinksModule = module({
  name: 'identity-links',
  kinds: within('identity-link', identityLinks),
  refusals: identityLinkRefusals,
  whenUserRemoved: removeIdentityLinksOf,
  whenProviderRemoved: removeLinksOfProvider,
  whenProviderAccountsReplaced: removeReplacedLinks,
})

export {
  accountKey,
  accountOfLink,
  addIdentityLink,
  assertIdentityLink,
  type CompletedSignIn,
  findLinkedUser,
  followLinks,
  hasIdentityLink,
  IDENTITY_LINK_CLAIM,
  identityLinkId,
  identityLinks,
  isLinked,
  type LinkSpeaker,
  listIdentityLinks,
  listStatedLinks,
  type NewLink,
  removeIdentityLink,
  usersProposedFor,
} from './documents.ts'
export type { IdentityLink } from './events.ts'
