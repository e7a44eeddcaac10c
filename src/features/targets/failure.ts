/** Why the call of a target failed. */
import type { RefusalKind } from '../../kernel/refusal.ts'

export interface FailureExtras {
  /** The message that the target wants the caller to see. */
  readonly forwarded?: string
  /** Whether there was no answer at all. */
  readonly isUnreachable?: boolean
  /** Whether it was not called. */
  readonly isSkipped?: boolean
}

/** A failed call. Its message follows the name of the target: "did not answer in time". */
export class TargetFailed extends Error {
  override readonly name = 'TargetFailed'
  readonly kind: RefusalKind
  readonly forwarded: string | undefined
  readonly isUnreachable: boolean
  /** A word for monitoring. */
  readonly result: 'failed' | 'forwarded' | 'skipped'

  constructor(kind: RefusalKind, problem: string, extras: FailureExtras = {}) {
    const { forwarded, isUnreachable = false, isSkipped = false } = extras
    super(problem)
    this.kind = kind
    this.forwarded = forwarded
    this.isUnreachable = isUnreachable
    this.result = isSkipped ? 'skipped' : forwarded === undefined ? 'failed' : 'forwarded'
  }
}
