/** The hosted pages: what people see of this server. Each is a function from what is known to HTML; only passkeys need a script. */

import type { Pages } from '../http/page.ts'
import type { Clock } from '../kernel/instant.ts'
import { accountPage } from './account.ts'
import { accountDeeds } from './account-deeds.ts'
import { assetPages } from './assets.ts'
import { PATHS } from './browser.ts'
import { changePasswordPage } from './change-password.ts'
import { openPace, sendUnseen } from './codes.ts'
import { openSessionCookie } from './cookies.ts'
import { externalPage } from './external.ts'
import { forgotPasswordPage } from './forgot-password.ts'
import { IDP_CALLBACK, idpCallbackPage } from './idp-callback.ts'
import { inboxPage } from './inbox.ts'
import { acceptInvitationPage, resetPasswordPage } from './password-pages.ts'
import type { PagePorts } from './ports.ts'
import { providerPage } from './provider-start.ts'
import { registerPasskeyPage } from './register-passkey.ts'
import { requiredFactorPage } from './required-factor.ts'
import { secondFactorPage } from './second-factor.ts'
import { setUpPage } from './set-up.ts'
import { signInPages } from './sign-in.ts'
import { signedInPage, signOutPage } from './signed-in.ts'
import { openSite, type PagePlan } from './site.ts'
import { startPage } from './start.ts'
import { openThrottle } from './throttle.ts'
import { verifyEmailPage } from './verify-email.ts'

export { notFoundPage } from './not-found.ts'
export type { PagePorts } from './ports.ts'

export interface PagesOptions {
  readonly ports: PagePorts
  /** Where the world finds the server. */
  readonly externalUrl: string
  readonly now: Clock
  /** Learns of everything that nobody expected. */
  fault(error: unknown, requestId?: string): void
  /** How long a refused code is held back, so that time does not tell why. */
  readonly refusalMs?: number
}

/** Three mails of a kind to one user in a quarter of an hour. */
const MAILS = { limit: 3, windowMs: 15 * 60 * 1000 }

/** Ten tries to be registered with one sign-in elsewhere, which is good for an hour. */
const REGISTRATIONS = { limit: 10, windowMs: 60 * 60 * 1000 }

/** All hosted pages by path. */
export function hostedPages(options: PagesOptions): Pages {
  const { ports, now, fault, refusalMs = 400 } = options
  const site = openSite(options)
  const throttle = openThrottle({ now, ...MAILS })
  const needs = {
    ports,
    cookie: openSessionCookie(site.externalUrl, now),
    pace: openPace(refusalMs),
    sending: (key: string, send: () => Promise<void>) => sendUnseen({ throttle, fault }, key, send),
  }
  const tries = openThrottle({ now, ...REGISTRATIONS })
  const externalNeeds = { ...needs, externalUrl: site.externalUrl, mayTry: tries }
  const plans: Readonly<Record<string, PagePlan>> = {
    '/': startPage(ports.inbox, site.externalUrl),
    '/verify-email': verifyEmailPage(needs),
    '/set-password': resetPasswordPage(needs),
    '/accept-invitation': acceptInvitationPage(needs),
    '/forgot-password': forgotPasswordPage(needs),
    '/setup': setUpPage(needs),
    [IDP_CALLBACK]: idpCallbackPage(ports, site.externalUrl),
    '/inbox': inboxPage(ports.inbox, site.externalUrl),
    ...signInPages(needs),
    [PATHS.provider]: providerPage(externalNeeds),
    [PATHS.external]: externalPage(externalNeeds),
    [PATHS.secondFactor]: secondFactorPage(needs),
    [PATHS.setUpFactor]: requiredFactorPage(needs),
    [PATHS.newPassword]: changePasswordPage(needs, { path: PATHS.newPassword, step: 'change_password' }),
    [PATHS.signedIn]: signedInPage(needs),
    [PATHS.signOut]: signOutPage(needs),
    [PATHS.account]: accountPage(needs),
    ...accountDeeds(needs),
    [PATHS.password]: changePasswordPage(needs, { path: PATHS.password, step: 'none' }),
    [PATHS.registerPasskey]: registerPasskeyPage(needs),
  }
  const hosted = Object.entries(plans).map(([path, plan]) => [path, site.host(plan)] as const)
  return new Map([...hosted, ...assetPages(site.headers)])
}
