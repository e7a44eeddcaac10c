/** Every refusal about the log. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const auditRefusals = {
  'audit.filter_invalid': ['invalid', 'The events cannot be filtered by this.'],
} as const satisfies Catalogue
