/** The refusals of the store itself; the refusals of modules pass through it unchanged. */
import type { Catalogue } from '../kernel/refusal.ts'

export type StoreRefusal = keyof typeof storeRefusals

/** The store's refusals; thrown with `refused(storeRefusals, code)`. */
export const storeRefusals = {
  'store.conflict': ['aborted', 'Another request changed the same data at the same time. Try again.'],
  'store.unavailable': ['unavailable', 'The data cannot be read or written at the moment. Try again later.'],
  'store.overloaded': ['exhausted', 'Too many changes are waiting to be written. Try again in a moment.'],
  'store.filter_too_complex': ['invalid', 'The filter is nested too deeply or has too many conditions.'],
  'store.text_invalid': ['invalid', 'A text contains a character that cannot be stored.'],
} as const satisfies Catalogue<string>
