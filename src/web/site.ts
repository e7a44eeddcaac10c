/** What all hosted pages have in common: language, headers, forms only from our own pages, and the error pages. */

import { html } from 'htm/preact'
import { type Page, type PageAnswer, type PageRequest, UnreadableForm } from '../http/page.ts'
import type { Upload } from '../http/upload.ts'
import { type Language, languageOf } from '../kernel/languages.ts'
import { isTemporary } from '../kernel/refusal.ts'
import { seeOther } from './addresses.ts'
import type { PageCookie } from './cookies.ts'
import { chooseLanguage, textsIn } from './language.ts'
import { printSheet } from './layout.ts'
import { BUILT_IN_LOOK, type Look } from './look.ts'
import { type Content, message } from './parts.ts'
import { isFromOurselves } from './same-origin.ts'
import { securityHeaders } from './security-headers.ts'
import type { Texts } from './texts/en.ts'

export interface SiteOptions {
  /** The public origin of the server. */
  readonly externalUrl: string
  /** How a page looks for a visit. */
  lookOf?(visit: Visit): Promise<Look>
  /** The texts of a page for a visit, with those that were changed. */
  textsOf?(visit: Visit): Promise<Texts>
  /** The origins whose pages may embed ours. */
  embeddingOrigins(): Promise<readonly string[]>
  /** The preferred language of the user whom the browser is signed in as. */
  preferredLanguage(request: PageRequest): Promise<string | undefined>
  /** The languages that visitors can choose. */
  allowedLanguages(): Promise<readonly Language[]>
  /** What the browser keeps of the language switch. */
  readonly languageCookie: PageCookie
  now(): number
  /** Told of every unexpected error. */
  fault(error: unknown, requestId: string): void
}

/** One request to a page, in its language. */
export interface Visit {
  readonly request: PageRequest
  readonly language: Language
  readonly texts: Texts
  /** What the address says, or the form that was sent. */
  readonly asked: URLSearchParams
  /** The file that was sent with the form, on pages that take one. */
  readonly file?: Buffer | undefined
  /** The language as forms pass it on: only if the address asked for it. */
  readonly lang: string | undefined
}

