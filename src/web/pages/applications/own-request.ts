/** The authorization request that a page answers: it must wait, and this browser must have come with it. */

import {
  type DescribedRequest,
  denyRequest,
  describeRequest,
  REQUEST_COOKIE,
} from '../../../features/authorization-requests/index.ts'
import { findPerson, type Person } from '../../../features/sign-in/index.ts'
import { cookiesOf } from '../../../http/cookies.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { Origin } from '../../../store/index.ts'
import { address, seeOther } from '../../addresses.ts'
import { carried, isElsewhere, PATHS, requestIdOf, requireStep } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { type Content, form, message } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'

/** A request and the signed-in person who answers it. */
export interface OwnRequest {
  readonly request: DescribedRequest
  readonly person: Person
}

type Answer = Shown | PageAnswer

/** Where a request continues. */
function resumePath(id: string): string {
  return `/oauth/v2/authorize/${id}`
}

/** Leads on to the application with what was answered. */
function resume({ lang }: Visit, { id }: DescribedRequest): PageAnswer {
  return seeOther(address(PATHS.goOn, { next: resumePath(id), lang }))
}

function showGone({ texts }: Visit): Shown {
  const { title, expired, next } = texts.requestFailed
  return { status: 400, title, content: message(title, [expired, next]) }
}

/** A browser has a cookie for each page that it was sent to with a request; the page is below some of their paths. */
function cameWith({ request }: Visit, id: string): boolean {
  return cookiesOf(request, REQUEST_COOKIE).includes(id)
}

/** The request that this browser came with, whoever is signed in; or where the browser goes instead. */
async function readRequest({ app }: PageTools, visit: Visit): Promise<{ readonly request: DescribedRequest } | Answer> {
  const id = requestIdOf(visit)
  const request = id === undefined ? undefined : await describeRequest(app, id)
  if (request === undefined) return showGone(visit)
  // The endpoint knows whether the request is this browser's own, with another cookie: then it asks again.
  return cameWith(visit, request.id) ? { request } : resume(visit, request)
}

async function readOwn(tools: PageTools, visit: Visit): Promise<OwnRequest | Answer> {
  const read = await readRequest(tools, visit)
  if (!('request' in read)) return read
  const found = await requireStep(tools, visit, 'none')
  return isElsewhere(found) ? found : { ...read, person: found.person }
}

/** Records an answer; a refusal means that the request was answered meanwhile. */
async function answered(visit: Visit, request: DescribedRequest, answer: () => Promise<void>): Promise<Answer> {
  try {
    await answer()
  } catch (error) {
    if (!(error instanceof Refused) || !error.code.startsWith('authorization_request.')) throw error
    return showGone(visit)
  }
  return resume(visit, request)
}

/** Leads a person who does not want to sign in back to the application, which gets `access_denied` (RFC 6749 §4.1.2.1). */
export function cancelPage(tools: PageTools): PagePlan {
  return {
    get: (visit) => seeOther(address(PATHS.signIn, carried(visit))),
    async post(visit) {
      const { app, cookie } = tools
      const read = await readRequest(tools, visit)
      if (!('request' in read)) return read
      const token = cookie.read(visit.request)
      const person = token === undefined ? undefined : await findPerson(app, token)
      const origin: Origin = { actor: person === undefined ? 'visitor' : { user: person.userId }, at: app.clock() }
      return answered(visit, read.request, () => denyRequest(app, origin, read.request.id))
    },
  }
}

/** The button for that; only on a page where the browser shows that the request is its own. */
export function cancelForm(visit: Visit, request: DescribedRequest | undefined): Content {
  if (request === undefined || !cameWith(visit, request.id)) return undefined
  return form(PATHS.cancel, carried(visit), visit.texts.toApplication.cancel, undefined, 'quiet')
}

interface RequestPage {
  /** What of the request the form names, so that the answer is to what was shown. */
  seen?(request: DescribedRequest): string
  show(visit: Visit, own: OwnRequest): Shown
  /** Records the answer. */
  answer(visit: Visit, own: OwnRequest, fields: URLSearchParams): Promise<void>
}

/** A page on which the signed-in person answers a request. The form names the session of the person who saw it. */
export function requestPage(tools: PageTools, { show, answer, seen }: RequestPage): PagePlan {
  return {
    async get(visit) {
      const own = await readOwn(tools, visit)
      return 'request' in own ? show(visit, own) : own
    },
    async post(visit, fields) {
      const own = await readOwn(tools, visit)
      if (!('request' in own)) return own
      // Another user has signed in since: they have not seen the question.
      if (fields.get('session') !== own.person.sessionId) return show(visit, own)
      if (seen !== undefined && fields.get('shown') !== seen(own.request)) return show(visit, own)
      return answered(visit, own.request, () => answer(visit, own, fields))
    },
  }
}
