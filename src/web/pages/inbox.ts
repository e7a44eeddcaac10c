/**
 * The development inbox as a page. Its mails contain codes that replace passwords, and it needs no sign-in: so it exists
 * only while no mail server is active, for browsers on this machine, on a server without a public origin; and it asks for
 * the key in the data folder, which a link printed at the start contains.
 */

import { html } from 'htm/preact'
import { matchesHash } from '../../crypto/tokens.ts'
import { type InboxMail, isInboxOpen, listInboxMails, readInboxMail } from '../../features/mail/index.ts'
import { cookiesOf } from '../../http/cookies.ts'
import type { PageAnswer, PageRequest } from '../../http/page.ts'
import { isFromThisMachine } from '../../http/this-machine.ts'
import { isLoopbackHost } from '../../kernel/loopback.ts'
import { seeOther } from '../addresses.ts'
import { PATHS } from '../browser.ts'
import type { PageTools } from '../page-tools.ts'
import { headline, message } from '../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../site.ts'
import { time, timesScript } from '../times.ts'

/** Whether the inbox exists for this browser; pages link to it only then. */
export async function opensInbox({ app, externalUrl }: PageTools, request: PageRequest): Promise<boolean> {
  // With a public origin elsewhere, a proxy may be in front.
  return isLoopbackHost(externalUrl.hostname) && isFromThisMachine(request) && (await isInboxOpen(app))
}

function address(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${PATHS.inbox}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
}

function showList({ texts, lang, language }: Visit, mails: readonly InboxMail[]): Shown {
  const { title, lead, empty } = texts.inbox
  const items = mails.map(
    ({ id, to, subject, createdAt }) => html`
      <li>
        <a href=${address({ mail: id, lang })}><strong>${subject}</strong><span>${to}</span>${time(createdAt, language)}</a>
      </li>
    `,
  )
  return {
    title,
    isWide: true,
    content: html`
      ${headline(title)}
      <p class="lead">${lead}</p>
      ${items.length === 0 ? html`<p class="empty">${empty}</p>` : html`<ul class="mails">${items}</ul>`}
      ${timesScript()}
    `,
  }
}

function showMail(
  { texts, lang, language }: Visit,
  { id, to, subject, createdAt, text, html: markup }: InboxMail,
): Shown {
  const words = texts.inbox
  const written = html`<pre class="text">${text}</pre>`
  // No script, no form, no origin: a mail may only be looked at and its links be followed.
  const frame = html`
    <iframe
      class="mail"
      src=${address({ mail: id, part: 'html' })}
      title=${words.body}
      sandbox="allow-top-navigation-by-user-activation"
    ></iframe>
    <details><summary>${words.asText}</summary>${written}</details>
  `
  return {
    title: subject,
    isWide: true,
    content: html`
      <p><a href=${address({ lang })}>← ${words.back}</a></p>
      ${headline(subject)}
      <dl>
        <dt>${words.to}</dt><dd>${to}</dd>
        <dt>${words.at}</dt><dd>${time(createdAt, language)}</dd>
      </dl>
      ${markup === '' ? written : frame}
      ${timesScript()}
    `,
  }
}

/** Mails have inline styles, which our pages never have; so a mail is a document of its own with a policy of its own. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation"

function bodyOf(mail: InboxMail): PageAnswer {
  // Links open in the whole window; inside the frame our own pages refuse to be shown.
  const target = '<base target="_top">'
  const { html: markup } = mail
  const head = /<head(?:\s[^>]*)?>/i.exec(markup)
  const end = head === null ? 0 : head.index + head[0].length
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: markup.slice(0, end) + target + markup.slice(end),
    headers: { 'content-security-policy': MAIL_POLICY },
  }
}

/** How many mails the page lists. */
const NEWEST = 100

const KEY_COOKIE = 'signet_inbox'

/** Keeps the key in a cookie until the browser is closed, and takes it out of the address, which others may see. */
function keepKey({ app, externalUrl }: PageTools, query: URLSearchParams): PageAnswer | undefined {
  const key = query.get('key') ?? ''
  if (!matchesHash(key, app.config.inboxKeyHash)) return undefined
  const rest = new URLSearchParams(query)
  rest.delete('key')
  const secure = externalUrl.protocol === 'https:' ? '; Secure' : ''
  const cookie = `${KEY_COOKIE}=${key}; Path=${PATHS.inbox}; HttpOnly; SameSite=Lax${secure}`
  return seeOther(address(Object.fromEntries(rest)), { 'set-cookie': cookie })
}

function showLocked({ texts }: Visit): Shown {
  const { title, locked } = texts.inbox
  return { status: 403, title, content: message(title, [locked]) }
}

export function inboxPage(tools: PageTools): PagePlan {
  const { app } = tools
  return {
    async get(visit) {
      const { request, texts } = visit
      if (!(await opensInbox(tools, request))) return problemPage(texts, 404, 'notFound')
      const kept = keepKey(tools, request.query)
      if (kept !== undefined) return kept
      const [key = ''] = cookiesOf(request, KEY_COOKIE)
      if (!matchesHash(key, app.config.inboxKeyHash)) return showLocked(visit)
      const id = request.query.get('mail')
      if (id === null) return showList(visit, (await listInboxMails(app, { limit: NEWEST })).mails)
      const mail = id.length > 200 || id.includes('\0') ? undefined : await readInboxMail(app, id)
      if (mail === undefined) return problemPage(texts, 404, 'notFound')
      return request.query.get('part') === 'html' ? bodyOf(mail) : showMail(visit, mail)
    },
  }
}
