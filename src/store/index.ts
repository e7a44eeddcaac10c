/** The public interface of the store. Two engines implement it, see `engine.ts`. */
export { type Arrival, type Dates, OBJECT_IMPORTED } from './arrival.ts'
export { computation } from './computation.ts'
export { COUNTS_KEPT_MS } from './counters.ts'
export type { Engine } from './engine.ts'
export type { Portion } from './follow/follow.ts'
export { type Position, positionOf, positionText, readPosition } from './follow/position.ts'
export type { NewJob } from './jobs/new-job.ts'
export { GivenUp } from './jobs/run-jobs.ts'
export { type AnyKind, type Claim, type Count, type Kind, kind } from './kind.ts'
export {
  type BuildProgress,
  type FinishedQuery,
  NO_OBSERVER,
  type StoreObserver,
  type WrittenBatch,
} from './observer.ts'
export { NodeOutdated } from './outdated.ts'
export { type SearchableText, textFilter } from './query/text-filter.ts'
export { storeRefusals } from './refusals.ts'
export {
  endlessPause,
  RETENTION_JOB,
  type Removal,
  type Retention,
  recordRemoved,
  removalKind,
  removeEnded,
  startRetention,
} from './retention.ts'
export { openSqlite } from './sqlite/index.ts'
export { openStore } from './store.ts'
export { isStorableText } from './text.ts'
export type {
  BuiltInField,
  Document,
  EventQuery,
  Filter,
  Finder,
  Job,
  JobFailure,
  JobHandlers,
  JobOptions,
  JobRunner,
  Origin,
  Page,
  Query,
  Reader,
  RunAgain,
  Store,
  StoredEvent,
  Work,
  Written,
} from './types.ts'
