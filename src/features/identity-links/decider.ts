/** The rules of links: an account is linked to one user at a time. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { IdentityLink, IdentityLinkEvent } from './events.ts'
import type { IdentityLinkRefusal } from './refusals.ts'

export interface LivingLink extends IdentityLink {
  readonly status: 'linked'
  readonly accountsVersion: number
}

/** The document remains after a removal, because the user can link the account again. */
export type Link = { readonly status: 'none' } | LivingLink

export type IdentityLinkCommand = ({ readonly type: 'add' } & IdentityLink) | { readonly type: 'remove' }

export const identityLink: Decider<IdentityLinkCommand, Link, IdentityLinkEvent, IdentityLinkRefusal> = {
  initial: { status: 'none' },

  evolve: (_, event) =>
    event.type === 'identity_link.added.v1'
      ? { status: 'linked', accountsVersion: 0, ...event.data }
      : { status: 'none' },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'none'
        ? refuse('identity_link.not_found')
        : accept({ type: 'identity_link.removed.v1', data: {} })
    }
    if (state.status === 'linked') return refuse('identity_link.taken')
    const { type: _, ...data } = command
    return accept({ type: 'identity_link.added.v1', data })
  },
}
