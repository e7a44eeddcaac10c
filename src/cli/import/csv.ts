/** `signet import users.csv`: looks at the whole file first, and sends it as the lines that the server takes. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ColumnMapping } from '../../kernel/csv/column-mapping.ts'
import {
  HeaderRefused,
  linesForImport,
  type Preview,
  previewUsers,
  type RowProblem,
  type RowProblemKind,
} from '../../kernel/csv/read-users.ts'
import { groupDigits } from '../progress.ts'
import { meaningOf } from '../setting-refused.ts'
import { readMapping } from './csv-mapping.ts'
import { CannotImport, type ImportOptions, importFile } from './import.ts'

const MEANINGS: Readonly<Record<RowProblemKind, string>> = {
  required: 'must not be empty',
  flag: 'must be true or false',
  email: 'must be an email address',
  state: 'must be active or empty: imported users are active',
  too_long: 'is too long',
  unreadable: 'is not valid base64',
  unknown_column: 'is not a column of users',
  repeated_column: 'is there twice',
  missing_column: 'is missing',
  too_many_cells: 'the row has more cells than the first line has columns',
  unclosed_quote: 'a quotation mark is never closed',
  text_after_quote: 'there is text after a closing quotation mark',
  empty_file: 'the file is empty',
  not_utf8: 'the file is not UTF-8; save it as “CSV UTF-8”',
}

/** As many as fit on a screen. */
const MOST_SHOWN = 20

/** Whether a file is CSV, by its name. */
export function isCsv(file: string): boolean {
  return /\.csv$/i.test(file)
}

function describe({ line, column, kind }: RowProblem): string {
  return `line ${line}${column === '' ? ':' : `, column ${column}:`} ${MEANINGS[kind]}`
}

async function preview({ file, complain }: ImportOptions, mapping: ColumnMapping | undefined): Promise<Preview> {
  try {
    return await previewUsers(createReadStream(file), mapping)
  } catch (error) {
    if (!(error instanceof HeaderRefused)) throw new CannotImport(`${file} ${meaningOf(error)}.`)
    for (const problem of error.problems) complain(describe(problem))
    throw new CannotImport('Nothing was imported. The columns are described in docs/how-to/import-users.md.')
  }
}

/** Imports a file of either form; the exit code: 0 all is done, 1 something failed. */
export async function importAny(given: ImportOptions): Promise<number> {
  const { file, options, say, complain } = given
  const mapping = await readMapping(options)
  if (!isCsv(file) && options.csv !== true && mapping === undefined) return await importFile(given)
  const { rows, wrongRows, problems } = await preview(given, mapping)
  for (const problem of problems.slice(0, MOST_SHOWN)) complain(describe(problem))
  if (problems.length > MOST_SHOWN) complain('… and more')
  if (options.check === true) {
    say(`${groupDigits(rows - wrongRows)} users can be imported, ${groupDigits(wrongRows)} rows have errors.`)
    return wrongRows > 0 ? 1 : 0
  }
  if (wrongRows > 0 && options.skipInvalid !== true)
    throw new CannotImport(
      `Nothing was imported: ${groupDigits(wrongRows)} rows have errors. --skip-invalid leaves them out.`,
    )
  const lines = `${file}.ndjson`
  try {
    const target = createWriteStream(lines, { mode: 0o600 })
    await pipeline(Readable.from(linesForImport(createReadStream(file), mapping)), target)
    const code = await importFile({ ...given, file: lines, named: file })
    return wrongRows > 0 ? 1 : code
  } finally {
    await rm(lines, { force: true })
  }
}
