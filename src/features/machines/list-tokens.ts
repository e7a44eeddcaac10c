/** The tokens of some users, without what they are, for other modules. */
import type { App } from '../../module/app.ts'
import { personalAccessTokens } from './documents.ts'
import { credentialV2 } from './messages.ts'

const MOST_TOKENS = 200

export type ListedToken = Awaited<ReturnType<typeof credentialV2>>

/** The tokens of these users, the newest first. */
export async function tokensOf(app: App, userIds: readonly string[]): Promise<readonly ListedToken[]> {
  if (userIds.length === 0) return []
  const { documents } = await app.store.find(personalAccessTokens, {
    where: { field: 'userId', in: userIds },
    orderBy: 'createdAt',
    descending: true,
    limit: MOST_TOKENS,
  })
  return Promise.all(documents.map((token) => credentialV2(app, 'token', token)))
}
