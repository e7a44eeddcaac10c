/** Fills an organization with users, as a directory does. */
import { metadataId, userMetadata } from '../../src/features/metadata/index.ts'
import { users } from '../../src/features/users/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { systemClock } from '../../src/kernel/instant.ts'
import type { Store } from '../../src/store/index.ts'

const AT_ONCE = 100
const WRITERS = 4

const EXTERNAL_ID = 'urn:zitadel:scim:externalId'

/** Writes users with the IDs that a directory has given them (`external-0`, …) through the store, many in one commit: by HTTP it would take longer than everything else. */
export async function fillOrganization(
  store: Store,
  count: number,
  {
    organizationId,
    userId: actor,
    names = 'user',
  }: { readonly organizationId: string; readonly userId: string; readonly names?: string },
): Promise<{ readonly ids: readonly string[] }> {
  const ids: string[] = []
  let next = 0
  const write = async () => {
    while (next < count) {
      const from = next
      next = Math.min(count, next + AT_ONCE)
      const until = next
      const { value } = await store.write({ actor: { user: actor }, at: systemClock() }, async (work) => {
        const added: string[] = []
        for (let number = from; number < until; number++) {
          const name = `${names}-${number}`
          const profile = {
            ...{ firstName: 'Ada', lastName: name, nickName: '', displayName: name },
            preferredLanguage: 'en',
            gender: 'unspecified',
          } as const
          const email = { address: `${name}@example.com`, isVerified: true }
          const id = newId()
          const human = { type: 'add_human', userName: name, profile, email, needsSetUp: false } as const
          await work.begin(users, id, human, organizationId)
          const value = Buffer.from(`external-${number}`).toString('base64')
          const entry = { type: 'set', userId: id, key: EXTERNAL_ID, value } as const
          await work.begin(userMetadata, metadataId(id, EXTERNAL_ID), entry, organizationId)
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
