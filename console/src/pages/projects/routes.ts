/** The pages of projects and their applications. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { tabListSearch } from '../../parts/tab-list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { MEMBER_LIST } from '../administrators/list-spec.ts'
import { APPLICATION_LIST, AUTHORIZATION_LIST, GRANT_LIST, KEY_LIST, PROJECT_LIST, ROLE_LIST } from './list-spec.ts'

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  validateSearch: listSearch(PROJECT_LIST),
  component: lazyRouteComponent(() => import('./list.tsx'), 'ProjectListPage'),
})

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/new',
  component: lazyRouteComponent(() => import('./create.tsx'), 'CreateProjectPage'),
})

const detail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  validateSearch: tabListSearch(APPLICATION_LIST, ROLE_LIST, GRANT_LIST, AUTHORIZATION_LIST, MEMBER_LIST),
  component: lazyRouteComponent(() => import('./detail.tsx'), 'ProjectDetailPage'),
})

const applications = createRoute({
  getParentRoute: () => rootRoute,
  path: '/applications',
  validateSearch: listSearch(APPLICATION_LIST),
  component: lazyRouteComponent(() => import('./applications.tsx'), 'ApplicationListPage'),
})

const createApplication = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/applications/new',
  component: lazyRouteComponent(() => import('../applications/create.tsx'), 'CreateApplicationPage'),
})

const application = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/applications/$applicationId',
  validateSearch: tabListSearch(KEY_LIST),
  component: lazyRouteComponent(() => import('../applications/detail.tsx'), 'ApplicationDetailPage'),
})

export const projectsRoutes = [list, create, detail, applications, createApplication, application] as const
