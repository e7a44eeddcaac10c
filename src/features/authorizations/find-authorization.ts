/** Finds the authorization of a call, and checks the permission of the method on it. */

import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import type { LivingAuthorization } from './decider.ts'
import { findAuthorization, placeOfAuthorization } from './documents.ts'
import { authorizationRefusals } from './refusals.ts'

/** The authorization, if the caller holds the permission of the method on it; undefined when there is none. */
export async function authorizationIfAny(
  app: App,
  call: Call,
  id: string,
): Promise<Document<LivingAuthorization> | undefined> {
  const document = await findAuthorization(app, id)
  // The caller holds the permission somewhere, and there is nothing to hold it on.
  if (document === undefined) call.visibleOwners()
  else call.authorize(await placeOfAuthorization(app, document.state))
  return document
}

/** Like the function above, but throws `authorization.not_found`. With `userId`, an authorization of another user is not found. */
export async function authorizationForCaller(
  app: App,
  call: Call,
  id: string,
  userId?: string,
): Promise<Document<LivingAuthorization>> {
  const document = await authorizationIfAny(app, call, id)
  if (document === undefined || (userId !== undefined && document.state.userId !== userId)) {
    throw refused(authorizationRefusals, 'authorization.not_found')
  }
  return document
}
