/** A page that sends a form to another server by itself, for messages that are too long for an address. */
import { createHash } from 'node:crypto'
import { html } from 'htm/preact'
import type { PageAnswer, PageHeaders } from '../http/page.ts'
import { printSheet } from './layout.ts'
import { headline } from './parts.ts'
import { securityHeaders } from './security-headers.ts'
import type { Visit } from './site.ts'

/** All that the page does by itself. The policy names its hash, so that nothing else can run there. */
const SEND = 'document.forms[0].submit()'
const SEND_HASH = createHash('sha256').update(SEND).digest('base64')

/**
 * A form may go to the other server, and on from there, also back to us: browsers hold the redirects after it to this
 * policy, too.
 */
function formPolicy(url: string): string {
  const target = `'self' ${new URL(url).origin} https:`
  return `default-src 'self'; script-src 'sha256-${SEND_HASH}'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action ${target}`
}

export interface SentForm {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
  /** What the page says meanwhile. */
  readonly texts: { readonly language: Visit['language'] } & Visit['texts']['goOn']
  readonly externalUrl: URL
  readonly headers?: PageHeaders
}

export function sentForm({ url, fields, texts, externalUrl, headers = {} }: SentForm): PageAnswer {
  const { language, title, lead, button } = texts
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name=${name} value=${value} />`,
  )
  const content = html`
    ${headline(title)}
    <p class="lead">${lead}</p>
    <form method="post" action=${url}>${inputs}<button type="submit">${button}</button></form>
    <script dangerouslySetInnerHTML=${{ __html: SEND }}></script>
  `
  const body = printSheet({ language, title, content })
  const policy = { 'content-security-policy': formPolicy(url), 'content-language': language }
  const all = { ...securityHeaders(externalUrl), ...policy, ...headers }
  return { status: 200, contentType: 'text/html; charset=utf-8', body, headers: all }
}
