/** The way to an identity provider: a button of ours sends the browser there, with a cookie by which it is known again. */
import { hashSecret, newSecret } from '../crypto/tokens.ts'
import { address, seeOther } from './addresses.ts'
import { carried, isElsewhere, organizationOf, PATHS, requireStep, type SessionPageNeeds } from './browser.ts'
import { browserCookie, browserOf } from './browser-cookie.ts'
import { showForeignFailure } from './foreign-failure.ts'
import { isFromOurselves } from './same-origin.ts'
import { mishap, type PagePlan } from './site.ts'

/** What the pages of signing in elsewhere are built from. */
export interface ExternalPageNeeds extends SessionPageNeeds {
  readonly externalUrl: URL
  /** Whether somebody may try once more to be registered with one sign-in elsewhere. */
  mayTry(intentId: string): boolean
}

const LONGEST_ID = 200

export function providerPage(needs: ExternalPageNeeds): PagePlan {
  return {
    async get(visit) {
      const { ports, cookie, externalUrl } = needs
      const { request, texts, asked } = visit
      // Whoever only looks does not begin anything.
      if (request.method === 'HEAD') return mishap(texts, 405, 'notAllowed', { allow: 'GET' })
      if (!cookie.isKept(request)) return mishap(texts, 400, 'insecure')
      const organizationId = organizationOf(visit)
      const { next, lang } = carried(visit)
      // A link elsewhere must not sign people in with a provider of its own choice, as somebody they are not.
      if (!isFromOurselves(request, externalUrl)) {
        return seeOther(address(PATHS.signIn, { next, lang, orgId: organizationId }))
      }
      const isLinking = asked.has('link')
      if (isLinking) {
        const found = await requireStep(needs, visit, 'none')
        if (isElsewhere(found)) return found
        // Back to the page with the buttons: browsers follow no form to a provider.
        if (!found.person.isFresh) return seeOther(address(PATHS.signIn, { again: 'yes', next: PATHS.account, lang }))
      }
      const idpId = (asked.get('idp') ?? '').replaceAll('\0', '').slice(0, LONGEST_ID)
      const browser = browserOf(request, externalUrl) ?? Buffer.from(newSecret()).toString('base64url')
      const kept = { idp: idpId, next, lang, orgId: organizationId, ...(isLinking && { link: 'yes' }) }
      const urlOf = (more: Readonly<Record<string, string>>) =>
        new URL(address(PATHS.external, { ...kept, ...more }), externalUrl).href
      const started = await ports.external.start({
        idpId,
        organizationId,
        browser,
        // What the room hands out is good in this browser only: the hash tells nobody what its cookie holds.
        successUrl: urlOf({ browser: hashSecret(browser) }),
        failureUrl: urlOf({}),
      })
      if (started.outcome === 'started') {
        return seeOther(started.url, { 'set-cookie': browserCookie(browser, externalUrl) })
      }
      if (started.outcome === 'busy') return mishap(texts, 503, 'busy', { 'retry-after': '5' })
      const reason = started.outcome === 'unavailable' ? 'unavailable' : 'failed'
      return showForeignFailure(visit, reason, await ports.external.nameOf(idpId))
    },
  }
}
