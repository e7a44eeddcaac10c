/** A job as the code that enqueues it describes it. */
import type { Instant } from '../../kernel/instant.ts'

/** Work to do after the commit: mail, webhooks. `data` is JSON. */
export interface NewJob {
  /** For a caller that must know the id; it must come from `newId`. Default: a new one. */
  readonly id?: string
  readonly kind: string
  readonly data: unknown
  readonly dueAt?: Instant
  /** Whether it is also enqueued when this work is refused and only the events of the refusal are committed. */
  readonly keptWithRefusal?: boolean
  /** Whether it is also enqueued by a write that brings objects from elsewhere: it is still to be done. */
  readonly isOwed?: boolean
}
