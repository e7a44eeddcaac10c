/** The endpoints of SAML 2.0 as pages of the port. What they need is loaded when one of them is first asked. */
import { XmlRefused } from '../crypto/xml/parse.ts'
import { type Page, type PageAnswer, type PageRequest, type Pages, UnreadableForm } from '../http/page.ts'
import { SAML_PATHS, SAML_PROVIDERS_PATH } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import type { SamlBrowser } from './browser.ts'

type Answer = (app: App, request: PageRequest, browser: SamlBrowser) => Promise<PageAnswer>

/** A message that is not followed becomes a page: nothing of it says where an answer could safely go. */
async function showing(app: App, request: PageRequest, browser: SamlBrowser, act: Answer): Promise<PageAnswer> {
  try {
    return await act(app, request, browser)
  } catch (error) {
    if (error instanceof BadMessage) return browser.errorPage(request, 'invalid_request', error.message, error.status)
    if (error instanceof XmlRefused) {
      return browser.errorPage(request, 'invalid_request', `The message cannot be read: ${error.message}.`)
    }
    if (error instanceof UnreadableForm) {
      return browser.errorPage(request, 'invalid_request', 'The form cannot be read.', error.status)
    }
    throw error
  }
}

/** Every endpoint by its path. */
export function samlPages({ app, ...browser }: SamlBrowser & { readonly app: App }): Pages {
  const page = (verbs: readonly string[], load: () => Promise<Answer>): Page => ({
    verbs,
    answer: async (request) => showing(app, request, browser, await load()),
  })
  const signOn = () => import('./sign-on.ts')
  return new Map([
    [SAML_PATHS.metadata, page(['GET', 'HEAD'], async () => (await import('./metadata.ts')).metadataAnswer)],
    [SAML_PATHS.certificate, page(['GET', 'HEAD'], async () => (await import('./metadata.ts')).certificateAnswer)],
    [SAML_PATHS.signOn, page(['GET', 'POST'], async () => (await signOn()).startSignOn)],
    [`${SAML_PATHS.goOn}*`, page(['GET'], async () => (await signOn()).goOn)],
    [`${SAML_PATHS.start}*`, page(['GET'], async () => (await signOn()).startUnsolicited)],
    [`${SAML_PATHS.goOnWithLogout}*`, page(['GET'], async () => (await import('./logout-steps.ts')).goOnWithLogout)],
    [
      `${SAML_PROVIDERS_PATH}*`,
      page(['GET', 'HEAD', 'POST'], async () => (await import('./upstream.ts')).answerUpstream),
    ],
    [SAML_PATHS.logOut, page(['GET', 'POST'], async () => (await import('./single-logout.ts')).answerLogout)],
  ])
}
