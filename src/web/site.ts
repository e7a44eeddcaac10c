/** What all hosted pages have in common: language, headers, forms only from our own pages, and the error pages. */
import { html } from 'htm/preact'
import { type Page, type PageAnswer, type PageRequest, UnreadableForm } from '../http/page.ts'
import type { Upload } from '../http/upload.ts'
import { isTemporary } from '../kernel/refusal.ts'
import { chooseLanguage, type Language, textsIn } from './language.ts'
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
  /** The origins whose pages may embed ours. */
  embeddingOrigins(): Promise<readonly string[]>
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

type Mishap =
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
export function mishap(texts: Texts, status: number, which: Mishap, headers = {}): Shown {
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

export function openSite({ externalUrl: url, lookOf, embeddingOrigins, fault }: SiteOptions): Site {
  const externalUrl = new URL(url)

  /** A page that cannot read the look must still be answered. */
  const readLook = async (visit: Visit) => (await lookOf?.(visit).catch(() => undefined)) ?? BUILT_IN_LOOK

  /** A page that cannot read the settings must still be answered, and then no site may embed it. */
  const readHeaders = async () => securityHeaders(externalUrl, await embeddingOrigins().catch(() => []))

  const receive = async (plan: PagePlan, visit: Visit, fields: URLSearchParams | undefined) => {
    const { request, texts } = visit
    if (request.method === 'GET' || request.method === 'HEAD') return plan.get(visit)
    if (plan.post === undefined) return mishap(texts, 405, 'notAllowed', { allow: 'GET, HEAD' })
    if (request.method !== 'POST') return mishap(texts, 405, 'notAllowed', { allow: 'GET, HEAD, POST' })
    return fields === undefined ? mishap(texts, 403, 'crossSite') : plan.post(visit, fields)
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
    let visit = visitOf(request, request.query)
    try {
      const { fields, file } = (await readFields(plan, request)) ?? {}
      if (fields !== undefined) visit = { ...visitOf(request, fields), file }
      return [visit, await receive(plan, visit, fields)]
    } catch (error) {
      if (error instanceof UnreadableForm) return [visit, mishap(visit.texts, error.status, 'unreadable')]
      if (isTemporary(error)) return [visit, mishap(visit.texts, 503, 'busy', { 'retry-after': '5' })]
      fault(error, request.requestId)
      return [visit, mishap(visit.texts, 500, 'fault')]
    }
  }

  const answer = async (plan: PagePlan, request: PageRequest): Promise<PageAnswer> => {
    const [visit, shown] = await converse(plan, request)
    const { language } = visit
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
        inLanguage: languageSwitch(request),
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

function visitOf(request: PageRequest, asked: URLSearchParams): Visit {
  const lang = asked.get('lang')
  const language = chooseLanguage(lang, request.header('accept-language'))
  return { request, language, texts: textsIn(language), asked, lang: lang ?? undefined }
}

/** The answer to a form has no address of its own, so it offers no other languages. */
function languageSwitch({ method, path, query }: PageRequest) {
  if (method !== 'GET') return undefined
  return (language: Language) => {
    const changed = new URLSearchParams(query)
    changed.set('lang', language)
    return `${path}?${changed}`
  }
}
