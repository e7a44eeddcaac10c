/** Refusals about the health service. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const healthRefusals = {
  'health.service_unknown': ['not_found', 'The service does not exist.'],
} as const satisfies Catalogue
