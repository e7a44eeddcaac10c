/** A world that stays as it is, however many calls are made in it. */
import { Refused } from '../../src/kernel/refusal.ts'
import type { Store } from '../../src/store/index.ts'

/** The refusal of what would have been written. */
export const KEPT = 'test.kept'

/** A store that does everything but commit. */
export function withoutCommit(store: Store): Store {
  return {
    ...store,
    write: (origin, build) =>
      store.write(origin, async (work) => {
        await build(work)
        throw new Refused(KEPT, 'precondition', 'It would have been written.')
      }),
  }
}
