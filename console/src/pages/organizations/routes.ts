/** The pages of organizations. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { tabListSearch } from '../../parts/tab-list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { MEMBER_LIST } from '../administrators/list-spec.ts'
import { DOMAIN_LIST, METADATA_LIST, ORGANIZATION_LIST } from './list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations',
  validateSearch: listSearch(ORGANIZATION_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'OrganizationListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateOrganizationPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/$organizationId',
  validateSearch: tabListSearch(DOMAIN_LIST, METADATA_LIST, MEMBER_LIST),
  component: lazyRouteComponent(() => import('./detail.tsx'), 'OrganizationDetailPage'),
})

export const organizationsRoutes = [list, create, detail] as const
