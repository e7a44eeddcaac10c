/** Changes, deactivates, reactivates and removes authorizations. */
import type { App } from '../../../access/app.ts'
import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import type { Authorization, LivingAuthorization } from '../decider.ts'
import { authorizations, findAuthorization } from '../documents.ts'
import { authorizationRefusals } from '../refusals.ts'
import { requireRoles } from './add-authorization.ts'

type WrittenAuthorization = Promise<Written<Document<Authorization>>>

async function requireAuthorization(app: App, work: Work, id: string): Promise<Document<LivingAuthorization>> {
  const document = await findAuthorization(app, id, work)
  if (document === undefined) throw refused(authorizationRefusals, 'authorization.not_found')
  return document
}

/** Replaces the roles. With `mustDiffer`, refused when the user has exactly these already. */
export function changeAuthorization(
  app: App,
  call: Call,
  id: string,
  roleKeys: readonly string[],
  mustDiffer: boolean,
): WrittenAuthorization {
  return app.store.write(call.origin, async (work) => {
    const { state } = await requireAuthorization(app, work, id)
    await requireRoles(app, work, state, roleKeys)
    return work.decide(authorizations, id, { type: 'change', roleKeys, mustDiffer })
  })
}

/** Deactivates an authorization, and ends what the user could do by it. */
export function deactivateAuthorization(app: App, call: Call, id: string): WrittenAuthorization {
  return app.store.write(call.origin, async (work) => {
    const { state } = await requireAuthorization(app, work, id)
    if (state.status === 'active') await app.lifecycle.whenAuthorizationEnded(app, work, state.userId, state.projectId)
    return work.decide(authorizations, id, { type: 'deactivate' })
  })
}

/** Reactivates an authorization. */
export function reactivateAuthorization(app: App, call: Call, id: string): WrittenAuthorization {
  return app.store.write(call.origin, (work) => work.decide(authorizations, id, { type: 'reactivate' }))
}

/** Removes an authorization as part of a write, and ends what the user could do by it. */
export async function removeAuthorizationIn(app: App, work: Work, id: string): Promise<Document<Authorization>> {
  const document = await findAuthorization(app, id, work)
  if (document !== undefined) {
    await app.lifecycle.whenAuthorizationEnded(app, work, document.state.userId, document.state.projectId)
  }
  return work.decide(authorizations, id, { type: 'remove' })
}

/** Removes an authorization. */
export function removeAuthorization(app: App, call: Call, id: string): WrittenAuthorization {
  return app.store.write(call.origin, (work) => removeAuthorizationIn(app, work, id))
}

/** Removes authorizations, all or none. */
export async function removeAuthorizations(app: App, call: Call, ids: readonly string[]): Promise<void> {
  await app.store.write(call.origin, async (work) => {
    for (const id of ids) await removeAuthorizationIn(app, work, id)
  })
}
