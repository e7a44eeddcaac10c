/** When sign-ins that are over leave the log: what providers told about people is not kept longer than anybody needs it. */
import type { Retention } from '../../store/index.ts'
import type { Intent } from './decider.ts'
import { intentRetirements, intents } from './documents.ts'

/** Long enough to look into the log for why a sign-in failed. */
const RETENTION_MILLISECONDS = 24 * 3_600_000

/**
 * Intents leave a day after they expired, whatever became of them, and a day after anything last happened to them: one
 * that never began, or was answered too late, can be looked at for as long.
 */
export const leavingIntents: Retention<Intent> = {
  kind: intents,
  records: intentRetirements,
  retentionMs: RETENTION_MILLISECONDS,
  // The answers of a provider may be a megabyte each.
  batchSize: 50,
  async findEnded(store, endedBy, limit) {
    const all = [
      { field: 'expiresAt', atMost: endedBy },
      { field: 'changedAt', atMost: endedBy },
    ] as const
    const { documents } = await store.find(intents, { where: { all }, orderBy: 'expiresAt', limit })
    return documents.map(({ id }) => id)
  },
  hasEnded: ({ state, changedAt }, endedBy) =>
    state.status !== 'unknown' && state.expiresAt <= endedBy && changedAt <= endedBy,
}
