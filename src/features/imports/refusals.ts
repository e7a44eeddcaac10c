/** Refusals about imports and about the files that the console uploads. `humans` and `users` refuse single users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const importRefusals = {
  'import.too_many': ['exhausted', 'Too many imports are running. Try again when one has finished.'],
  'import.too_slow': [
    'unavailable',
    'The import stopped at this line because lines arrived too slowly. Send this line and all following lines again.',
  ],
  'import.stopped': ['unavailable', 'The import stopped at this line. Send this line and all following lines again.'],
  'import.running': ['conflict', 'An import is running. Wait until it has ended, or stop it.'],
  'import.file_missing': ['precondition', 'A file that is needed has not been uploaded completely.'],
  'import.file_unknown': ['invalid', 'There is no such file of this product.'],
  'import.file_moved': ['conflict', 'The part does not begin where the file ends. Begin with its first part again.'],
  'import.too_large': ['invalid', 'The files are too large for the console. Run signet import on the server.'],
  'import.no_space': ['unavailable', 'The disk of the server is full.'],
  'import.unread': [
    'precondition',
    'Read first what must be decided before people sign in: the report begins with it.',
  ],
  'import.report_missing': ['not_found', 'There is no report.'],
} as const satisfies Catalogue
