/** Login pages of the caller's own, which take the place of the hosted ones. */
import { PATHS } from '../../kernel/page-paths.ts'
import type { App } from '../../module/app.ts'
import type { OidcConfig } from '../applications/index.ts'
import { loginUi } from '../settings/index.ts'
import { mayAnswerRequests } from './handlers/answer-request.ts'

/** The base of the pages where the instance, the application or the request has some; undefined: the hosted ones. */
export async function ownLoginBase(
  app: App,
  config: Pick<OidcConfig, 'loginVersion'> | undefined,
  loginClientId: string,
): Promise<string | undefined> {
  const { required, baseUri = PATHS.ownLogin } = await loginUi(app)
  const version = config?.loginVersion
  const isOwn =
    required || version?.type === 'v2' || (loginClientId !== '' && (await mayAnswerRequests(app, loginClientId)))
  const base = !required && version?.type === 'v2' ? (version.baseUri ?? baseUri) : baseUri
  return isOwn ? base.replace(/\/$/, '') : undefined
}
