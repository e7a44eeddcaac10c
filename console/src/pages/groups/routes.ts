/** The pages of groups. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { tabListSearch } from '../../parts/tab-list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { GROUP_LIST, GROUP_USER_LIST } from './list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/groups',
  validateSearch: listSearch(GROUP_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'GroupListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/groups/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateGroupPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/groups/$groupId',
  validateSearch: tabListSearch(GROUP_USER_LIST),
  component: lazyRouteComponent(() => import('./detail.tsx'), 'GroupDetailPage'),
})

export const groupsRoutes = [list, create, detail] as const
