/** The URLs that a browser can be redirected to after a sign-in at a provider. */
import { isLoopbackHost } from '../../kernel/loopback.ts'
import type { Violation } from '../../kernel/refusal.ts'
import { refused } from '../../kernel/refusal.ts'
import { intentRefusals } from './refusals.ts'

/** The allowed origins; `any`: every https URL and loopback hosts, as long as nothing is configured. */
export type AllowedRedirects = 'any' | readonly string[]

/** Why a browser cannot be redirected to a URL; undefined when it can. */
export function redirectProblem(text: string, allowed: AllowedRedirects): string | undefined {
  const url = URL.parse(text)
  // Characters that browsers remove or rewrite are refused, so that all browsers see the same URL.
  if (url === null || !/^https?:\/\/[^\\\s]+$/i.test(text)) return 'must be an absolute https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  if (allowed !== 'any') {
    return allowed.includes(url.origin) ? undefined : 'must have an origin listed in SIGNET_ALLOWED_REDIRECTS'
  }
  return url.protocol === 'https:' || isLoopbackHost(url.hostname) ? undefined : 'must be an https URL'
}

/** Throws with all invalid fields, unless both URLs are allowed. */
export function checkRedirects(
  { successUrl, failureUrl }: { readonly successUrl: string; readonly failureUrl: string },
  allowed: AllowedRedirects,
  prefix: string,
): void {
  const violations = Object.entries({ successUrl, failureUrl }).flatMap(([name, url]): readonly Violation[] => {
    const description = redirectProblem(url, allowed)
    return description === undefined ? [] : [{ field: `${prefix}${name}`, description }]
  })
  if (violations.length > 0) throw refused(intentRefusals, 'intent.url_not_allowed', { violations })
}

/** The URL with these query parameters, which replace those of the same name. */
export function withParameters(text: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(text)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}
