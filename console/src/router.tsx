/** All pages of the console. Each area declares its own routes; each page is loaded when it is opened. */

import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { PATHS } from '../../src/kernel/page-paths.ts'
import { actionRoutes } from './pages/actions/routes.ts'
import { administratorsRoutes } from './pages/administrators/routes.ts'
import { agentsRoutes } from './pages/agents/routes.ts'
import { auditRoutes } from './pages/audit/routes.ts'
import { brandingRoutes } from './pages/branding/routes.ts'
import { directorySyncRoutes } from './pages/directory-sync/routes.ts'
import { firstAppRoutes } from './pages/first-app/routes.ts'
import { groupsRoutes } from './pages/groups/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { identityProvidersRoutes } from './pages/identity-providers/routes.ts'
import { mailRoutes } from './pages/mail/routes.ts'
import { organizationsRoutes } from './pages/organizations/routes.ts'
import { projectsRoutes } from './pages/projects/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { signInRoutes } from './pages/sign-in/routes.ts'
import { signalRoutes } from './pages/signals/routes.ts'
import { smsRoutes } from './pages/sms/routes.ts'
import { usersRoutes } from './pages/users/routes.ts'
import { webKeysRoutes } from './pages/web-keys/routes.ts'
import { webhookRoutes } from './pages/webhooks/routes.ts'
import { PageLoader } from './parts/page-loader.tsx'
import { rootRoute } from './root-route.ts'
import { NotFoundPage } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'
import { Shell } from './shell/shell.tsx'

rootRoute.update({ component: Shell })

const routeTree = rootRoute.addChildren([
  ...homeRoutes,
  ...firstAppRoutes,
  ...usersRoutes,
  ...groupsRoutes,
  ...directorySyncRoutes,
  ...organizationsRoutes,
  ...projectsRoutes,
  ...identityProvidersRoutes,
  ...mailRoutes,
  ...smsRoutes,
  ...webhookRoutes,
  ...actionRoutes,
  ...signalRoutes,
  ...signInRoutes,
  ...agentsRoutes,
  ...brandingRoutes,
  ...webKeysRoutes,
  ...administratorsRoutes,
  ...auditRoutes,
  ...settingsRoutes,
])

/** Values of the query are JSON, except for IDs: as numbers they would lose their last digits. */
function parseValue(value: string): unknown {
  if (/^\d{16,}$/.test(value)) throw new Error('an ID')
  return JSON.parse(value)
}

export const router = createRouter({
  routeTree,
  parseSearch: parseSearchWith(parseValue),
  stringifySearch: stringifySearchWith(JSON.stringify, parseValue),
  basepath: PATHS.console,
  defaultPendingComponent: PageLoader,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
  // The code of a page is loaded when the pointer is over its link.
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
