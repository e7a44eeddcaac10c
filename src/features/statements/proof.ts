/**
 * What counts as proven outside of the organization that says it: an address from whose mailbox a code came back, an address
 * in a domain that the organization has proven, and a number that a code came back from.
 */
import { wireAddress } from '../../kernel/email-address.ts'
import { foldText, searchText } from '../../kernel/fold-text.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { findOrganization, hasProvenDomain, type LivingOrganization } from '../organizations/index.ts'
import type { LivingUser } from '../users/index.ts'

/** Who says something, with what they have proven. */
export interface Speaker {
  readonly user: LivingUser
  /** The organization of the user; undefined when it is gone. */
  readonly organization: LivingOrganization | undefined
}

/** Whether a text reads as an e-mail address, in whatever width its characters are written. */
export function readsAsAddress(text: string): boolean {
  return foldText(text).includes('@')
}

/** Whether an address is proven to be a user's, wherever it is asked. */
export async function hasProvenAddress(app: App, user: Document<LivingUser>, address: string): Promise<boolean> {
  const organization = (await findOrganization(app.store, user.owner))?.state
  return isProvenAddress(app, { user: user.state, organization }, address)
}

/** Whether an address is the user's own, or in a domain of their organization. */
export function isProvenAddress(app: App, { user, organization }: Speaker, address: string): boolean {
  if (user.type === 'human' && user.search.provenEmail === searchText(address)) return true
  const wire = wireAddress(foldText(address))
  const domain = wire?.slice(wire.indexOf('@') + 1)
  return domain !== undefined && organization !== undefined && hasProvenDomain(app, organization, domain)
}
