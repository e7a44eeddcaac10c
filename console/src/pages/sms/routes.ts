/** The pages of SMS providers. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { PROVIDER_LIST } from './provider-list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sms',
  validateSearch: listSearch(PROVIDER_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'SmsProviderListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sms/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateSmsProviderPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sms/$providerId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'SmsProviderPage'),
})

export const smsRoutes = [list, create, detail] as const
