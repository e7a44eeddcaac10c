/** Shows something as soon as it is read, and says why it could not be. */
import type { ReactNode } from 'react'
import { FailureNotice } from './failure-notice.tsx'
import { PageLoader } from './page-loader.tsx'

interface ReadingProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown }
  children(data: Data): ReactNode
}

/** The loader, the notice, or what `children` makes of the answer. */
export function Reading<Data>({ query: { data, error, refetch }, children }: ReadingProps<Data>) {
  if (data !== undefined) return children(data)
  return error === null || error === undefined ? <PageLoader /> : <FailureNotice error={error} onRetry={refetch} />
}
