/** The page of branding. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

const branding = createRoute({
  getParentRoute: () => rootRoute,
  path: '/branding',
  component: lazyRouteComponent(() => import('./branding.tsx'), 'BrandingPage'),
})

/** The language and the pages whose texts are shown; the page knows which there are. */
function textsSearch({ language, area }: Readonly<Record<string, unknown>>): { language?: string; area?: string } {
  return { ...(typeof language === 'string' && { language }), ...(typeof area === 'string' && { area }) }
}

const texts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/branding/texts',
  validateSearch: textsSearch,
  component: lazyRouteComponent(() => import('./texts-page.tsx'), 'PageTextsPage'),
})

export const brandingRoutes = [branding, texts] as const
