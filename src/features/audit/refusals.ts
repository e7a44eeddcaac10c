/** Refusals about the event log. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const auditRefusals = {
  'audit.filter_invalid': ['invalid', 'The event filter is invalid.'],
  'audit.position_invalid': ['invalid', 'The position is not one of the event log.'],
  'audit.too_many_streams': ['exhausted', 'Too many event streams are open. Close one, or try again later.'],
} as const satisfies Catalogue
