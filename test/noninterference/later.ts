/** B adds users under all IDs of A, and does to them what administrators do. All of it is written. */

import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { actorName } from '../../src/kernel/actor.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { users } from '../matrices/scene.ts'
import type { Tenants } from './world.ts'

const OWNER = 'ORG_OWNER'

/** What became of a call: `ok`, or the code of the refusal. */
async function outcomeOf(called: Promise<unknown>): Promise<string> {
  try {
    await called
    return 'ok'
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

/** What people of A can do with what they hold. */
export async function lifeOfA({ scene, bearersOfA }: Tenants): Promise<Readonly<Record<string, string>>> {
  const outcomes = Object.entries(bearersOfA).map(
    async ([name, bearer]) =>
      [name, await outcomeOf(scene.call(AuthService.method.getMyUser, {}, { bearer }))] as const,
  )
  return Object.fromEntries(await Promise.all(outcomes))
}

/** The position in the log. */
export async function lastSequence({ scene }: Tenants): Promise<number> {
  return (await scene.store.events({ descending: true, limit: 1 }))[0]?.sequence ?? 0
}

/** Events on streams of A after a position, except what signing in writes. */
export async function writtenOnA({ scene, owners, streams }: Tenants, from: number): Promise<readonly string[]> {
  const events = await scene.store.events({ from, limit: 10_000 })
  return events
    .filter(({ kind, id, owner }) => owners.has(owner) || streams.has(`${kind}/${id}`))
    .map(({ kind, id, type, actor }) => `${type} on ${kind}/${id} by ${actorName(actor)}`)
}

/** Adds the users and acts on them; answers how many IDs could be taken. */
export async function takeIdsOfA({ scene, callers, idsOfA }: Tenants): Promise<number> {
  const { call } = scene
  const as = callers[OWNER]
  let taken = 0
  for (const [index, userId] of idsOfA.entries()) {
    const added = await outcomeOf(
      call(
        users.addHumanUser,
        {
          userId,
          username: `taker-${index}`,
          profile: { firstName: 'Taker', lastName: String(index) },
          email: { email: `taker-${index}@example.com`, verification: { case: 'isVerified', value: true } },
        },
        as,
      ),
    )
    if (added !== 'ok') continue
    taken += 1
    const password = { password: 'Correct horse 7 battery' }
    await call(users.setPassword, { userId, newPassword: password }, as)
    await call(users.lockUser, { userId }, as)
    await call(users.unlockUser, { userId }, as)
    await call(users.deactivateUser, { userId }, as)
    await call(users.reactivateUser, { userId }, as)
    await call(users.deleteUser, { userId }, as)
  }
  return taken
}
