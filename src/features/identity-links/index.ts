/** The front of this room: which accounts at identity providers belong to which people. */
export {
  accountKey,
  addIdentityLink,
  hasIdentityLink,
  IDENTITY_LINK_CLAIM,
  identityLinkId,
  identityLinks,
  listIdentityLinks,
  removeIdentityLink,
  removeIdentityLinksOf,
  sweepLinksOfProvider,
} from './documents.ts'
export type { IdentityLink, IdentityLinkEvent } from './events.ts'
export { type IdentityLinkRefusal, identityLinkRefusals } from './refusals.ts'
