/**
 * Calls of receivers of signals (Shared Signals Framework). Any token counts whose user holds `signal.receive`: in their own
 * organization, then the streams are about its users, or on the instance, then they are about all.
 */
import type { Instant } from '../kernel/instant.ts'
import { refused } from '../kernel/refusal.ts'
import { type AuthorizationOptions, identifyCaller } from './authorization.ts'
import type { Caller, Grant, RequestHead } from './call.ts'
import { accessRefusals } from './refusals.ts'
import type { Permission } from './role-permissions.ts'
import { holdsIn, holdsOnInstance } from './roles.ts'

/** All that a receiver of signals has the right to do. */
export const SIGNALS_PERMISSION = 'signal.receive' satisfies Permission

/** Of whom somebody with these grants may hear: of all users, of those of their organization, or of nobody. */
export function signalsReach(
  grants: readonly Grant[],
  organizationId: string,
): 'instance' | 'organization' | undefined {
  if (holdsOnInstance(grants, SIGNALS_PERMISSION)) return 'instance'
  return holdsIn(grants, SIGNALS_PERMISSION, organizationId) ? 'organization' : undefined
}

/** A receiver who is known and may receive something. */
export interface SignalReceiver {
  readonly caller: Caller
  readonly at: Instant
}

/**
 * Identifies the receiver of a request, or throws the refusal that answers it. `isAgain`: as of now, for a request that was
 * authorized before; a proof of possession counts only once.
 */
export type AuthorizeReceiver = (
  request: RequestHead,
  use: 'reads' | 'changes',
  isAgain?: boolean,
) => Promise<SignalReceiver>

/** Authorizes receivers like callers of the API. */
export function openReceivers(options: AuthorizationOptions): AuthorizeReceiver {
  return async (request, use, isAgain = false) => {
    const at = options.clock()
    const caller = await identifyCaller(options, request, at, isAgain)
    if (caller === undefined) throw refused(accessRefusals, 'access.unauthenticated')
    if (caller.reach !== undefined && !caller.reach[use]) throw refused(accessRefusals, 'access.scope_missing')
    if (signalsReach(caller.grants, caller.organizationId) === undefined)
      throw refused(accessRefusals, 'access.forbidden')
    return { caller, at }
  }
}
