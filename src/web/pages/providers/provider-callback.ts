/** Where identity providers send browsers back to. It only redirects, or shows that the sign-in failed. */

import { finishProviderSignIn, type ReturnedBrowser } from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { whereaboutsOf } from '../../../http/user-agent.ts'
import { PATHS } from '../../../kernel/page-paths.ts'
import { browserOf } from '../../browser-cookie.ts'
import type { PageTools } from '../../page-tools.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'

/** The parameters of an answer. Everything else in a form is unproven and ignored. */
const PARAMETERS = ['state', 'code', 'iss', 'error'] as const

function redirectTo(location: string): PageAnswer {
  return {
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: { location },
  }
}

async function finish(
  { app, externalUrl }: PageTools,
  { request, texts }: Visit,
  allow: string,
  more: Pick<ReturnedBrowser, 'header'> = {},
): Promise<Shown | PageAnswer> {
  // HEAD must not use up what can be used once.
  if (request.method === 'HEAD') return problemPage(texts, 405, 'notAllowed', { allow })
  const browser = browserOf(request, externalUrl)
  const finished = await finishProviderSignIn(app, {
    parameters: request.query,
    browser,
    from: whereaboutsOf(request),
    ...more,
  })
  if (finished.type === 'redirect') return redirectTo(finished.url)
  return finished.type === 'busy' ? problemPage(texts, 503, 'busy') : problemPage(texts, 400, 'signInFailed')
}

/** Where providers with a signed token send browsers back to. */
export function tokenCallbackPage(tools: PageTools): PagePlan {
  return {
    get: (visit) => finish(tools, visit, 'GET', { header: (name) => visit.request.header(name) }),
  }
}

export function providerCallbackPage(tools: PageTools): PagePlan {
  return {
    takesForeignForms: true,

    get: (visit) => finish(tools, visit, 'GET, POST'),

    /** A form from another site comes without our cookie; sent on as a request of its own, it has it (SameSite=Lax). */
    post(_, fields) {
      const query = new URLSearchParams()
      for (const name of PARAMETERS) for (const value of fields.getAll(name)) query.append(name, value)
      return redirectTo(`${PATHS.providerCallback}?${query}`)
    },
  }
}
