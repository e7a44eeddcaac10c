/** The pages of sign-in settings. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./login.tsx'), 'SignInSettingsPage'),
})

const passwords = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/passwords',
  component: lazyRouteComponent(() => import('./passwords.tsx'), 'PasswordSettingsPage'),
})

const domains = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/names',
  component: lazyRouteComponent(() => import('./names.tsx'), 'NameSettingsPage'),
})

export const signInRoutes = [login, passwords, domains] as const