/** What a page says to a visit. */
export interface Shown {
  readonly status?: number
  readonly title: string
  readonly content: Content
  readonly isWide?: boolean
  /** For pages that ask for passkeys. */
  readonly hasScript?: boolean
  /** For answers to a form: whether the address of the form shows the same again. */
  readonly hasAddress?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** A page as its file describes it. */
export interface PagePlan {
  get(visit: Visit): Shown | PageAnswer | Promise<Shown | PageAnswer>
  post?(visit: Visit, fields: URLSearchParams): Shown | PageAnswer | Promise<Shown | PageAnswer>
  /** The largest file that its forms may contain. */
  readonly maxFileBytes?: number
  /** Whether forms on other sites may be sent here: only where that is the purpose of the page. */
  readonly takesForeignForms?: boolean
}

type Problem =
  | 'notFound'
  | 'notAllowed'
  | 'crossSite'
  | 'unreadable'
  | 'fault'
  | 'busy'
  | 'incomplete'
  | 'insecure'
  | 'signInFailed'

/** An error page: a title, a sentence, and a link to the start page. */
export function problemPage(texts: Texts, status: number, which: Problem, headers = {}): Shown {
  const { title, text } = texts[which]
  const home = html`<p><a class="button quiet" href="/">${texts.home}</a></p>`
  return { status, title, content: message(title, [text], home), headers }
}

function isAnswer(shown: Shown | PageAnswer): shown is PageAnswer {
  return 'contentType' in shown
}

export interface Site {
  host(plan: PagePlan): Page
  readonly externalUrl: URL
  /** The headers of what is not a page. */
  readonly headers: Readonly<Record<string, string>>
}

/** The switch is used for a year at most before it is forgotten. */
const LANGUAGE_LIFETIME_MS = 365 * 24 * 3_600_000

export function openSite(options: SiteOptions): Site {
  const { externalUrl: url, lookOf, textsOf, embeddingOrigins, preferredLanguage, languageCookie, now, fault } = options
  const externalUrl = new URL(url)

  /** A page that cannot read the look must still be answered. */
  const readLook = async (visit: Visit) => (await lookOf?.(visit).catch(() => undefined)) ?? BUILT_IN_LOOK

  /** A page that cannot read the texts that were changed has the built-in ones. */
  const readTexts = async (visit: Visit) => (await textsOf?.(visit).catch(() => undefined)) ?? visit.texts

  /** A page that cannot read the settings must still be answered, and then no site may embed it. */
  const readHeaders = async () => securityHeaders(externalUrl, await embeddingOrigins().catch(() => []))

  const receive = async (plan: PagePlan, visit: Visit, fields: URLSearchParams | undefined) => {
    const { request, texts } = visit
    if (request.method === 'GET' || request.method === 'HEAD') return plan.get(visit)
    if (plan.post === undefined) return problemPage(texts, 405, 'notAllowed', { allow: 'GET, HEAD' })
    if (request.method !== 'POST') return problemPage(texts, 405, 'notAllowed', { allow: 'GET, HEAD, POST' })
    return fields === undefined ? problemPage(texts, 403, 'crossSite') : plan.post(visit, fields)
  }

  /** The fields of a form that we asked for and that came from one of our pages. */
  const readFields = async (plan: PagePlan, request: PageRequest): Promise<Partial<Upload> | undefined> => {
    if (request.method !== 'POST' || plan.post === undefined) return undefined
    if (plan.takesForeignForms !== true && !isFromOurselves(request, externalUrl)) return undefined
    const isUpload = request.header('content-type')?.toLowerCase().startsWith('multipart/form-data') === true
    return plan.maxFileBytes !== undefined && isUpload
      ? request.readUpload(plan.maxFileBytes)
      : { fields: await request.readForm() }
  }

  /** What the page says, in the language of the form if there was one. */
  const converse = async (plan: PagePlan, request: PageRequest): Promise<readonly [Visit, Shown | PageAnswer]> => {
    // The form is read at once: an empty body of HTTP/2 ends before a later reader listens.
    const reading = readFields(plan, request)
    reading.catch(() => {})
    const chosen = languageCookie.read(request)
    // A page must be answered, also where the language of the user cannot be read.
    const own = [chosen, chosen === undefined ? await preferredLanguage(request).catch(() => undefined) : undefined]
    const allowed = await options.allowedLanguages().catch(() => undefined)
    let visit = visitOf(request, request.query, own, allowed)
    try {
      const { fields, file } = (await reading) ?? {}
      if (fields !== undefined) visit = { ...visitOf(request, fields, own, allowed), file }
      visit = { ...visit, texts: await readTexts(visit) }
      return [visit, await receive(plan, visit, fields)]
    } catch (error) {
      if (error instanceof UnreadableForm) return [visit, problemPage(visit.texts, error.status, 'unreadable')]
      if (isTemporary(error)) return [visit, problemPage(visit.texts, 503, 'busy', { 'retry-after': '5' })]
      fault(error, request.requestId)
      return [visit, problemPage(visit.texts, 500, 'fault')]
    }
  }

  const answer = async (plan: PagePlan, request: PageRequest): Promise<PageAnswer> => {
    const switched = useSwitch(request, languageCookie, now())
    if (switched !== undefined) return { ...switched, headers: { ...(await readHeaders()), ...switched.headers } }
    const [visit, shown] = await converse(plan, request)
    const { language, asked } = visit
    const headers = await readHeaders()
    if (isAnswer(shown)) return { ...shown, headers: { ...headers, ...shown.headers } }
    const { status = 200, title, content, isWide = false, hasScript = false } = shown
    return {
      status,
      contentType: 'text/html; charset=utf-8',
      body: printSheet({
        language,
        title,
        content,
        isWide,
        hasScript,
        inLanguage: languageSwitch(request, asked, shown),
        look: await readLook(visit),
      }),
      headers: { ...headers, 'content-language': language, vary: 'accept-language', ...shown.headers },
    }
  }

  return {
    externalUrl,
    headers: securityHeaders(externalUrl),
    host: (plan) => ({ answer: (request) => answer(plan, request) }),
  }
}

function visitOf(
  request: PageRequest,
  asked: URLSearchParams,
  own: readonly (string | undefined)[],
  allowed?: readonly Language[],
): Visit {
  const lang = asked.get('lang')
  const language = chooseLanguage(lang, request.header('accept-language'), own, allowed)
  return { request, language, texts: textsIn(language), asked, lang: lang ?? undefined }
}

/** What the address of a page may contain that a form has sent. Passwords and codes that are typed are not among it. */
const IN_ADDRESSES = [
  'next',
  'authRequest',
  'orgId',
  'organization',
  'loginName',
  'again',
  'other',
  'idp',
  'with',
  'use',
]
/** The code of a link stands in its address beside the user. */
const IN_LINKS = ['userId', 'user', 'code', 'codeId']

/** What leads to the page that a form was sent from. */
function addressOf(fields: URLSearchParams): URLSearchParams {
  const names = fields.has('userId') || fields.has('user') ? [...IN_ADDRESSES, ...IN_LINKS] : IN_ADDRESSES
  return new URLSearchParams(names.flatMap((name) => fields.getAll(name).map((value) => [name, value])))
}

/** Says that an address is one of the switch, which makes the browser keep the language. */
const SWITCH = 'choose'

/**
 * The address of a page in another language. The answer to a form has none of its own: it offers the languages only where
 * the page of the form shows the same, and never what is shown once.
 */
function languageSwitch({ method, path, query }: PageRequest, asked: URLSearchParams, shown: Shown) {
  const { status = 200, hasAddress = status === 422 } = shown
  if (method !== 'GET' && !hasAddress) return undefined
  const parameters = method === 'GET' ? query : addressOf(asked)
  return (language: Language) => {
    const changed = new URLSearchParams(parameters)
    changed.set('lang', language)
    changed.set(SWITCH, 'yes')
    return `${path}?${changed}`
  }
}

/** Keeps the language of the switch, and leads to the page in it; undefined when the address is not one of the switch. */
function useSwitch(request: PageRequest, cookie: PageCookie, now: number): PageAnswer | undefined {
  const { method, path, query } = request
  const language = languageOf(query.get('lang') ?? '')
  if (method !== 'GET' || !query.has(SWITCH) || language === undefined) return undefined
  const rest = new URLSearchParams(query)
  rest.delete(SWITCH)
  return seeOther(`${path}?${rest}`, cookie.keep(request, language, now + LANGUAGE_LIFETIME_MS))
}
