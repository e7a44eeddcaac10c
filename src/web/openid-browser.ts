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
import { type Content, message } from './parts.ts'
import { securityHeaders } from './security-headers.ts'
import { sentForm } from './sent-form.ts'
import type { Texts } from './texts/en.ts'

export interface OpenIdBrowser {
  readonly languages: readonly string[]
  readSession(request: PageRequest): string | undefined
  /** The value by which the pages recognize a browser that they sent to an identity provider. */
  readBrowser(request: PageRequest): string | undefined
  forgetSession(request: PageRequest): PageHeaders
  errorPage(
    request: PageRequest,
    error: string,
    description: string | undefined,
    status?: number,
    explained?: Refusal,
  ): PageAnswer
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

/** What was wrong with a request of an application, where it can be said: see `openid/engine/refusals.ts`. */
type Refusal =
  | { readonly what: 'client'; readonly clientId: string }
  | {
      readonly what: 'redirect_uri'
      readonly applicationName: string
      readonly address: string
      readonly correctedAt?: string
    }

/** What was sent, as text: an address that nobody registered is never a link. Who may register it is led there. */
function describeRefusal({ requestFailed: words }: Texts, refusal: Refusal): Content {
  if (refusal.what === 'client') {
    return html`<p class="lead">${words.unknownClient}</p><p class="sent"><code><bdi>${refusal.clientId}</bdi></code></p>`
  }
  const { applicationName, address, correctedAt } = refusal
  return html`
    <p class="lead">${words.redirectUri({ applicationName })}</p>
    <p class="sent"><code><bdi>${address}</bdi></code></p>
    ${
      correctedAt !== undefined &&
      html`<p class="lead">${words.administrator}</p><p><a class="button" href=${correctedAt}>${words.add}</a></p>`
    }
  `
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
    errorPage(request, error, description, status = 400, explained) {
      if (asksForJson(request)) {
        const body = JSON.stringify({ error, error_description: description })
        return { status, contentType: 'application/json; charset=utf-8', body, headers }
      }
      const language = chooseLanguage(request.query.get('ui_locales'), request.header('accept-language'), [
        languageCookie.read(request),
      ])
      const texts = textsIn(language)
      const { requestFailed: words, wait } = texts
      // A browser that returns without the request that it came with gets this error.
      const isExpired = leavesUs(request.path) && error === 'invalid_request'
      const isTooMuch = status === 429
      const title = isTooMuch ? wait.title : words.title
      const said = isTooMuch
        ? [wait.text, wait.seconds({ count: REQUESTS_OF_A_SOURCE.windowMs / 1000 })]
        : [isExpired ? words.expired : words.text, words.next]
      const content = message(
        title,
        explained === undefined ? said : [],
        html`
          ${explained !== undefined && html`${describeRefusal(texts, explained)}<p class="lead">${words.next}</p>`}
          <details class="more">
            <summary>${words.detail}</summary>
            <p><code>${error}</code></p>
            ${description !== undefined && html`<p>${description}</p>`}
          </details>
          <p class="note">${words.reference}: <code>${request.requestId}</code></p>
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
