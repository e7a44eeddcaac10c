/** The rules of links: an account is linked to one user at a time, and proposed to any number. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { IdentityLink, IdentityLinkEvent } from './events.ts'
import type { IdentityLinkRefusal } from './refusals.ts'

export interface LivingLink extends IdentityLink {
  readonly status: 'linked'
  readonly accountsVersion: number
}

/** A link that counts for nothing until the owner of the account confirms it. */
export interface ProposedLink {
  readonly status: 'proposed'
  readonly idpId: string
  readonly accountsVersion: number
  readonly proposal: Pick<IdentityLink, 'userId' | 'externalUserId' | 'externalUserName'>
}

/** The document remains after a removal, because the user can link the account again. */
export type Link = { readonly status: 'none' } | LivingLink | ProposedLink

export type IdentityLinkCommand = ({ readonly type: 'add' | 'propose' } & IdentityLink) | { readonly type: 'remove' }

export const identityLink: Decider<IdentityLinkCommand, Link, IdentityLinkEvent, IdentityLinkRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    if (event.type === 'identity_link.removed.v1') return { status: 'none' }
    if (event.type === 'identity_link.added.v1') return { status: 'linked', accountsVersion: 0, ...event.data }
    const { idpId, accountsVersion = 0, ...proposal } = event.data
    return { status: 'proposed', idpId, accountsVersion, proposal }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'none'
        ? refuse('identity_link.not_found')
        : accept({ type: 'identity_link.removed.v1', data: {} })
    }
    const { type, ...data } = command
    if (type === 'propose') {
      return state.status === 'none'
        ? accept({ type: 'identity_link.proposed.v1', data })
        : refuse('identity_link.taken')
    }
    return state.status === 'linked' ? refuse('identity_link.taken') : accept({ type: 'identity_link.added.v1', data })
  },
}
