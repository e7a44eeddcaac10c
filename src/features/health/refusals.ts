/** Every refusal about health. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const healthRefusals = {
  'health.service_unknown': ['not_found', 'There is no such service.'],
} as const satisfies Catalogue
