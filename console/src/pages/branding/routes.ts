/** The page of branding. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const branding = createRoute({
  getParentRoute: () => rootRoute,
  path: '/branding',
  component: lazyRouteComponent(() => import('./branding.tsx'), 'BrandingPage'),
})

export const brandingRoutes = [branding] as const
