/** Keeps what is typed after the search was asked for and before its field is there: Ctrl+K and a word are one gesture. */
import { useEffect } from 'react'

const MODIFIERS = ['ctrlKey', 'metaKey', 'altKey'] as const

function isLetter(event: KeyboardEvent): boolean {
  return [...event.key].length === 1 && !event.isComposing && MODIFIERS.every((one) => !event[one])
}

/**
 * While `isWaiting`, letters go to the search instead of to what has the focus. In the capturing phase, so that keys that
 * mean something to the page mean nothing meanwhile.
 */
export function useEarlyLetters(isWaiting: boolean, change: (text: (before: string) => string) => void): void {
  useEffect(() => {
    if (!isWaiting) return
    const keep = (event: KeyboardEvent) => {
      const isBack = event.key === 'Backspace'
      if (!isBack && !isLetter(event)) return
      event.preventDefault()
      event.stopPropagation()
      change((before) => (isBack ? before.slice(0, -1) : before + event.key))
    }
    document.addEventListener('keydown', keep, true)
    return () => document.removeEventListener('keydown', keep, true)
  }, [isWaiting, change])
}
