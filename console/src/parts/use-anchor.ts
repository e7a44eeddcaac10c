/** A part of a page that an address can lead to, such as `/sign-in/passwords#lockout`. */
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** How long what is above may still push the part down, because it is read at the same time. */
const SETTLE_MS = 2000

const INTERRUPTIONS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/** Keeps the part in view until everything is read or the user does something. */
function keepInView(part: HTMLElement): () => void {
  const show = () => part.scrollIntoView({ block: 'start', behavior: 'instant' })
  const watch = new ResizeObserver(show)
  const stop = () => {
    watch.disconnect()
    clearTimeout(timer)
    for (const name of INTERRUPTIONS) removeEventListener(name, stop)
  }
  const timer = setTimeout(stop, SETTLE_MS)
  for (const name of INTERRUPTIONS) addEventListener(name, stop, { passive: true })
  watch.observe(document.body)
  return stop
}

interface Anchor<Part extends HTMLElement> {
  readonly id?: string
  readonly ref: RefObject<Part | null>
  readonly tabIndex?: -1
}

/** Attributes for the part. It takes the focus when the address names it, however often. */
export function useAnchor<Part extends HTMLElement>(id: string | undefined): Anchor<Part> {
  const ref = useRef<Part>(null)
  const visit = useLocation({
    select: ({ hash, state }) => (id !== undefined && hash === id ? (state.__TSR_key ?? id) : undefined),
  })
  useEffect(() => {
    const part = ref.current
    if (visit === undefined || part === null) return
    part.focus({ preventScroll: true })
    return keepInView(part)
  }, [visit])
  return id === undefined ? { ref } : { ref, id, tabIndex: -1 }
}
