/** The pages of web keys. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { KEY_LIST } from './key-list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/web-keys',
  validateSearch: listSearch(KEY_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'WebKeyListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/web-keys/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateWebKeyPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/web-keys/$keyId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'WebKeyPage'),
})

export const webKeysRoutes = [list, create, detail] as const
