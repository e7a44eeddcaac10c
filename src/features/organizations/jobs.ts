/** What happens after an organization was removed: everything it owned is removed too, in small commits. */
import { type Clock, systemClock } from '../../kernel/instant.ts'
import type { JobHandlers, Origin } from '../../store/index.ts'

export const ORGANIZATION_REMOVED = 'organization.removed'

/** Removes up to `limit` things that belong to the organization; answers how many there were. */
export type Sweep = (organizationId: string, origin: Origin, limit: number) => Promise<number>

const AT_ONCE = 100

/** Who stands on the events that nobody asked for but follow from the removal. */
export const SWEEPER = 'system'

/** The jobs of this room. `sweeps` are those of the rooms that keep something for an organization. */
export function organizationJobs(sweeps: readonly Sweep[], clock: Clock = systemClock): JobHandlers {
  return {
    async [ORGANIZATION_REMOVED]({ data, signal }) {
      const { organizationId } = data as { readonly organizationId: string }
      for (const sweep of sweeps) {
        // A sweep that finds nothing is done; run again after a crash, it goes on where it was.
        for (let found = 1; found > 0; ) {
          signal.throwIfAborted()
          found = await sweep(organizationId, { actor: SWEEPER, at: clock() }, AT_ONCE)
        }
      }
    },
  }
}
