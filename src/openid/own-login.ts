/** Login pages of the caller's own, which take the place of the hosted ones. */

import type { OidcConfig } from '../features/applications/index.ts'
import { mayAnswerRequests } from '../features/authorization-requests/index.ts'
import { loginUi } from '../features/settings/index.ts'
import { signJwt } from '../features/web-keys/index.ts'
import type { PageRequest } from '../http/page.ts'
import { PATHS } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'

/** How long such a page can verify what it is to do. */
const LOGOUT_LIFETIME_S = 15 * 60

/**
 * The user that a login page acts as which stands in front of the server; empty when none does. Anybody can send the
 * header, so it counts only for a user who may answer requests.
 */
export function loginClientOf(request: PageRequest): string {
  return request.header('x-zitadel-login-client') ?? request.header('x-signet-login-client') ?? ''
}

/** The base of the pages where the instance, the application or the request has some; undefined: the hosted ones. */
export async function ownLoginBase(
  app: App,
  config: OidcConfig | undefined,
  loginClientId: string,
): Promise<string | undefined> {
  const { required, baseUri = PATHS.ownLogin } = await loginUi(app)
  const version = config?.loginVersion
  const isOwn =
    required || version?.type === 'v2' || (loginClientId !== '' && (await mayAnswerRequests(app, loginClientId)))
  const base = !required && version?.type === 'v2' ? (version.baseUri ?? baseUri) : baseUri
  return isOwn ? base.replace(/\/$/, '') : undefined
}

/** What an application asks for when it logs a user out. */
export interface LogoutRequest {
  readonly redirectUri: string
  readonly logoutHint: string | undefined
  readonly uiLocales: string | undefined
}

/** The page that asks which session to end. It can verify by the signed token that the request is ours. */
export async function ownLogoutPage(app: App, base: string, asked: LogoutRequest): Promise<string> {
  const now = Math.floor(app.clock() / 1000)
  const hints = {
    ...(asked.logoutHint && { logout_hint: asked.logoutHint }),
    ...(asked.uiLocales && { ui_locales: asked.uiLocales }),
  }
  const claims = { iss: app.externalUrl, iat: now, exp: now + LOGOUT_LIFETIME_S }
  const logoutToken = await signJwt(
    app,
    { ...claims, post_logout_redirect_uri: asked.redirectUri, ...hints },
    { typ: 'logout-request+jwt' },
  )
  const parameters = { post_logout_redirect: asked.redirectUri, ...hints, logout_token: logoutToken }
  return `${base}/logout?${new URLSearchParams(parameters)}`
}
