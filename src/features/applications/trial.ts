/**
 * One sign-in to an application that ends at the console, so that an administrator sees what the application would learn:
 * see docs/decisions/0074-try-sign-in.md. What allows it is a signed ticket for one client and one PKCE challenge; nothing
 * is registered and nothing is stored.
 */
import { type Instant, instant } from '../../kernel/instant.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import type { App } from '../../module/app.ts'

const PURPOSE = ['sign-in trial']
const LIFETIME_MS = 10 * 60_000

/** What a ticket allows. */
export interface SignInTrial {
  readonly clientId: string
  readonly codeChallenge: string
}

/** Where a trial ends: the same for all applications. No token is issued for a code that was sent there. */
export function trialRedirectUri({ externalUrl }: Pick<App, 'externalUrl'>): string {
  return new URL(PATHS.trial, externalUrl).href
}

/** A ticket, and until when it counts. */
export async function issueTrialTicket(
  app: App,
  { clientId, codeChallenge }: SignInTrial,
): Promise<{ readonly ticket: string; readonly expiresAt: Instant }> {
  const expiresAt = instant(app.clock() + LIFETIME_MS)
  return { ticket: await app.vault.sign(PURPOSE, JSON.stringify([clientId, codeChallenge, expiresAt])), expiresAt }
}

/** What a ticket allows; undefined when it is none of ours, or has expired. */
export async function readTrialTicket(app: App, ticket: string): Promise<SignInTrial | undefined> {
  const text = await app.vault.readSigned(PURPOSE, ticket)
  if (text === undefined) return undefined
  const [clientId, codeChallenge, expiresAt] = JSON.parse(text) as [string, string, number]
  return app.clock() < expiresAt ? { clientId, codeChallenge } : undefined
}
