/**
 * The root of all routes, and the one thing that all addresses have: the organization that the user works in. Its component
 * is set by `router.tsx`, so that pages can refer to it without a circle.
 */
import { createRootRoute, retainSearchParams } from '@tanstack/react-router'

export interface RootSearch {
  /** The organization; without it, all that the user can read, or their own. */
  readonly org?: string | undefined
}

/** What is no ID is left out: it would be refused with every request. The router reads some IDs as numbers. */
function rootSearch(given: Readonly<Record<string, unknown>>): RootSearch {
  const org = typeof given.org === 'number' ? String(given.org) : given.org
  return typeof org === 'string' && /^[\w.-]{1,200}$/.test(org) ? { org } : {}
}

export const rootRoute = createRootRoute({
  validateSearch: rootSearch,
  // Links to other pages stay in the organization.
  search: { middlewares: [retainSearchParams(['org'])] },
})
