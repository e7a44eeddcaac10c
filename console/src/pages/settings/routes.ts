/** The pages of the settings of the instance. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const general = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./general.tsx'), 'GeneralSettingsPage'),
})

const tokens = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/tokens',
  component: lazyRouteComponent(() => import('./tokens.tsx'), 'TokenSettingsPage'),
})

const links = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/links',
  component: lazyRouteComponent(() => import('./links.tsx'), 'LinkSettingsPage'),
})

const features = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/features',
  component: lazyRouteComponent(() => import('./features.tsx'), 'FeatureSettingsPage'),
})

const moving = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/import',
  component: lazyRouteComponent(() => import('./import/import.tsx'), 'ImportPage'),
})

export const settingsRoutes = [general, tokens, links, features, moving] as const
