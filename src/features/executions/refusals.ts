/** Refusals about executions. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const executionRefusals = {
  'execution.condition_invalid': ['invalid', 'The condition of the execution is invalid.'],
  'execution.condition_unknown': ['not_found', 'The condition names something that does not exist.'],
  'execution.target_unknown': ['not_found', 'A target of the execution does not exist, or is there twice.'],
  'execution.target_failed': ['precondition', 'An action of this server failed.'],
} as const satisfies Catalogue

/** A code of this module. */
export type ExecutionRefusal = keyof typeof executionRefusals
