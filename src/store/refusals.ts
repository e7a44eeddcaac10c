/** The refusals of the store itself; the refusals of modules pass through it unchanged. */
import type { Catalogue } from '../kernel/refusal.ts'

export type StoreRefusal = keyof typeof storeRefusals

/** The store's refusals; thrown with `refused(storeRefusals, code)`. */
export const storeRefusals = {
  'store.conflict': ['aborted', 'The data was changed by another request at the same time. Try again.'],
  'store.unavailable': ['unavailable', 'The database is unavailable. Try again later.'],
  'store.overloaded': ['exhausted', 'The server is overloaded. Try again later.'],
  'store.filter_too_complex': ['invalid', 'The filter is nested too deeply or has too many conditions.'],
  'store.text_invalid': ['invalid', 'The request contains a character that cannot be stored.'],
  'store.limit_reached': ['precondition', 'A limit of the server is reached. The message says which one.'],
  'store.document_too_large': ['precondition', 'What is stored about one object would be too large.'],
  'store.position_unknown': [
    'precondition',
    'The event log has no such position. It may have been restored from a backup. Start at an earlier position.',
  ],
  'store.log_changed': ['unavailable', 'The database has another event log than before. Try again.'],
} as const satisfies Catalogue<string>
