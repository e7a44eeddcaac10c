/** What this room is given by whoever wires the house. */
import type { AddHumanUserRequest } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import type { Call } from '../../access/call.ts'
import type { NewId } from '../../kernel/id.ts'
import type { Store, Work } from '../../store/index.ts'
import type { FindToken } from './prove-domain.ts'

/** The administrators of a new organization are members, which is another room's business. */
export type AddAdministrator = (
  work: Work,
  call: Call,
  administrator: { readonly organizationId: string; readonly userId: string; readonly roles: readonly string[] },
) => Promise<void>

/** Somebody who was added together with the organization. */
export interface CreatedAdministrator {
  readonly userId: string
  readonly emailCode?: string | undefined
  readonly phoneCode?: string | undefined
}

/**
 * Checks a person who is to be added with the organization, before anything is written; `field` leads to the request.
 * What comes back adds them as part of the write. Users are another room's business.
 */
export type PrepareHuman = (
  request: AddHumanUserRequest,
  organizationId: string,
  field: string,
) => Promise<(work: Work) => Promise<CreatedAdministrator>>

/** Asked, in the same commit, before the users of an organization are locked out or removed; throws to prevent it. */
export type BeforeClosing = (work: Work, organizationId: string) => Promise<void>

export interface OrganizationsNeeds {
  readonly store: Store
  readonly newId: NewId
  readonly instanceId: string
  readonly addAdministrator: AddAdministrator
  readonly prepareHuman: PrepareHuman
  readonly beforeClosing: readonly BeforeClosing[]
  /** Looks for the token that proves whose a domain is; `openTokenSearch` of this room looks in the real world. */
  readonly findToken: FindToken
}
