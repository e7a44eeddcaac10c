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
    // The row becomes narrower when a phone is turned, or the page is zoomed.
    const narrowed = new ResizeObserver(show)
    if (row.current !== null) narrowed.observe(row.current)
    // After the router, which puts the row back to where it was.
    const leave = router.subscribe('onRendered', show)
    return () => {
      narrowed.disconnect()
      leave()
    }
  }, [router])
  return row
}
