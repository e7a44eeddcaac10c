/** Users that an organization proposes for an account that nobody has. */
import type { App } from '../../../module/app.ts'
import { proposedUsers, type RetrievedIntent } from '../../sign-in-intents/index.ts'
import { homeOf } from '../providers.ts'

export interface ProposedUser {
  readonly userId: string
  readonly userName: string
}

/** The users that the visited organization proposes. Where none is visited, the organization that new users join. */
export async function proposedFor(
  app: App,
  { intent, provider, identity: { claims } }: RetrievedIntent,
  visitedId: string | undefined,
): Promise<readonly ProposedUser[]> {
  const { externalUserId } = intent.state
  const home = await homeOf(app, provider.owner)
  const users = await proposedUsers(app, { provider, externalUserId, claims, visitedId: visitedId ?? home })
  return users.map(({ id: userId, state: { userName } }) => ({ userId, userName }))
}
