/** The pages about clients that nobody prepared: their access, those that are approved, and the settings that let them in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { AGENT_LIST } from './list-spec.ts'

const access = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: listSearch(AGENT_LIST),
  component: lazyRouteComponent(() => import('./access.tsx'), 'AgentAccessPage'),
})

const approvals = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/approvals',
  validateSearch: listSearch(AGENT_LIST),
  component: lazyRouteComponent(() => import('./approvals.tsx'), 'AgentApprovalsPage'),
})

const settings = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/settings',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'AgentSettingsPage'),
})

export const agentsRoutes = [access, approvals, settings] as const
