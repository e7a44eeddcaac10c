/** Every refusal about imports as such; `humans` and `users` refuse single humans. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const importRefusals = {
  'import.too_many': ['exhausted', 'Too many imports are running; try again when one of them is done.'],
  'import.stopped': ['unavailable', 'The import has stopped here; send this line and those after it again.'],
} as const satisfies Catalogue
