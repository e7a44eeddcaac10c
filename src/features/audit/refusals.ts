/** Refusals about the event log. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const auditRefusals = {
  'audit.filter_invalid': ['invalid', 'The event filter is invalid.'],
} as const satisfies Catalogue
