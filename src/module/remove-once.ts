/** Removals that can be repeated: a caller that got no answer tries again, perhaps while the first one is still running. */
import { Refused } from '../kernel/refusal.ts'
import type { Document } from '../store/index.ts'

/** Removes something, unless `findRemoved` finds what is left of it; returns that, as the first removal left it. */
export async function removeOnce<State>(
  findRemoved: () => Promise<Document<State> | undefined>,
  remove: () => Promise<Document<State>>,
): Promise<Document<State>> {
  const before = await findRemoved()
  if (before !== undefined) return before
  try {
    return await remove()
  } catch (error) {
    const meanwhile = error instanceof Refused ? await findRemoved() : undefined
    if (meanwhile === undefined) throw error
    return meanwhile
  }
}
