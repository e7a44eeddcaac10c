/** Every "no" about imports as such; what is wrong with a person is said by the rooms that keep people. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const importRefusals = {
  'import.too_many': ['exhausted', 'Too many imports are running. Try again when one has finished.'],
  'import.stopped': ['unavailable', 'The import stopped at this line. Send this line and all following lines again.'],
} as const satisfies Catalogue

/** A code of this room. */
export type ImportRefusal = keyof typeof importRefusals
