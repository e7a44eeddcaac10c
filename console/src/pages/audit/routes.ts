/** The pages of the audit. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { auditSearch } from './audit-search.ts'

const audit = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit.tsx'), 'AuditPage'),
})

export const auditRoutes = [audit] as const
