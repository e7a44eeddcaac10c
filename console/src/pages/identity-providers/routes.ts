/** The pages of identity providers, of the instance and of organizations. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { tabSearch } from '../../parts/tab-search.ts'
import { rootRoute } from '../../root-route.ts'
import { PROVIDER_LIST } from './list-spec.ts'
import { testSearch } from './test-search.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/identity-providers',
  validateSearch: listSearch(PROVIDER_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'ProviderListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/identity-providers/new',
  component: lazyRouteComponent(() => import('./choose.tsx'), 'ChooseProviderPage'),
})

const createOne = createRoute({
  getParentRoute: () => rootRoute,
  path: '/identity-providers/new/$template',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateProviderPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/identity-providers/$providerId',
  validateSearch: tabSearch,
  component: lazyRouteComponent(() => import('./detail.tsx'), 'ProviderDetailPage'),
})

const test = createRoute({
  getParentRoute: () => rootRoute,
  path: '/identity-providers/$providerId/test',
  validateSearch: testSearch,
  component: lazyRouteComponent(() => import('./test-page.tsx'), 'ProviderTestPage'),
})

export const identityProvidersRoutes = [list, create, createOne, detail, test] as const
