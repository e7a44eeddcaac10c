/** The pages of users and machines. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { tabSearch } from '../../parts/tab-search.ts'
import { rootRoute } from '../../root-route.ts'
import { USER_LIST } from './user-list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  validateSearch: listSearch(USER_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'UserListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/new',
  component: lazyRouteComponent(() => import('./create-human.tsx'), 'CreateHumanPage'),
})

const createMachine = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/new-machine',
  component: lazyRouteComponent(() => import('./create-machine.tsx'), 'CreateMachinePage'),
})

const invite = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/invite',
  component: lazyRouteComponent(() => import('./invite.tsx'), 'InvitePage'),
})

const importUsers = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/import',
  component: lazyRouteComponent(() => import('./import/import.tsx'), 'ImportPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/$userId',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./detail.tsx'), 'UserDetailPage'),
})

export const usersRoutes = [list, create, createMachine, invite, importUsers, detail] as const
