/** What pages know about a browser: its session, where it goes next, and what it shows when a step fails. */

import type { JsonObject } from '@bufbuild/protobuf'
import { html } from 'htm/preact'
import {
  type Client,
  canUseKeys,
  type Failure,
  findPerson,
  type Person,
  type Renewed,
  type Step,
  signInRules,
} from '../features/sign-in/index.ts'
import type { PageAnswer } from '../http/page.ts'
import { hostOf } from '../http/this-machine.ts'
import { whereaboutsOf } from '../http/user-agent.ts'
import { PATHS, SAML_PATHS } from '../kernel/page-paths.ts'
import { address, json, ownPath, seeOther } from './addresses.ts'
import type { PageTools } from './page-tools.ts'
import { message } from './parts.ts'
import { problemPage, type Shown, type Visit } from './site.ts'

export { PATHS }

const STEPS: Readonly<Record<Exclude<Step, 'none'>, string>> = {
  second_factor: PATHS.secondFactor,
  set_up_second_factor: PATHS.setUpFactor,
  change_password: PATHS.newPassword,
}

export function clientOf(visit: Visit): Client {
  const { request } = visit
  return {
    requestId: requestIdOf(visit),
    host: hostOf(request)?.hostname ?? '',
    ...whereaboutsOf(request),
  }
}

/** Never on to a provider: only our own button leads there, so that a foreign link cannot choose an account. */
function nextOf(asked: URLSearchParams): string | undefined {
  const next = ownPath(asked.get('next'))
  return next?.startsWith(PATHS.provider) ? undefined : next
}

/** The ID of the authorization request that a visit is part of, if it can be one. */
export function requestIdOf({ asked }: Visit): string | undefined {
  const id = asked.get('authRequest') ?? ''
  return /^[\w-]{1,100}$/.test(id) ? id : undefined
}

/** What every step passes on to the next: where to go afterwards, the language, and the request of an application. */
export function carried(visit: Visit) {
  return { next: nextOf(visit.asked), lang: visit.lang, authRequest: requestIdOf(visit) }
}

/** The organization that a visit is about, if the address names one. */
export function organizationOf({ asked }: Visit): string | undefined {
  const id = asked.get('orgId') || asked.get('organization') || ''
  return id === '' || id.length > 200 || id.includes('\0') ? undefined : id
}

/** Whether a path of ours leads back to an application. */
export function leavesUs(path: string): boolean {
  return path.startsWith('/oauth/v2/authorize/') || path.startsWith(SAML_PATHS.goOn)
}

/** The next page for a person. */
export function pathAfter(
  person: Person,
  { next, lang, authRequest, done }: ReturnType<typeof carried> & { readonly done?: string | undefined },
): string {
  if (person.step !== 'none') return address(STEPS[person.step], { next, lang, authRequest })
  if (next !== undefined) return leavesUs(next) ? address(PATHS.goOn, { next, lang }) : next
  return person.redirectUri === '' ? address(PATHS.account, { done, lang }) : address(PATHS.signedIn, { lang })
}

interface SignedInBy {
  /** What the account page says was done. */
  readonly done?: string
  /** What the sign-in page marks as used last. */
  readonly way?: string
}

/** As long as a browser remembers how it signed in. */
const LAST_WAY_MS = 400 * 24 * 3_600_000

/**
 * Whether a person who came without a passkey is offered one. The script of the sign-in page says that this device can keep
 * passkeys, so nobody else is asked.
 */
async function offersPasskey({ app, later }: PageTools, visit: Visit, person: Person): Promise<boolean> {
  if (visit.asked.get('authenticator') !== 'yes' || person.step !== 'none') return false
  if (person.provesWith.includes('passkey') || !canUseKeys(app, clientOf(visit))) return false
  if (later.isKept(visit.request, person.userId)) return false
  return (await signInRules(app, person.organizationId)).allowsPasskeys
}

