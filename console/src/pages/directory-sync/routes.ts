/** The page of directory sync. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const page = createRoute({
  getParentRoute: () => rootRoute,
  path: '/directory-sync',
  component: lazyRouteComponent(() => import('./page.tsx'), 'DirectorySyncPage'),
})

export const directorySyncRoutes = [page] as const
