/** Functions for users: what their targets answer is the same for tokens and for SAML responses, and so is what it changes. */
import { Refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { setMetadata } from '../metadata/index.ts'
import type { LivingUser } from '../users/index.ts'
import type { FunctionName } from './conditions.ts'
import { type FunctionAnswer, functionExecution, runFunction } from './functions.ts'

/** Writes what a function says about a user. A failure is an entry in the log of the function. */
async function writeMetadata(app: App, user: Document<LivingUser>, answer: FunctionAnswer): Promise<readonly string[]> {
  const entries = answer.set_user_metadata ?? []
  if (entries.length === 0) return []
  const { id: userId, owner: organizationId } = user
  try {
    await app.store.write({ actor: 'server', at: app.clock() }, (work) =>
      setMetadata(
        work,
        { userId, organizationId },
        entries.map(({ key, value }) => ({ key, value: Buffer.from(value, 'base64') })),
      ),
    )
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    app.log.warn({ userId, problem: error.message }, 'what a function of an action says about a user cannot be set')
    return [`failed to set metadata: ${error.message}`]
  }
}

export interface FunctionOutcome {
  readonly answer: FunctionAnswer
  /** What could not be done. */
  readonly problems: readonly string[]
}

/**
 * Calls the targets of a function and writes the metadata that they set; undefined when there are none. `membersOf` gives
 * the payload after the name of the function. Throws when a target fails that interrupts.
 */
export async function runFunctionFor(
  app: App,
  name: FunctionName,
  { user, projectId }: { readonly user: Document<LivingUser>; readonly projectId: string },
  membersOf: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<FunctionOutcome | undefined> {
  const execution = await functionExecution(app, name)
  if (execution === undefined) return undefined
  // With a dead target, nobody could sign in to the console to take it away again.
  if (projectId !== '' && projectId === (await apiProjectId(app))) return undefined
  const answer = await runFunction(app, execution, await membersOf(), user)
  return { answer, problems: await writeMetadata(app, user, answer) }
}
