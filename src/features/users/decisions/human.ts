/** The rules of human users: profile, email address, phone number, invitation. Pure. */

import type { AssetReference } from '../../../kernel/asset-reference.ts'
import { accept, type Decision, refuse } from '../../../kernel/decider.ts'
import { searchText } from '../../../kernel/fold-text.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Basis, Invitation, Profile, UserEvent } from '../events.ts'
import type { UserRefusal } from '../refusals.ts'
import { type HumanUser, mayAct } from '../state.ts'

/** Commands for human users only. */
export type HumanCommand =
  /** A directory feeds the user in, or no longer does. */
  | { readonly type: 'manage'; readonly directoryId: string; readonly at: Instant }
  | { readonly type: 'release' }
  /** The whole profile after the change. */
  | { readonly type: 'change_profile'; readonly profile: Profile }
  /** `isVerified` not set: unchanged if the address is the same, else false. */
  | ({ readonly type: 'change_email' } & ChangedEmail)
  /** A code for this address came back. `isMailed`: from its mailbox, and from nowhere else. */
  | { readonly type: 'verify_email'; readonly address: string; readonly isMailed?: boolean }
  | ({ readonly type: 'change_phone' } & ChangedPhone)
  /** `isSent`: the code was sent to the number, and to nowhere else. */
  | { readonly type: 'verify_phone'; readonly number: string; readonly isSent?: boolean }
  | { readonly type: 'remove_phone' }
  | { readonly type: 'invite'; readonly invitation: Invitation }
  /** The code of the invitation came back. `isMailed`: from the mailbox of this address, and from nowhere else. */
  | { readonly type: 'accept_invitation'; readonly address: string; readonly isMailed?: boolean }
  /** The user has a way to sign in now. */
  | { readonly type: 'finish_set_up' }
  | { readonly type: 'skip_mfa_init'; readonly at: Instant }
  | { readonly type: 'set_avatar'; readonly asset: AssetReference }
  | { readonly type: 'remove_avatar' }
  | { readonly type: 'request_deletion'; readonly at: Instant; readonly dueAt: Instant }
  | { readonly type: 'cancel_deletion' }

interface ChangedEmail {
  readonly address: string
  readonly isVerified?: boolean | undefined
  readonly basis: Basis
  readonly at: Instant
}

interface ChangedPhone {
  readonly number: string
  readonly isVerified?: boolean | undefined
  /** A code that was sent there came back. */
  readonly isProven?: boolean
}

type HumanDecision = Decision<UserEvent, UserRefusal>

const PROFILE_MEMBERS = ['firstName', 'lastName', 'nickName', 'displayName', 'preferredLanguage', 'gender'] as const

function changeProfile(profile: Profile, state: HumanUser): HumanDecision {
  return PROFILE_MEMBERS.every((member) => profile[member] === state.profile[member])
    ? accept()
    : accept({ type: 'user.profile_changed.v1', data: profile })
}

function changeEmail({ address, isVerified: asked, basis, at }: ChangedEmail, state: HumanUser): HumanDecision {
  const { email, search } = state
  const isSame = address === email.address
  const isVerified = asked ?? (isSame && email.isVerified)
  if (isSame && isVerified) return accept(...verified(address, basis === 'proven', state))
  if (isSame && isVerified === email.isVerified) return accept()
  // Written in another case, it is the address that the user had before.
  const since = searchText(address) === search.email ? email.since : at
  return accept({
    type: 'user.email_changed.v1',
    data: { address, isVerified, basis, ...(since !== undefined && { since }) },
  })
}

function changePhone(
  { number, isVerified: asked, isProven = false }: ChangedPhone,
  { phone }: HumanUser,
): HumanDecision {
  const isSame = number === phone?.number
  const isVerified = asked ?? (isSame && phone.isVerified)
  const proof = isProven ? ({ isProven } as const) : {}
  if (isSame && isVerified === phone.isVerified && (!isProven || phone.isProven)) return accept()
  if (isSame && isVerified) return accept({ type: 'user.phone_verified.v1', data: proof })
  return accept({ type: 'user.phone_changed.v1', data: { number, isVerified, ...proof } })
}

function verified(address: string, isProven: boolean, { email }: HumanUser): readonly UserEvent[] {
  if (address !== email.address || (email.isVerified && (!isProven || email.basis === 'proven'))) return []
  return [{ type: 'user.email_verified.v1', data: isProven ? { isProven } : {} }]
}

function finished({ needsSetUp }: HumanUser): readonly UserEvent[] {
  return needsSetUp ? [{ type: 'user.set_up_finished.v1', data: {} }] : []
}

/** Decides on an existing human user. Codes are not valid while the user is locked or deactivated. */
export function decideHuman(command: HumanCommand, state: HumanUser): HumanDecision {
  switch (command.type) {
    case 'change_profile':
      return changeProfile(command.profile, state)
    case 'change_email':
      return changeEmail(command, state)
    case 'skip_mfa_init':
      return accept({ type: 'user.mfa_init_skipped.v1', data: { skippedAt: command.at } })
    case 'verify_email':
      if (!mayAct(state)) return refuse('user.not_active')
      if (command.address !== state.email.address) return refuse('user.no_code')
      return accept(...verified(command.address, command.isMailed === true, state))
    case 'change_phone':
      return changePhone(command, state)
    case 'verify_phone':
      if (!mayAct(state)) return refuse('user.not_active')
      if (command.number !== state.phone?.number) return refuse('user.no_code')
      if (state.phone.isVerified) return refuse('user.phone_verified')
      return accept({ type: 'user.phone_verified.v1', data: command.isSent === true ? { isProven: true } : {} })
    case 'remove_phone':
      return state.phone === undefined ? refuse('user.no_phone') : accept({ type: 'user.phone_removed.v1', data: {} })
    case 'invite':
      return mayAct(state) ? accept({ type: 'user.invited.v1', data: command.invitation }) : refuse('user.not_active')
    case 'accept_invitation':
      if (!mayAct(state)) return refuse('user.not_active')
      if (state.invitation === undefined || command.address !== state.email.address) return refuse('user.no_code')
      return accept(
        { type: 'user.invitation_accepted.v1', data: {} },
        ...verified(command.address, command.isMailed === true, state),
        ...finished(state),
      )
    case 'set_avatar':
      return accept({ type: 'user.avatar_set.v1', data: { asset: command.asset } })
    case 'remove_avatar':
      return state.avatar === undefined ? accept() : accept({ type: 'user.avatar_removed.v1', data: {} })
    case 'request_deletion':
      return state.deletion === undefined
        ? accept({ type: 'user.deletion_requested.v1', data: { requestedAt: command.at, dueAt: command.dueAt } })
        : accept()
    case 'manage': {
      const { directoryId, at: since } = command
      if (state.managedBy?.directoryId === directoryId) return accept()
      return accept({ type: 'user.managed.v1', data: { directoryId, since } })
    }
    case 'release':
      return state.managedBy === undefined ? accept() : accept({ type: 'user.released.v1', data: {} })
    case 'cancel_deletion':
      return state.deletion === undefined ? accept() : accept({ type: 'user.deletion_cancelled.v1', data: {} })
    case 'finish_set_up':
      return accept(...finished(state))
  }
}
