/** Tells what became of a request, for the list that administrators of its organization see. Bodies are never kept. */
import { type DirectoryRequest, recordDirectoryRequest } from '../features/directory-sync/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import type { App } from '../module/app.ts'

const LONGEST_PATH = 500
const LONGEST_MESSAGE = 500
/** The parameters of lists. A cursor says nothing to anybody, and other names may be secrets that were sent by mistake. */
const SHOWN = ['filter', 'sortBy', 'sortOrder', 'startIndex', 'count', 'attributes', 'excludedAttributes']

/** What is known of a request while it is served. */
export interface Serving {
  organizationId: string
  /** Empty until the caller is known to have a role in the organization. */
  callerId: string
}

function cut(text: string, length: number): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, length)
}

/** The path behind the organization. A condition on a password would be one in clear. */
function pathOf({ path, query }: PageRequest): string {
  const shown = SHOWN.flatMap((name) => {
    const value = query.get(name)
    return value === null || /password/i.test(value) ? [] : [`${name}=${value}`]
  })
  const place = path.replace(/^\/scim\/v2\/[^/]*/, '')
  return cut(shown.length === 0 ? place : `${place}?${shown.join('&')}`, LONGEST_PATH)
}

interface Told {
  readonly scimType?: string
  readonly detail?: string
  readonly Operations?: readonly { readonly status: string; readonly response?: Told }[]
}

/** Why it was refused; of a bulk request, how many of its operations, and why the first of them. */
function refusalIn({ status, body }: PageAnswer, isBulk: boolean): Pick<DirectoryRequest, 'scimType' | 'message'> {
  if ((status < 400 && !isBulk) || typeof body !== 'string' || body === '') return { scimType: '', message: '' }
  const { scimType = '', detail = '', Operations = [] } = JSON.parse(body) as Told
  const refused = Operations.filter((one) => Number(one.status) >= 400)
  if (refused.length === 0) return { scimType, message: cut(detail, LONGEST_MESSAGE) }
  const first = refused[0]?.response
  const message = `${refused.length} of ${Operations.length} operations were refused. The first: ${first?.detail ?? ''}`
  return { scimType: first?.scimType ?? '', message: cut(message, LONGEST_MESSAGE) }
}

/** Records a request that was answered. */
export function recordAnswer(
  app: App,
  page: PageRequest,
  { organizationId, callerId }: Serving,
  answer: PageAnswer,
  beganAt: number,
): void {
  if (organizationId === '') return
  const isBulk = page.path.endsWith('/Bulk')
  recordDirectoryRequest(app, organizationId, {
    at: app.clock(),
    method: cut(page.method, 10),
    path: pathOf(page),
    status: answer.status,
    ...refusalIn(answer, isBulk),
    userId: callerId,
    milliseconds: Math.round(performance.now() - beganAt),
  })
}