/** Sets the cookie with the new token and redirects to the next page. */
export async function proceed(
  tools: PageTools,
  visit: Visit,
  { token, expiresAt }: Renewed,
  { done, way }: SignedInBy = {},
): Promise<PageAnswer> {
  const { app, cookie, challengeCookie, lastWay, recognize } = tools
  const { request } = visit
  const person = await findPerson(app, token)
  const cookies = [cookie.keep(request, token, expiresAt)]
  if (person !== undefined && person.step === 'none') cookies.push(...(await recognize(visit, person)))
  if (way !== undefined) cookies.push(lastWay.keep(request, way, app.clock() + LAST_WAY_MS))
  // A challenge for a passkey is of no use to a browser with a session.
  if (challengeCookie.read(request) !== undefined) cookies.push(challengeCookie.forget(request))
  const headers = { 'set-cookie': cookies.map((one) => one['set-cookie']) }
  if (person === undefined) return seeOther(PATHS.signIn, headers)
  if (await offersPasskey(tools, visit, person)) return seeOther(address(PATHS.offerPasskey, carried(visit)), headers)
  return seeOther(pathAfter(person, { ...carried(visit), done }), headers)
}

/** The page for users who must wait before they try again. */
export function showWait({ texts }: Visit, seconds: number): Shown {
  const { title, text, again, seconds: inSeconds, minutes: inMinutes } = texts.wait
  const time =
    seconds < 120
      ? inSeconds({ count: Math.max(1, Math.ceil(seconds)) })
      : inMinutes({ count: Math.ceil(seconds / 60) })
  return {
    status: 429,
    title,
    content: message(title, [text, time], html`<p><a class="button quiet" href=${PATHS.signIn}>${again}</a></p>`),
    headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
  }
}

/** The page for a step that failed; each page says itself what a refusal means. */
export function showFailure(
  visit: Visit,
  failure: Failure,
  refused: () => Shown | Promise<Shown>,
): Shown | PageAnswer | Promise<Shown> {
  switch (failure.outcome) {
    case 'throttled':
      return showWait(visit, failure.retryAfterSeconds)
    case 'busy':
      return problemPage(visit.texts, 429, 'busy', { 'retry-after': '5' })
    case 'gone':
      return seeOther(address(PATHS.signIn, carried(visit)))
    case 'managed': {
      const { managedTitle: title, managed } = visit.texts.profile
      const back = html`<p><a class="button quiet" href=${PATHS.account}>${visit.texts.account.back}</a></p>`
      return { status: 422, title, content: message(title, [managed], back) }
    }
    case 'refused':
      return refused()
  }
}

/** What a page would say, as JSON, for the script. */
export function tellFailure(
  { texts }: Visit,
  failure: Failure | { readonly outcome: 'unavailable' },
  refused: string,
): PageAnswer {
  const sentences = {
    refused,
    unavailable: texts.keys.unavailable,
    busy: texts.busy.text,
    gone: texts.keys.tooLate,
    throttled: texts.wait.text,
    managed: texts.profile.managed,
  }
  return json({ message: sentences[failure.outcome] }, { status: failure.outcome === 'refused' ? 422 : 400 })
}

/** Whether the script of a page sends this, which asks for JSON. */
export function isScript({ request }: Visit): boolean {
  return request.header('accept') === 'application/json'
}

/** A credential as the script wrote it; undefined when it is none. */
export function readCredential(from: URLSearchParams): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(from.get('credential') ?? '')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** The person of the browser's session, if they are at this step; else a redirect to the page where they have to go. */
export async function requireStep(
  { app, cookie }: PageTools,
  visit: Visit,
  step: Step,
): Promise<{ readonly person: Person; readonly token: string } | PageAnswer> {
  const token = cookie.read(visit.request)
  const person = token === undefined ? undefined : await findPerson(app, token)
  const { request, lang } = visit
  // A page can be opened again after signing in; a form cannot be sent again.
  const isPage = step === 'none' && request.method !== 'POST'
  const here = address(request.path, Object.fromEntries(request.query))
  const kept = isPage ? { next: ownPath(here), lang, authRequest: requestIdOf(visit) } : carried(visit)
  if (token === undefined || person === undefined) return seeOther(address(PATHS.signIn, kept))
  return person.step === step ? { person, token } : seeOther(pathAfter(person, kept))
}

/** Whether the browser is redirected. */
export function isElsewhere(found: object): found is PageAnswer {
  return 'contentType' in found
}
