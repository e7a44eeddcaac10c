/** Keeps the current item of a row in view, where there can be more items than fit. */
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** Give the reference to the row; its current item is the selected tab, or the link to the current page. */
export function useCurrentInView(): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null)
  const router = useRouter()
  useEffect(() => {
    const show = () => {
      const current = row.current?.querySelector('[aria-selected="true"], [aria-current="page"]')
      current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    show()
    // After the router, which puts the row back to where it was.
    return router.subscribe('onRendered', show)
  }, [router])
  return row
}
