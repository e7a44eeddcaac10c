/** Refusals about imports. `humans` and `users` refuse single users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const importRefusals = {
  'import.too_many': ['exhausted', 'Too many imports are running. Try again when one has finished.'],
  'import.too_slow': [
    'unavailable',
    'The import stopped at this line because lines arrived too slowly. Send this line and all following lines again.',
  ],
  'import.stopped': ['unavailable', 'The import stopped at this line. Send this line and all following lines again.'],
} as const satisfies Catalogue
