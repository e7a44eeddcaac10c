/** What is shown in place of a page that failed. The rest of the console stays usable. */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { FailureNotice } from '../parts/failure-notice.tsx'

/** Says what went wrong, and offers to render the page again. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    return router.invalidate()
  }
  return <FailureNotice error={error} onRetry={retry} />
}
