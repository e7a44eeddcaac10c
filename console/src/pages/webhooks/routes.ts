/** The pages of webhooks. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { WEBHOOK_LIST } from './list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: listSearch(WEBHOOK_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'WebhookListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateWebhookPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'WebhookPage'),
})

export const webhookRoutes = [list, create, detail] as const
