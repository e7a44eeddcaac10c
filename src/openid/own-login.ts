/** Login pages of the caller's own, which take the place of the hosted ones. */

import { signJwt } from '../features/web-keys/index.ts'
import type { App } from '../module/app.ts'

/** How long such a page can verify what it is to do. */
const LOGOUT_LIFETIME_S = 15 * 60

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
