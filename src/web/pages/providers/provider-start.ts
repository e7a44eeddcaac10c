/** Starts a sign-in at an identity provider: sets the cookie that recognizes the browser and sends it there. */

import { newSecret } from '../../../crypto/tokens.ts'
import { providerName, startProviderSignIn } from '../../../features/sign-in/index.ts'
import { sourceOf } from '../../../http/client-address.ts'
import { address, seeOther } from '../../addresses.ts'
import { carried, clientOf, isElsewhere, organizationOf, PATHS, requireStep, showWait } from '../../browser.ts'
import { browserCookie, browserOf } from '../../browser-cookie.ts'
import type { PageTools } from '../../page-tools.ts'
import { isFromOurselves } from '../../same-origin.ts'
import { sentForm } from '../../sent-form.ts'
import { type PagePlan, problemPage } from '../../site.ts'
import { showProviderFailure } from './provider-failure.ts'

const LONGEST_ID = 200

export function providerPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const { app, cookie, externalUrl } = tools
      const { request, texts, asked } = visit
      // HEAD must not start a sign-in.
      if (request.method === 'HEAD') return problemPage(texts, 405, 'notAllowed', { allow: 'GET' })
      if (!cookie.isKept(request)) return problemPage(texts, 400, 'insecure')
      const organizationId = organizationOf(visit)
      const { next, lang, authRequest } = carried(visit)
      // A foreign link must not sign users in with a provider and an account of its choice.
      if (!isFromOurselves(request, externalUrl)) {
        return seeOther(address(PATHS.signIn, { next, lang, authRequest, orgId: organizationId }))
      }
      const isLinking = asked.has('link')
      if (isLinking) {
        const found = await requireStep(tools, visit, 'none')
        if (isElsewhere(found)) return found
        // Back to the page with the buttons: browsers follow no form to a provider.
        if (!found.person.isFresh) return seeOther(address(PATHS.signIn, { again: 'yes', next: PATHS.account, lang }))
      }
      const idpId = (asked.get('idp') ?? '').replaceAll('\0', '').slice(0, LONGEST_ID)
      const browser = browserOf(request, externalUrl) ?? Buffer.from(newSecret()).toString('base64url')
      const kept = { idp: idpId, next, lang, authRequest, orgId: organizationId, ...(isLinking && { link: 'yes' }) }
      const url = new URL(address(PATHS.external, kept), externalUrl).href
      const started = await startProviderSignIn(app, {
        source: sourceOf(clientOf(visit).ip ?? ''),
        idpId,
        organizationId,
        browser,
        successUrl: url,
        failureUrl: url,
      })
      if (started.outcome === 'started') {
        const headers = { 'set-cookie': browserCookie(browser, externalUrl) }
        const { next: step } = started
        if (step.type === 'redirect') return seeOther(step.url, headers)
        return sentForm({ ...step, texts: { language: visit.language, ...texts.goOn }, externalUrl, headers })
      }
      if (started.outcome === 'throttled') return showWait(visit, started.retryAfterSeconds)
      if (started.outcome === 'busy') return problemPage(texts, 503, 'busy', { 'retry-after': '5' })
      const reason = started.outcome === 'unavailable' ? 'unavailable' : 'failed'
      return showProviderFailure(visit, reason, await providerName(app, idpId))
    },
  }
}
