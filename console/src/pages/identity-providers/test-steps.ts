/** The steps of a test sign-in, and the one that a failure belongs to. */

export const STEPS = ['start', 'signIn', 'token', 'claims'] as const

export type Step = (typeof STEPS)[number]

const AT_THE_PROVIDER: readonly string[] = [
  'denied',
  'provider_error',
  'response_invalid',
  'other_browser',
  'expired',
  'provider_inactive',
  'organization_inactive',
  'access_denied',
]

const AT_THE_CLAIMS: readonly string[] = ['information_invalid', 'subject_mismatch', 'name_format_mismatch']

/** The step that a sign-in failed at after the browser came back, by the reason in the log or the code in the address. */
export function failedStep(reason: string): Step {
  if (AT_THE_PROVIDER.includes(reason)) return 'signIn'
  return AT_THE_CLAIMS.includes(reason) ? 'claims' : 'token'
}
