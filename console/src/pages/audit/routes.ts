/** The pages of the audit. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { auditSearch } from './audit-search.ts'
import { signInSearch } from './sign-in-search.ts'

const signIns = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('./sign-ins.tsx'), 'SignInsPage'),
})

const events = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit/events',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit.tsx'), 'AuditPage'),
})

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit/sign-ins/$signInId',
  component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignInPage'),
})

export const auditRoutes = [signIns, events, signIn] as const
