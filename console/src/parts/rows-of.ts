/** The answer of a list method, as `ListPage` shows it. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { Rows } from './rows.ts'

interface ListAnswer<Row> {
  readonly result: readonly Row[]
  readonly details?: { readonly totalResult: bigint } | undefined
  readonly pagination?: { readonly totalResult: bigint } | undefined
}

/** For methods that answer `result` with `details` or `pagination`; others build `Rows` themselves. */
export function rowsOf<Row>(query: UseQueryResult<ListAnswer<Row>, unknown>): Rows<Row> {
  const { data, error, isPlaceholderData, refetch } = query
  const total = data?.details?.totalResult ?? data?.pagination?.totalResult ?? 0n
  return { rows: data?.result, total: Number(total), error, isStale: isPlaceholderData, refetch }
}
