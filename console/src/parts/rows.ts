/** What a query answered, as lists need it. */
export interface Rows<Row> {
  readonly rows: readonly Row[] | undefined
  readonly total: number
  readonly error: unknown
  /** An older page is shown while the next one is read. */
  readonly isStale: boolean
  refetch(): unknown
}
