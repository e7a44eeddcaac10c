/** When sign-ins that are over leave the log: what providers told about people is not kept longer than anybody needs it. */
import type { Leaving } from '../../store/index.ts'
import type { Intent } from './decider.ts'
import { intentRetirements, intents } from './documents.ts'

/** Long enough to look into the log for why a sign-in failed. */
const RETENTION_MILLISECONDS = 24 * 3_600_000

/**
 * Intents leave a day after they expired, whatever became of them, and a day after anything last happened to them: one
 * that never began, or was answered too late, can be looked at for as long.
 */
export const leavingIntents: Leaving<Intent> = {
  kind: intents,
  records: intentRetirements,
  retentionMs: RETENTION_MILLISECONDS,
  // The answers of a provider may be a megabyte each.
  atOnce: 50,
  async findOver(store, over, limit) {
    const all = [
      { field: 'expiresAt', atMost: over },
      { field: 'changedAt', atMost: over },
    ] as const
    const { documents } = await store.find(intents, { where: { all }, orderBy: 'expiresAt', limit })
    return documents.map(({ id }) => id)
  },
  isOver: ({ state, changedAt }, over) => state.status !== 'unknown' && state.expiresAt <= over && changedAt <= over,
}
