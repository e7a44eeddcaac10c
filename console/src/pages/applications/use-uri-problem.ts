/** What is wrong with addresses, in sentences. */
import { useTexts } from '../../texts/index.tsx'
import type { Kind } from './kinds.ts'
import { endpointProblem, originProblem, redirectUriProblem } from './redirect-uri-rules.ts'
import { applicationTexts } from './texts/index.ts'

/** The checks of one form. An API has no redirect URIs. */
export function useUriProblems(kind: Kind, developmentMode: boolean) {
  const { problems } = useTexts(applicationTexts).uri
  const rules = { kind: kind === 'api' ? 'web' : kind, developmentMode } as const
  const sentence = (problem: keyof typeof problems | undefined) =>
    problem === undefined ? undefined : problems[problem]
  return {
    redirect: (text: string) => sentence(redirectUriProblem(text, rules)),
    origin: (text: string) => sentence(originProblem(text)),
    endpoint: (text: string) => sentence(endpointProblem(text)),
  }
}

/** Whether one of the addresses cannot be used. */
export function hasProblem(texts: readonly string[], problemOf: (text: string) => string | undefined): boolean {
  return texts.some((text) => text.trim() !== '' && problemOf(text.trim()) !== undefined)
}
