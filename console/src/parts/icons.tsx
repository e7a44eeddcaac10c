/** An icon: lines in the colour of the text, hidden from screen readers. */
import type { ReactNode } from 'react'
import { type IconName, PATHS } from './icon-paths.ts'

export type { IconName } from './icon-paths.ts'

/** An icon beside a text, or within a button that has a name of its own. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
