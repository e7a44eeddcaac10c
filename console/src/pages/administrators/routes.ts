/** The pages of administrators: of the instance, of organizations, of projects and of project grants. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { tabSearch } from '../../parts/tab-search.ts'
import { rootRoute } from '../../root-route.ts'
import { ADMINISTRATOR_LIST } from './list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administrators',
  validateSearch: listSearch(ADMINISTRATOR_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'AdministratorListPage'),
})

const add = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administrators/$place/add',
  component: lazyRouteComponent(() => import('./add.tsx'), 'AddAdministratorPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administrators/$place/$userId',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./detail.tsx'), 'AdministratorDetailPage'),
})

export const administratorsRoutes = [list, add, detail] as const
