/** What is wrong with addresses, in sentences. The rules are those of the server, and an address that is never used is wrong too. */
import { endpointProblem, originProblem } from '../../../../src/features/applications/addresses.ts'
import {
  endingDoubt,
  type RedirectRules,
  redirectUriProblem,
  unusedBecause,
} from '../../../../src/features/applications/redirect-uris.ts'
import { useTexts } from '../../texts/index.tsx'
import type { Kind } from './kinds.ts'
import { applicationTexts } from './texts/index.ts'

const TYPES = { web: 'web', spa: 'user_agent', native: 'native' } as const

/** The checks of one form. An API has no redirect URIs. */
export function useUriProblems(kind: Kind, developmentMode: boolean) {
  const { problems } = useTexts(applicationTexts).uri
  const rules: RedirectRules = { applicationType: TYPES[kind === 'api' ? 'web' : kind], developmentMode }
  const saying = (problemOf: (text: string) => keyof typeof problems | undefined) => (text: string) => {
    const problem = problemOf(text)
    return problem === undefined ? undefined : problems[problem](text)
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
