/** The rules of authorizations. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { distinctKeys, listText, type RoleListText, sameKeys } from '../../kernel/role-keys.ts'
import type { AuthorizationEvent } from './events.ts'
import type { AuthorizationRefusal } from './refusals.ts'

type Added = Extract<AuthorizationEvent, { readonly type: 'authorization.added.v1' }>['data']

type GroupAdded = Extract<AuthorizationEvent, { readonly type: 'authorization.group_added.v1' }>['data']

/** Either a user has it, or all users of a group. */
type Holder =
  | { readonly userId: string; readonly groupId?: undefined }
  | { readonly groupId: string; readonly userId?: undefined }

export type LivingAuthorization = Holder &
  Pick<Added, 'organizationId' | 'projectId' | 'grantId' | 'roleKeys'> & {
    /** The organization that the user or the group belongs to. */
    readonly userOrganizationId: string
    readonly status: 'active' | 'inactive'
    readonly search: RoleListText
  }

interface RemovedAuthorization {
  readonly status: 'removed'
  /** Where it was, for those who may know of it. */
  readonly of: Pick<Added, 'organizationId' | 'projectId' | 'grantId'>
}

export type Authorization = { readonly status: 'unknown' } | RemovedAuthorization | LivingAuthorization

export type AuthorizationCommand =
  | ({ readonly type: 'add' } & Added)
  | ({ readonly type: 'add_for_group' } & GroupAdded)
  /** `mustDiffer`: refused when the roles are the same already. */
  | { readonly type: 'change'; readonly roleKeys: readonly string[]; readonly mustDiffer: boolean }
  | { readonly type: 'deactivate' | 'reactivate' | 'remove' }

function placeIn({ organizationId, projectId, grantId }: LivingAuthorization): RemovedAuthorization['of'] {
  return { organizationId, projectId, grantId }
}

/** Whether the authorization exists. */
export function isLivingAuthorization(authorization: Authorization): authorization is LivingAuthorization {
  return authorization.status === 'active' || authorization.status === 'inactive'
}

export const authorization: Decider<AuthorizationCommand, Authorization, AuthorizationEvent, AuthorizationRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, { type, data }) {
    if (type === 'authorization.added.v1') return { ...data, status: 'active', search: listText(data.roleKeys) }
    if (type === 'authorization.group_added.v1') {
      const { groupOrganizationId: userOrganizationId, ...given } = data
      return { ...given, userOrganizationId, status: 'active', search: listText(data.roleKeys) }
    }
    if (!isLivingAuthorization(state)) return state
    switch (type) {
      case 'authorization.changed.v1':
        return { ...state, roleKeys: data.roleKeys, search: listText(data.roleKeys) }
      case 'authorization.deactivated.v1':
        return { ...state, status: 'inactive' }
      case 'authorization.reactivated.v1':
        return { ...state, status: 'active' }
      case 'authorization.removed.v1':
        return { status: 'removed', of: placeIn(state) }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('authorization.id_taken')
      const { type: _, ...data } = command
      return accept({ type: 'authorization.added.v1', data: { ...data, roleKeys: distinctKeys(data.roleKeys) } })
    }
    if (command.type === 'add_for_group') {
      if (state.status !== 'unknown') return refuse('authorization.id_taken')
      const { type: _, ...data } = command
      return accept({ type: 'authorization.group_added.v1', data: { ...data, roleKeys: distinctKeys(data.roleKeys) } })
    }
    // A removal that is repeated succeeds.
    if (state.status === 'removed' && command.type === 'remove') return accept()
    if (!isLivingAuthorization(state)) return refuse('authorization.not_found')
    switch (command.type) {
      case 'change': {
        const roleKeys = distinctKeys(command.roleKeys)
        if (!sameKeys(roleKeys, state.roleKeys)) return accept({ type: 'authorization.changed.v1', data: { roleKeys } })
        return command.mustDiffer ? refuse('authorization.unchanged') : accept()
      }
      case 'deactivate':
        return state.status === 'inactive' ? accept() : accept({ type: 'authorization.deactivated.v1', data: {} })
      case 'reactivate':
        return state.status === 'active' ? accept() : accept({ type: 'authorization.reactivated.v1', data: {} })
      case 'remove':
        return accept({ type: 'authorization.removed.v1', data: {} })
    }
  },
}
