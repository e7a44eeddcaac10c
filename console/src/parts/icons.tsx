/** Our own small set of icons: lines on a 24 by 24 grid, in the colour of the text, hidden from screen readers. */
import type { ReactNode } from 'react'

const PATHS = {
  home: 'M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2.1.8 3.5 2.8 3.5 5.5',
  organization: 'M5 20V5l8-2v17M13 9h6v11M3 20h18M8 8h2M8 12h2M8 16h2M16 13h.01M16 16.5h.01',
  project: 'M3.5 7l8.5-4 8.5 4-8.5 4zM3.5 12l8.5 4 8.5-4M3.5 17l8.5 4 8.5-4',
  provider: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  message: 'M4 4h16v12H9l-5 4z',
  signIn: 'M10 4h9v16h-9M3 12h11M10 8l4 4-4 4',
  palette:
    'M12 3a9 9 0 1 0 0 18c1.5 0 2-1 1.5-2-.7-1.4.2-3 2-3H18a3 3 0 0 0 3-3c0-5.5-4-10-9-10zM7.5 12h.01M9.5 7.5h.01M14.5 7.5h.01',
  key: 'M8 15a4 4 0 1 0 0-.01M11 12l9-9M16.5 6.5l3 3',
  shield: 'M12 3l8 3v6c0 4.5-3.3 7.7-8 9-4.7-1.3-8-4.5-8-9V6zM9 12l2 2 4-4',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8h.01',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
  remove: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  machine: 'M7 4h10v5H7zM4 9h16v11H4zM8 14h.01M16 14h.01M10 17h4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-6.5 8-6.5s8 2.5 8 6.5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  updown: 'M8 9l4-4 4 4M8 15l4 4 4-4',
  signOut: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  offline:
    'M4 4l16 16M2.5 9A15 15 0 0 1 7 6.3M11 5.1A15 15 0 0 1 21.5 9M6 13a9 9 0 0 1 4-2.3M15 11.3a9 9 0 0 1 3 1.7M12 18.5h.01',
} as const

export type IconName = keyof typeof PATHS

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
