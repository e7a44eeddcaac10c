/** The forms on the page whose changes would be lost; `shell/leave-guard.tsx` asks before they are. */
import { useEffect, useRef } from 'react'

const forms = new Set<() => boolean>()

/** Tells of a form while it is on the page. */
export function useUnsaved(hasChanges: () => boolean): void {
  const latest = useRef(hasChanges)
  latest.current = hasChanges
  useEffect(() => {
    const ask = () => latest.current()
    forms.add(ask)
    return () => {
      forms.delete(ask)
    }
  }, [])
}

/** Whether leaving the page would lose something. */
export function hasUnsavedChanges(): boolean {
  return [...forms].some((hasChanges) => hasChanges())
}
