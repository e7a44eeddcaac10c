/** Lets the code that sets up a second factor count for the session in which it is set up. */

import { newSessionToken } from '../../../crypto/tokens.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import type { SetUpFactor } from '../decider.ts'
import { sessions } from '../documents.ts'
import type { OpenSession } from '../state.ts'
import { readPerson } from './gather-checks.ts'
import type { ChangedSession } from './prepare-change.ts'
import { recordChecks } from './record-checks.ts'

/**
 * Adds a factor to the session of its user, in the write that sets it up, and renews the token. Otherwise the user would
 * be asked for a second code, because a factor is required as soon as it is set up.
 */
export async function addFactor(
  app: App,
  work: Work,
  { sessionId, userId, factor }: { readonly sessionId: string; readonly userId: string; readonly factor: SetUpFactor },
): Promise<Omit<ChangedSession, 'challenges'>> {
  const { text: token, hash: tokenHash } = newSessionToken(sessionId)
  const person = await readPerson(app, work, userId)
  const command = { type: 'add_factor', factor, person, tokenHash, at: work.origin.at } as const
  const before = (await work.get(sessions, sessionId))?.state
  const session = (await work.decide(sessions, sessionId, command)) as Document<OpenSession>
  await recordChecks(app, work, session, before?.status === 'open' ? before : undefined)
  return { session, token }
}
