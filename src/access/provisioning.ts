/**
 * Calls of directories that feed users in (SCIM). Any token counts whose user holds the permissions of the API in the
 * organization, and one that holds only `user.provision` there: at this door it stands for reading, changing and removing
 * users and groups, and nowhere else for anything.
 */
import { refused } from '../kernel/refusal.ts'
import type { Origin } from '../store/index.ts'
import { type AuthorizationOptions, identifyCaller } from './authorization.ts'
import type { Call, Caller, Place, RequestHead } from './call.ts'
import { accessRefusals } from './refusals.ts'
import { RequestCall, type RequestCallParts } from './request-call.ts'
import { ABOUT_NO_USER } from './requirement.ts'
import type { Permission } from './role-permissions.ts'
import { permissionsIn } from './roles.ts'

/** All that a directory has the right to do. */
const PROVISION = 'user.provision' satisfies Permission

/** What the right of a directory stands for. */
const STANDS_FOR: ReadonlySet<string> = new Set<Permission>([
  ...(['user.read', 'user.write', 'user.delete'] as const),
  ...(['group.read', 'group.create', 'group.write', 'group.delete'] as const),
  ...(['group.user.read', 'group.user.write', 'group.user.delete'] as const),
])

/** A call in which the right of a directory counts as what it stands for. */
class ProvisioningCall extends RequestCall {
  override readonly origin: Origin

  constructor(parts: RequestCallParts & { readonly caller: Caller }) {
    super(parts)
    const { userId } = parts.caller
    this.origin = { actor: { user: userId }, at: parts.at, directory: userId }
  }

  override may(permission: string, place: Place): boolean {
    return super.may(permission, place) || (STANDS_FOR.has(permission) && super.may(PROVISION, place))
  }
}

/** A caller who is known, and has a role in the organization. */
export interface Provisioner {
  readonly caller: Caller
  readonly organizationId: string
  /** The call of one operation; throws unless the caller has the permission in the organization. */
  callWith(permission: Permission): Call
  /** Authorizes the request as of now, for what it does later: the caller may have lost the right meanwhile. */
  again(): Promise<Provisioner>
}

/** Identifies the caller of a request about one organization, or throws the refusal that answers it. */
export type AuthorizeProvisioning = (request: RequestHead, organizationId: string) => Promise<Provisioner>

/** Throws when the scopes of the token do not reach as far as the permission. */
function checkReach({ reach }: Caller, permission: Permission): void {
  if (reach === undefined || (permission.endsWith('.read') ? reach.reads : reach.changes)) return
  throw refused(accessRefusals, 'access.scope_missing')
}

/** Authorizes directories like callers of the API. */
export function openProvisioning(options: AuthorizationOptions): AuthorizeProvisioning {
  const authorize = async (request: RequestHead, organizationId: string, isAgain: boolean): Promise<Provisioner> => {
    const at = options.clock()
    const caller = await identifyCaller(options, request, at, isAgain)
    if (caller === undefined) throw refused(accessRefusals, 'access.unauthenticated')
    if (caller.mustChangePassword === true) throw refused(accessRefusals, 'access.password_change_required')
    // Who has no role there does not learn whether the organization exists.
    const isThere = (await options.organization(organizationId)) !== undefined
    if (!isThere || permissionsIn(caller.grants, organizationId).length === 0) {
      throw refused(accessRefusals, 'access.membership_not_found')
    }
    const parts = {
      caller,
      organizationId,
      at,
      request,
      instanceId: options.instanceId,
    }
    return {
      caller,
      organizationId,
      callWith(permission) {
        checkReach(caller, permission)
        const call = new ProvisioningCall({ ...parts, requirement: { type: 'context', permission, ...ABOUT_NO_USER } })
        call.authorize(organizationId)
        return call
      },
      again: () => authorize(request, organizationId, true),
    }
  }
  return (request, organizationId) => authorize(request, organizationId, false)
}
