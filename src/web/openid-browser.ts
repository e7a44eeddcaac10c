/** What the OpenID endpoints need of the hosted pages: the session of a browser, and a page for errors. */

import { html } from 'htm/preact'
import { sourceOf } from '../http/client-address.ts'
import type { PageAnswer, PageHeaders, PageRequest } from '../http/page.ts'
import { LANGUAGE_TAGS } from '../kernel/languages.ts'
import { openThrottle } from '../kernel/share.ts'
import type { App } from '../module/app.ts'
import { leavesUs } from './browser.ts'
import { browserOf } from './browser-cookie.ts'
import { openLanguageCookie, openSessionCookie } from './cookies.ts'
import { chooseLanguage, textsIn } from './language.ts'
import { printSheet } from './layout.ts'
import { message } from './parts.ts'
import { securityHeaders } from './security-headers.ts'
import { sentForm } from './sent-form.ts'

export interface OpenIdBrowser {
  readonly languages: readonly string[]
  readSession(request: PageRequest): string | undefined
  /** The value by which the pages recognize a browser that they sent to an identity provider. */
  readBrowser(request: PageRequest): string | undefined
  forgetSession(request: PageRequest): PageHeaders
  errorPage(request: PageRequest, error: string, description: string | undefined, status?: number): PageAnswer
  /**
   * A page that sends a form by itself, for messages that go to a service provider. With the name of an application, it
   * says that the user is signed out there.
   */
  formPage(request: PageRequest, url: string, fields: Readonly<Record<string, string>>, leaving?: string): PageAnswer
  /** A page that leads to an address by itself. */
  leadPage(request: PageRequest, url: string, leaving?: string): PageAnswer
  /** Counts an anonymous request that is stored; false: there were too many from this address of the network. */
  mayStartFrom(address: string): boolean
}

/**
 * A thousand anonymous requests from one address of the network in a minute. Each is stored for some hours. All people of
 * an office can share the address, and start their day at the same time.
 */
const REQUESTS_OF_A_SOURCE = { limit: 1000, windowMs: 60_000 }

/** Whether a program asks: browsers accept HTML. */
function asksForJson(request: PageRequest): boolean {
  const accept = request.header('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** The browser side of the OpenID endpoints. */
export function openIdBrowser({ externalUrl, clock }: App): OpenIdBrowser {
  const url = new URL(externalUrl)
  const cookie = openSessionCookie(url, clock)
  const languageCookie = openLanguageCookie(url, clock)
  const headers = securityHeaders(url)
  const throttle = openThrottle({ now: clock, ...REQUESTS_OF_A_SOURCE })
  const textsOf = (request: PageRequest, leaving: string | undefined) => {
    const language = chooseLanguage(null, request.header('accept-language'), [languageCookie.read(request)])
    const { goOn, signingOut } = textsIn(language)
    if (leaving === undefined) return { language, ...goOn }
    return {
      language,
      title: signingOut.title,
      lead: signingOut.lead({ applicationName: leaving }),
      button: goOn.button,
    }
  }
  return {
    mayStartFrom: (address) => throttle(sourceOf(address)),
    languages: LANGUAGE_TAGS,
    readSession: (request) => cookie.read(request),
    readBrowser: (request) => browserOf(request, url),
    forgetSession: (request) => cookie.forget(request),
    leadPage(request, url, leaving) {
      const { language, title, lead, button } = textsOf(request, leaving)
      const content = message(title, [lead], html`<p><a class="button" href=${url}>${button}</a></p>`)
      const body = printSheet({ language, title, content })
      const lines = { ...headers, 'content-language': language, refresh: `0; url=${new URL(url).href}` }
      return { status: 200, contentType: 'text/html; charset=utf-8', body, headers: lines }
    },
    formPage(request, target, fields, leaving) {
      return sentForm({ url: target, fields, texts: textsOf(request, leaving), externalUrl: url })
    },
    errorPage(request, error, description, status = 400) {
      if (asksForJson(request)) {
        const body = JSON.stringify({ error, error_description: description })
        return { status, contentType: 'application/json; charset=utf-8', body, headers }
      }
      const language = chooseLanguage(request.query.get('ui_locales'), request.header('accept-language'), [
        languageCookie.read(request),
      ])
      const { requestFailed, wait } = textsIn(language)
      const { text, expired, next, detail } = requestFailed
      // A browser that returns without the request that it came with gets this error.
      const isExpired = leavesUs(request.path) && error === 'invalid_request'
      const isTooMuch = status === 429
      const title = isTooMuch ? wait.title : requestFailed.title
      const content = message(
        title,
        isTooMuch
          ? [wait.text, wait.seconds({ count: REQUESTS_OF_A_SOURCE.windowMs / 1000 })]
          : [isExpired ? expired : text, next],
        html`
          <details class="more">
            <summary>${detail}</summary>
            <p><code>${error}</code></p>
            ${description !== undefined && html`<p>${description}</p>`}
            <p class="note">${request.requestId}</p>
          </details>
        `,
      )
      return {
        status,
        contentType: 'text/html; charset=utf-8',
        body: printSheet({ language, title, content }),
        headers: { ...headers, 'content-language': language },
      }
    },
  }
}
