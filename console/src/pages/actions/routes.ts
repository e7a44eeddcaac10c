/** The pages of actions. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/actions',
  component: lazyRouteComponent(() => import('./list.tsx'), 'ActionsPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/actions/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateTargetPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/actions/$targetId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'TargetPage'),
})

export const actionRoutes = [list, create, detail] as const
