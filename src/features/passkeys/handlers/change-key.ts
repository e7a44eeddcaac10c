/** Renames and removes keys, and removes all keys of a removed user. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { lineProblem } from '../../users/index.ts'
import type { ReadyPasskey } from '../decider.ts'
import { openRegistration } from '../decisions/registration.ts'
import { passkeyRegistrations, passkeys, registrationId } from '../documents.ts'
import type { KeyUse } from '../events.ts'
import { keysOf } from '../find-keys.ts'
import { passkeyRefusals } from '../refusals.ts'

/** A key of a user; a key of another user or use is not found. */
export interface KeyOf {
  readonly userId: string
  readonly use: KeyUse
  readonly passkeyId: string
}

async function readKey(work: Work, { userId, use, passkeyId }: KeyOf): Promise<Document<ReadyPasskey>> {
  const key = await work.get(passkeys, passkeyId)
  if (key?.state.status !== 'ready' || key.state.userId !== userId || key.state.use !== use) {
    throw refused(passkeyRefusals, 'passkey.not_found')
  }
  return key as Document<ReadyPasskey>
}

/** Throws, and names the field, unless this is a valid name of a key. */
export function checkName(name: string, field: string): void {
  const description = lineProblem(name)
  if (description === undefined) return
  throw refused(passkeyRefusals, 'passkey.name_invalid', { violations: [{ field, description }] })
}

/** Renames a key. */
export function renameKey(app: App, origin: Origin, of: KeyOf, name: string, nameField: string) {
  checkName(name, nameField)
  return app.store.write(origin, async (work) => {
    await readKey(work, of)
    return work.decide(passkeys, of.passkeyId, { type: 'rename', name })
  })
}

/** Removes a key, ready or not; refused when the user would lose their last way to sign in. */
export function removeKey(app: App, origin: Origin, of: KeyOf): Promise<Written<Document<unknown>>> {
  const { userId, use, passkeyId: id } = of
  return app.store.write<Document<unknown>>(origin, async (work) => {
    const pendingId = registrationId(userId, use)
    const pending = (await work.get(passkeyRegistrations, pendingId))?.state
    if (pending !== undefined && openRegistration(pending, id) !== undefined) {
      return work.decide(passkeyRegistrations, pendingId, { type: 'cancel', passkeyId: id })
    }
    await readKey(work, of)
    if (use === 'passkey') await app.lifecycle.beforeSignInMethodRemoved(app, work, userId, { type: 'passkey', id })
    return work.decide(passkeys, of.passkeyId, { type: 'remove' })
  })
}

/** Removes the keys that a user has, as part of a write. */
export async function removeKeysOf(app: App, work: Work, userId: string): Promise<void> {
  for (const { id } of await keysOf(app, userId)) {
    if (await work.get(passkeys, id)) await work.decide(passkeys, id, { type: 'remove' })
  }
}

/** Removes all keys of a user in the commit that removes the user; does nothing when nothing is left. */
export async function removePasskeysOf(app: App, work: Work, userId: string): Promise<void> {
  await removeKeysOf(app, work, userId)
  for (const use of ['passkey', 'second_factor'] as const) {
    const id = registrationId(userId, use)
    if (await work.get(passkeyRegistrations, id)) await work.decide(passkeyRegistrations, id, { type: 'remove' })
  }
}
