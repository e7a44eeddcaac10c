/** Removes personal access tokens, keys and secrets of machine users. */

import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { removeOnce } from '../../../module/remove-once.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { type LivingUser, type User, users } from '../../users/index.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from '../documents.ts'
import { machineRefusals } from '../refusals.ts'

type CredentialKind = typeof personalAccessTokens | typeof machineKeys
type MachineRefusal = keyof typeof machineRefusals

/** Removes a credential of a user, unless that was done before. One of another user is refused as not found. */
function removeCredential(
  { store }: App,
  origin: Origin,
  user: Document<LivingUser>,
  of: { readonly kind: CredentialKind; readonly id: string; readonly notFound: MachineRefusal },
): Promise<Document<unknown>> {
  // Both kinds have the same commands, and these members in their states.
  const kind = of.kind as typeof machineKeys
  const findRemoved = async () => {
    const before = await store.getRemoved(kind, of.id)
    return before?.owner === user.owner ? before : undefined
  }
  return removeOnce(findRemoved, async () => {
    const { value } = await store.write(origin, async (work) => {
      const state = (await work.get(kind, of.id))?.state
      if (state?.status !== 'active' || state.userId !== user.id) throw refused(machineRefusals, of.notFound)
      return work.decide(kind, of.id, { type: 'remove' })
    })
    return value
  })
}

/** Removes a personal access token, unless that was done before. A token of another user is not found. */
export function removePersonalAccessToken(app: App, origin: Origin, user: Document<LivingUser>, id: string) {
  return removeCredential(app, origin, user, { kind: personalAccessTokens, id, notFound: 'machine.token_not_found' })
}

/** Removes a key, unless that was done before. A key of another user is not found. */
export function removeMachineKey(app: App, origin: Origin, user: Document<LivingUser>, id: string) {
  return removeCredential(app, origin, user, { kind: machineKeys, id, notFound: 'machine.key_not_found' })
}

/** Removes the secret of a machine user. */
export function removeMachineSecret({ store }: App, origin: Origin, userId: string): Promise<Written<Document<User>>> {
  return store.write(origin, async (work) => {
    const user = await work.decide(users, userId, { type: 'remove_machine_secret' })
    await work.decide(machineSecrets, userId, { type: 'remove' })
    return user
  })
}

/** Removes all credentials of a user in the commit that removes the user. */
export async function removeCredentials(app: App, work: Work, userId: string): Promise<void> {
  const where = { field: 'userId', equals: userId } as const
  await eachAtOnce(await app.store.findIds(personalAccessTokens, where), async (id) => {
    // It may have been removed since it was found.
    if (await work.get(personalAccessTokens, id)) await work.decide(personalAccessTokens, id, { type: 'remove' })
  })
  await eachAtOnce(await app.store.findIds(machineKeys, where), async (id) => {
    if (await work.get(machineKeys, id)) await work.decide(machineKeys, id, { type: 'remove' })
  })
  const secret = await work.get(machineSecrets, userId)
  if (secret?.state.status === 'set') await work.decide(machineSecrets, userId, { type: 'remove' })
}
