/** The way from nothing to an app that people sign in to. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const firstApp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/protect-an-app',
  // The framework that was chosen, so that "back" leads to the choice.
  validateSearch: ({ framework }: Record<string, unknown>): { readonly framework?: string } =>
    typeof framework === 'string' ? { framework } : {},
  component: lazyRouteComponent(() => import('./first-app.tsx'), 'FirstAppPage'),
})

export const firstAppRoutes = [firstApp] as const
