/** Pages that are part of the API: each is authorized like a method, before its body is read, and has the errors of REST. */
import type { Authorize } from '../access/authorization.ts'
import type { Call, RequestHead } from '../access/call.ts'
import type { AnyMethod } from '../access/method.ts'
import type { Page, PageAnswer, PageRequest } from './page.ts'
import { failureHeaders, restErrorBody } from './protocols/error-details.ts'
import { Failed, type Fault, failureOf } from './protocols/errors.ts'

export const JSON_TYPE = 'application/json'

export interface ApiPageOptions {
  readonly authorize: Authorize
  readonly log: (fault: Fault) => void
}

export interface ApiPage {
  /** The method whose caller may ask for the page. */
  readonly method: AnyMethod
  readonly verbs: readonly string[]
  answer(request: PageRequest, call: Call): Promise<PageAnswer>
}

/** An answer in JSON. */
export function jsonAnswer(value: unknown): PageAnswer {
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(value) }
}

function pairs(list: readonly string[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (let at = 0; at + 1 < list.length; at += 2) found[list[at] ?? ''] = list[at + 1] ?? ''
  return found
}

/** The request as authorization reads it. */
function headOf(request: PageRequest): RequestHead {
  const { method: verb, path, requestId, header } = request
  return {
    verb,
    path,
    requestId,
    header,
    get signal() {
      return request.signal
    },
  }
}

/** `path` names the page in the log. */
export function apiPage({ authorize, log }: ApiPageOptions, path: string, { method, verbs, answer }: ApiPage): Page {
  return {
    verbs,
    async answer(request): Promise<PageAnswer> {
      try {
        const { call } = await authorize(method, headOf(request))
        return await answer(request, call)
      } catch (error) {
        if (error instanceof Failed && error.failure.id === 'request.cancelled') throw error
        const failure = failureOf(error, request, path, log)
        const { http = failure.status.http } = failure
        const headers = pairs(failureHeaders(failure))
        return { status: http, contentType: JSON_TYPE, body: restErrorBody(failure, 'signet'), headers }
      }
    },
  }
}
