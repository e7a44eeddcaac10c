/** What is wrong with addresses, in sentences. The rules are those of the server, and an address that is never used is wrong too. */

import { endpointProblem, originProblem } from '../../../../src/features/applications/addresses.ts'
import {
  endingDoubt,
  isRedirectAllowed,
  type RedirectRules,
  redirectUriProblem,
  unusedBecause,
} from '../../../../src/features/applications/redirect-uris.ts'
import { useTexts } from '../../texts/index.tsx'
import type { Kind } from './kinds.ts'
import { applicationTexts } from './texts/index.ts'
import { schemeOf, withScheme } from './uri-parts.ts'

interface RegisteredUris {
  readonly redirectUris: readonly string[]
  readonly developmentMode: boolean
}

/** An API and a service provider of SAML have no redirect URIs. */
const TYPES = { web: 'web', spa: 'user_agent', native: 'native', api: 'web', saml: 'web' } as const

function rulesOf(kind: Kind, developmentMode: boolean): RedirectRules {
  return { applicationType: TYPES[kind], developmentMode }
}

/** Whether the server sends answers to this address. */
export function isAnswered(uri: string, kind: Kind, { redirectUris, developmentMode }: RegisteredUris): boolean {
  return isRedirectAllowed(uri, redirectUris, rulesOf(kind, developmentMode))
}

/** What sentences about an address name. */
function partsOf(uri: string) {
  return { uri, scheme: schemeOf(uri), suggestion: withScheme(uri), last: uri.at(-1) ?? '' }
}

/** The checks of one form. */
export function useUriProblems(kind: Kind, developmentMode: boolean) {
  const { problems } = useTexts(applicationTexts).uri
  const rules = rulesOf(kind, developmentMode)
  const saying = (problemOf: (text: string) => keyof typeof problems | undefined) => (text: string) => {
    const problem = problemOf(text)
    return problem === undefined ? undefined : problems[problem](partsOf(text))
  }
  return {
    redirect: saying(
      (text) =>
        redirectUriProblem(text, developmentMode) ??
        unusedBecause(text, rules) ??
        (endingDoubt(text) === undefined ? undefined : 'ending'),
    ),
    origin: saying(originProblem),
    endpoint: saying(endpointProblem),
  }
}

/** Whether one of the addresses cannot be used. */
export function hasProblem(texts: readonly string[], problemOf: (text: string) => string | undefined): boolean {
  return texts.some((text) => text.trim() !== '' && problemOf(text.trim()) !== undefined)
}
