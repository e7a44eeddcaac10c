/** Asks before unsaved changes of a form are lost: by a link, by the buttons of the browser, or with the tab. */
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hasUnsavedChanges } from '../parts/unsaved.ts'

const LeaveQuestion = lazy(async () => ({ default: (await import('./leave-question.tsx')).LeaveQuestion }))

/** Once for the whole console. It watches from the start; only the question is loaded when it is needed. */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: hasUnsavedChanges,
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Suspense fallback={null}>
      <LeaveQuestion onStay={reset} onLeave={proceed} />
    </Suspense>
  )
}
