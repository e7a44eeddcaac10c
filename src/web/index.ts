/** The hosted pages. Each is a function from what is known to HTML; only passkeys need a script. Pages call modules and decide nothing. */

import { slowestCheckMilliseconds } from '../features/passwords/index.ts'
import { allowedLanguages, embeddingOrigins } from '../features/settings/index.ts'
import { preferredLanguageOf } from '../features/sign-in/index.ts'
import type { Pages } from '../http/page.ts'
import { openThrottle } from '../kernel/share.ts'
import type { App } from '../module/app.ts'
import { assetPages } from './assets.ts'
import { BRAND_PATH, brandSheetPage, openLooks } from './brand.ts'
import { PATHS } from './browser.ts'
import {
  openChallengeCookie,
  openKnownBrowserCookie,
  openLanguageCookie,
  openLastWayCookie,
  openLaterCookie,
  openSessionCookie,
} from './cookies.ts'
import { openTexts } from './custom-texts.ts'
import { openRecognition } from './known-browser.ts'
import { openLater } from './later.ts'
import { openRefusalDelay, type PageTools, sendInBackground } from './page-tools.ts'
import { accountPage } from './pages/account/account.ts'
import { authenticatorPage, linksPage, recoveryCodesPage, sessionsPage } from './pages/account/actions.ts'
import { applicationsPage } from './pages/account/applications.ts'
import { approvalsPage } from './pages/account/approvals.ts'
import { contactPage } from './pages/account/contact.ts'
import { dataPage, deletionPage } from './pages/account/data.ts'
import { keysPage } from './pages/account/keys.ts'
import { picturePage } from './pages/account/picture.ts'
import { profilePage } from './pages/account/profile.ts'
import { removePage } from './pages/account/remove.ts'
import { sentCodesPage } from './pages/account/sent-codes.ts'
import { chooseAccountPage } from './pages/applications/choose-account.ts'
import { consentPage } from './pages/applications/consent.ts'
import { devicePage } from './pages/applications/device.ts'
import { cancelPage } from './pages/applications/own-request.ts'
import { registerPage } from './pages/applications/register.ts'
import { changePasswordPage } from './pages/credentials/change-password.ts'
import { forgotPasswordPage } from './pages/credentials/forgot-password.ts'
import { acceptInvitationPage, resetPasswordPage } from './pages/credentials/password-pages.ts'
import { registerPasskeyPage } from './pages/credentials/register-passkey.ts'
import { verifyEmailPage } from './pages/credentials/verify-email.ts'
import { CHANGE_PASSWORD, changePasswordRedirect } from './pages/credentials/well-known.ts'
import { inboxPage } from './pages/inbox.ts'
import { directoryPage } from './pages/providers/directory.ts'
import { providerCallbackPage, tokenCallbackPage } from './pages/providers/provider-callback.ts'
import { providerReturnPage } from './pages/providers/provider-return.ts'
import { providerPage } from './pages/providers/provider-start.ts'
import { setUpPage } from './pages/set-up.ts'
import { offerPasskeyPage } from './pages/sign-in/offer-passkey.ts'
import { secondFactorPage } from './pages/sign-in/second-factor.ts'
import { setUpSecondFactorPage } from './pages/sign-in/set-up-second-factor.ts'
import { passkeySignInPage, passwordSignInPage } from './pages/sign-in/sign-in.ts'
import { signedOutPage, signOutPage } from './pages/sign-in/sign-out.ts'
import { goOnPage, signedInPage } from './pages/sign-in/signed-in.ts'
import { startPage } from './pages/start.ts'
import { openSite, type PagePlan } from './site.ts'

export { apiExplorerPages } from './api-explorer.ts'
export { consolePages } from './console.ts'
export { documentationPages } from './documentation.ts'
export { notFoundPage } from './not-found.ts'
export { openIdBrowser } from './openid-browser.ts'

export interface PagesOptions {
  readonly app: App
  /** Told of every unexpected error. */
  fault(error: unknown, requestId?: string): void
  /** How long a refused code is delayed, so that timing does not reveal the reason. */
  readonly refusalMs?: number
}

/** Three mails of a kind to one user in a quarter of an hour. */
const MAILS = { limit: 3, windowMs: 15 * 60 * 1000 }

/** Ten attempts to register with one sign-in at a provider, which is valid for an hour. */
const REGISTRATIONS = { limit: 10, windowMs: 60 * 60 * 1000 }

/** Thirty registrations from one address of the network in an hour: people behind one router share it. */
const REGISTRATIONS_OF_A_SOURCE = { limit: 30, windowMs: 60 * 60 * 1000 }

