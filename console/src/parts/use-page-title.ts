/** The title of the browser's tab. */
import { useEffect } from 'react'

/** Names the page in the tab and the history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Signet`
  }, [title])
}
