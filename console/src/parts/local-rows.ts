/** Searches, filters, sorts and pages a short list that the server answers as a whole. */

import type { ListState } from './list-search.ts'
import type { Rows } from './rows.ts'

interface LocalList<Row> {
  readonly rows: readonly Row[] | undefined
  readonly error: unknown
  refetch(): unknown
  /** What the search looks through. */
  textOf(row: Row): string
  /** The value of each sorting. */
  readonly sorts: Readonly<Record<string, (row: Row) => string | number>>
  /** The value of each filter. */
  readonly filters?: Readonly<Record<string, (row: Row) => string>>
}

/** The page of the list that its state asks for. */
export function localRows<Row>(list: LocalList<Row>, state: ListState): Rows<Row> {
  const { rows, error, refetch, textOf, sorts, filters = {} } = list
  if (rows === undefined) return { rows: undefined, total: 0, error, isStale: false, refetch }
  const wanted = state.q.trim().toLocaleLowerCase()
  const found = rows.filter(
    (row) =>
      textOf(row).toLocaleLowerCase().includes(wanted) &&
      Object.entries(filters).every(([name, filterOf]) => [undefined, filterOf(row)].includes(state.filters[name])),
  )
  const keyOf = sorts[state.sort] ?? (() => 0)
  const direction = state.isAscending ? 1 : -1
  const sorted = found.toSorted((one, other) => direction * compare(keyOf(one), keyOf(other)))
  const from = Number(state.offset)
  return { rows: sorted.slice(from, from + state.limit), total: sorted.length, error, isStale: false, refetch }
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other))
}
