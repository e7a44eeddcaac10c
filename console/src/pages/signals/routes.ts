/** The page of shared signals. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const page = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signals',
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignalsPage'),
})

export const signalRoutes = [page] as const