/** All hosted pages by path. */
export function hostedPages({ app, fault, refusalMs = 400 }: PagesOptions): Pages {
  const { clock: now } = app
  const externalUrl = new URL(app.externalUrl)
  const cookie = openSessionCookie(externalUrl, now)
  const site = openSite({
    externalUrl: app.externalUrl,
    lookOf: openLooks(app, cookie),
    textsOf: openTexts(app, cookie),
    embeddingOrigins: () => embeddingOrigins(app),
    allowedLanguages: () => allowedLanguages(app),
    preferredLanguage: (request) => preferredLanguageOf(app, cookie.read(request)),
    languageCookie: openLanguageCookie(externalUrl, now),
    now,
    fault,
  })
  const throttle = openThrottle({ now, ...MAILS })
  const tools: PageTools = {
    app,
    externalUrl: site.externalUrl,
    cookie,
    challengeCookie: openChallengeCookie(site.externalUrl, now),
    later: openLater(openLaterCookie(site.externalUrl, now), now),
    lastWay: openLastWayCookie(site.externalUrl, now),
    recognize: openRecognition(app, openKnownBrowserCookie(site.externalUrl, now)),
    delayRefusal: openRefusalDelay(refusalMs, () => slowestCheckMilliseconds(app)),
    send: (key, deliver) => sendInBackground({ throttle, fault }, key, deliver),
    mayRegister: openThrottle({ now, ...REGISTRATIONS }),
    mayRegisterFrom: openThrottle({ now, ...REGISTRATIONS_OF_A_SOURCE }),
  }
  const plans: Readonly<Record<string, PagePlan>> = {
    [PATHS.start]: startPage(tools),
    [PATHS.verifyEmail]: verifyEmailPage(tools),
    [PATHS.setPassword]: resetPasswordPage(tools),
    [PATHS.acceptInvitation]: acceptInvitationPage(tools),
    [PATHS.forgotPassword]: forgotPasswordPage(tools),
    [PATHS.setUp]: setUpPage(tools),
    [CHANGE_PASSWORD]: changePasswordRedirect(),
    [PATHS.providerCallback]: providerCallbackPage(tools),
    [PATHS.tokenCallback]: tokenCallbackPage(tools),
    [PATHS.inbox]: inboxPage(tools),
    [PATHS.signIn]: passwordSignInPage(tools),
    [PATHS.passkey]: passkeySignInPage(tools),
    [PATHS.provider]: providerPage(tools),
    [PATHS.directory]: directoryPage(tools),
    [PATHS.external]: providerReturnPage(tools),
    [PATHS.secondFactor]: secondFactorPage(tools),
    [PATHS.setUpFactor]: setUpSecondFactorPage(tools),
    [PATHS.newPassword]: changePasswordPage(tools, { path: PATHS.newPassword, step: 'change_password' }),
    [PATHS.signedIn]: signedInPage(tools),
    [PATHS.offerPasskey]: offerPasskeyPage(tools),
    [PATHS.goOn]: goOnPage(),
    [PATHS.cancel]: cancelPage(tools),
    [PATHS.accounts]: chooseAccountPage(tools),
    [PATHS.consent]: consentPage(tools),
    [PATHS.register]: registerPage(tools),
    [PATHS.device]: devicePage(tools),
    [PATHS.signOut]: signOutPage(tools),
    [PATHS.signedOut]: signedOutPage(),
    [PATHS.account]: accountPage(tools),
    [PATHS.sessions]: sessionsPage(tools),
    [PATHS.keys]: keysPage(tools),
    [PATHS.remove]: removePage(tools),
    [PATHS.links]: linksPage(tools),
    [PATHS.applications]: applicationsPage(tools),
    [PATHS.approvals]: approvalsPage(tools),
    [PATHS.totp]: authenticatorPage(tools),
    [PATHS.otp]: sentCodesPage(tools),
    [PATHS.recoveryCodes]: recoveryCodesPage(tools),
    [PATHS.password]: changePasswordPage(tools, { path: PATHS.password, step: 'none' }),
    [PATHS.profile]: profilePage(tools),
    [PATHS.contact]: contactPage(tools),
    [PATHS.picture]: picturePage(tools),
    [PATHS.data]: dataPage(tools),
    [PATHS.deletion]: deletionPage(tools),
    [PATHS.registerPasskey]: registerPasskeyPage(tools),
  }
  const hosted = Object.entries(plans).map(([path, plan]) => [path, site.host(plan)] as const)
  return new Map([...hosted, ...assetPages(site.headers), [`${BRAND_PATH}/*`, brandSheetPage(app, site.headers)]])
}
