/**
 * Reads a CSV file of users row by row, and turns it into the lines that `POST /v2/users/import` takes. Each user is on the
 * line on which their row begins, so that what the server says of a line is true of the file.
 */
import { type ColumnMapping, mapRecords } from './column-mapping.ts'
import { CsvReader, type CsvRecord } from './csv-reader.ts'
import { type CellProblem, columnOf, readRow, USER_COLUMNS, type UserBody, type UserColumn } from './user-columns.ts'

export type RowProblemKind =
  | CellProblem
  | 'unknown_column'
  | 'repeated_column'
  | 'missing_column'
  | 'too_many_cells'
  | 'unclosed_quote'
  | 'text_after_quote'
  | 'empty_file'
  | 'not_utf8'

export interface RowProblem {
  readonly line: number
  /** Name of the column, or the heading as it is in the file; empty where it concerns the whole row. */
  readonly column: string
  readonly kind: RowProblemKind
}

export interface UserRow {
  readonly line: number
  readonly body: UserBody
  readonly problems: readonly RowProblem[]
}

/** The first line is not one of a file of users: nothing of the file can be read. */
export class HeaderRefused extends Error {
  override readonly name = 'HeaderRefused'
  readonly problems: readonly RowProblem[]

  constructor(problems: readonly RowProblem[]) {
    super('The first line must name the columns.')
    this.problems = problems
  }
}

function readHeader({ line, cells, problem }: CsvRecord): readonly UserColumn[] {
  const problems: RowProblem[] = problem === undefined ? [] : [{ line, column: '', kind: problem }]
  const columns: UserColumn[] = []
  // Spreadsheets write separators for columns that were used once.
  const headings = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  for (const heading of headings) {
    const column = columnOf(heading)
    if (column === undefined) problems.push({ line, column: heading.trim(), kind: 'unknown_column' })
    else if (columns.some(({ name }) => name === column.name))
      problems.push({ line, column: column.name, kind: 'repeated_column' })
    if (column !== undefined) columns.push(column)
  }
  for (const { name, isRequired } of USER_COLUMNS)
    if (isRequired === true && !columns.some((column) => column.name === name))
      problems.push({ line, column: name, kind: 'missing_column' })
  if (problems.length > 0) throw new HeaderRefused(problems)
  return columns
}

function readRecord(columns: readonly UserColumn[], { line, cells, problem }: CsvRecord): UserRow {
  const { body, problems } = readRow(columns, cells)
  const found: RowProblem[] = [...problems].map(([column, kind]) => ({ line, column, kind }))
  if (problem !== undefined) found.unshift({ line, column: '', kind: problem })
  const isTooLong = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  if (isTooLong) found.unshift({ line, column: '', kind: 'too_many_cells' })
  return { line, body, problems: found }
}

async function* recordsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const reader = new CsvReader()
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
    } catch {
      throw new HeaderRefused([{ line: 1, column: '', kind: 'not_utf8' }])
    }
  }
  for await (const piece of pieces) yield* reader.push(decode(piece))
  yield* reader.push(decode())
  yield* reader.end()
}

/** The rows of a file, one after the other. Throws `HeaderRefused`. `mapping`: what its headings mean, if not our columns. */
export async function* readUsers(pieces: AsyncIterable<Uint8Array>, mapping?: ColumnMapping): AsyncGenerator<UserRow> {
  let columns: readonly UserColumn[] | undefined
  const mapped = mapping === undefined ? (record: CsvRecord) => record : mapRecords(mapping)
  for await (const original of recordsOf(pieces)) {
    const record = mapped(original)
    if (columns === undefined) columns = readHeader(record)
    else yield readRecord(columns, record)
  }
  if (columns === undefined) throw new HeaderRefused([{ line: 1, column: '', kind: 'empty_file' }])
}

/** The lines for the import; rows with problems are left out. */
export async function* linesForImport(
  pieces: AsyncIterable<Uint8Array>,
  mapping?: ColumnMapping,
): AsyncGenerator<string> {
  let next = 1
  for await (const { line, body, problems } of readUsers(pieces, mapping)) {
    if (problems.length > 0) continue
    yield `${'\n'.repeat(line - next)}${JSON.stringify(body)}\n`
    next = line + 1
  }
}

export interface Preview {
  readonly rows: number
  readonly wrongRows: number
  /** The first of them. */
  readonly problems: readonly RowProblem[]
  /** The first users, as they would be created. */
  readonly first: readonly UserRow[]
}

const MOST_PROBLEMS = 100
const FIRST_ROWS = 5

/** Looks at a whole file without changing anything. */
export async function previewUsers(pieces: AsyncIterable<Uint8Array>, mapping?: ColumnMapping): Promise<Preview> {
  let rows = 0
  let wrongRows = 0
  const problems: RowProblem[] = []
  const first: UserRow[] = []
  for await (const row of readUsers(pieces, mapping)) {
    rows++
    if (row.problems.length > 0) wrongRows++
    else if (first.length < FIRST_ROWS) first.push(row)
    if (problems.length < MOST_PROBLEMS) problems.push(...row.problems)
  }
  return { rows, wrongRows, problems, first }
}
