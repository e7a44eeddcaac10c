/** The page of branding. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { PageTextArea } from '../../../../src/features/settings/page-texts/catalogue.ts'
import { LANGUAGE_TAGS, type Language } from '../../../../src/kernel/languages.ts'
import { rootRoute } from '../../root-route.ts'

/** Written out, because the list itself is large and this file is part of the first load. */
const AREAS: readonly PageTextArea[] = [
  'signIn',
  'accounts',
  'secondFactor',
  'registration',
  'password',
  'invitation',
  'passkey',
  'consent',
  'signedOut',
]

const branding = createRoute({
  getParentRoute: () => rootRoute,
  path: '/branding',
  component: lazyRouteComponent(() => import('./branding.tsx'), 'BrandingPage'),
})

/** The language and the pages whose texts are shown. */
function textsSearch(given: Readonly<Record<string, unknown>>): {
  readonly language?: Language
  readonly area?: PageTextArea
} {
  const language = LANGUAGE_TAGS.find((tag) => tag === given.language)
  const area = AREAS.find((name) => name === given.area)
  return { ...(language && { language }), ...(area && { area }) }
}

const texts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/branding/texts',
  validateSearch: textsSearch,
  component: lazyRouteComponent(() => import('./texts-page.tsx'), 'PageTextsPage'),
})

export const brandingRoutes = [branding, texts] as const
