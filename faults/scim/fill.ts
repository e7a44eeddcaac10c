/** Fills an organization with users. */
import { users } from '../../src/features/users/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { systemClock } from '../../src/kernel/instant.ts'
import type { Store } from '../../src/store/index.ts'

const AT_ONCE = 100
const WRITERS = 4

/** Writes users through the store, many in one commit: by HTTP it would take longer than everything else. */
export async function fillOrganization(
  store: Store,
  count: number,
  { organizationId, userId: actor }: { readonly organizationId: string; readonly userId: string },
): Promise<{ readonly ids: readonly string[] }> {
  const ids: string[] = []
  let next = 0
  const write = async () => {
    while (next < count) {
      const from = next
      next = Math.min(count, next + AT_ONCE)
      const until = next
      const { value } = await store.write({ actor, at: systemClock() }, async (work) => {
        const added: string[] = []
        for (let number = from; number < until; number++) {
          const name = `user-${number}`
          const profile = {
            ...{ firstName: 'Ada', lastName: name, nickName: '', displayName: name },
            preferredLanguage: 'en',
            gender: 'unspecified',
          } as const
          const email = { address: `${name}@example.com`, isVerified: true }
          const id = newId()
          const human = { type: 'add_human', userName: name, profile, email, needsSetUp: false } as const
          await work.begin(users, id, human, organizationId)
          added.push(id)
        }
        return added
      })
      ids.push(...value)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return { ids }
}
