/** The answer of a list method with a field of its own for the rows, as lists show it. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { Rows } from './rows.ts'

interface PagedAnswer {
  readonly details?: { readonly totalResult: bigint } | undefined
  readonly pagination?: { readonly totalResult: bigint } | undefined
}

/** `rowsAt(query, ({ projects }) => projects)`. */
export function rowsAt<Answer extends PagedAnswer, Row>(
  query: UseQueryResult<Answer, unknown>,
  rows: (answer: Answer) => readonly Row[],
): Rows<Row> {
  const { data, error, isPlaceholderData, refetch } = query
  const total = data?.pagination?.totalResult ?? data?.details?.totalResult ?? 0n
  return {
    rows: data === undefined ? undefined : rows(data),
    total: Number(total),
    error,
    isStale: isPlaceholderData,
    refetch,
  }
}
