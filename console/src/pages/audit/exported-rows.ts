/** Sign-ins and events as rows of a download, read page by page over the whole range of a search. */
import { toJson } from '@bufbuild/protobuf'
import { type Timestamp, timestampDate, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Transport } from '@connectrpc/connect'
import { callUnaryMethod } from '@connectrpc/connect-query'
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { type SignIn, SignInSchema } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { jsonLine } from '../../events/event-json.ts'
import { FAILURES, METHODS, nameIn, OUTCOMES } from '../../sign-ins/names.ts'
import type { SignInFilter } from './read-sign-ins.ts'

/** A row in both forms. */
export interface DownloadedRow {
  readonly json: string
  readonly cells: readonly string[]
}

/** The most that the server gives at once. */
const PAGE = 1000

const timeOf = (time: Timestamp | undefined) => (time === undefined ? '' : timestampDate(time).toISOString())

export const SIGN_IN_HEADINGS = [
  'time',
  'result',
  'reason',
  'method',
  'userId',
  'loginName',
  'displayName',
  'applications',
  'ipAddress',
  'browser',
  'organizationId',
  'organization',
  'sessionId',
  'signInId',
] as const

/** The cells of a sign-in, in the order of the headings. */
export function signInCells(signIn: SignIn): readonly string[] {
  const { id, user, applications, origin, organizationId, organizationName, sessionId } = signIn
  return [
    timeOf(signIn.startDate),
    nameIn(OUTCOMES, signIn.outcome) ?? '',
    nameIn(FAILURES, signIn.failure) ?? '',
    nameIn(METHODS, signIn.method) ?? '',
    user?.id ?? '',
    user?.preferredLoginName ?? '',
    user?.displayName ?? '',
    applications.map((one) => one.name || one.id).join('; '),
    origin?.ipAddress ?? '',
    origin?.browser ?? '',
    organizationId,
    organizationName,
    sessionId,
    id,
  ]
}

/** A sign-in begins when its first step does, which can be a moment before it is stored. */
const OVERLAP_MS = 60_000

/**
 * All sign-ins of a filter, the newest first, and what is added meanwhile not among them. As soon as a page is longer than the
 * overlap, the next one begins at its end instead of after an offset, so that the last page costs no more than the first.
 */
export async function* readSignIns(
  list: (request: SignInFilter) => Promise<readonly SignIn[]>,
  filter: SignInFilter,
): AsyncGenerator<readonly SignIn[]> {
  let until = (filter.until as Timestamp | undefined) ?? timestampFromMs(Date.now())
  let seen: ReadonlySet<string> = new Set()
  for (let offset = 0; ; ) {
    const page = await list({ ...filter, until, pagination: { offset: BigInt(offset), limit: PAGE } })
    yield page.filter(({ id }) => !seen.has(id))
    const [first, last] = [page[0]?.startDate, page.at(-1)?.startDate]
    if (page.length < PAGE || first === undefined || last === undefined) return
    if (timestampMs(first) - timestampMs(last) > OVERLAP_MS) {
      until = timestampFromMs(timestampMs(last) + OVERLAP_MS / 2)
      seen = new Set(page.map(({ id }) => id))
      offset = 0
    } else offset += PAGE
  }
}

/** The sign-ins of a filter as rows. */
export async function* signInRows(
  transport: Transport,
  filter: SignInFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly DownloadedRow[]> {
  const list = async (request: SignInFilter) =>
    (await callUnaryMethod(transport, SignInService.method.listSignIns, request, { signal })).signIns
  for await (const page of readSignIns(list, filter)) {
    yield page.map((one) => ({ json: JSON.stringify(toJson(SignInSchema, one)), cells: signInCells(one) }))
  }
}

export const EVENT_HEADINGS = [
  'sequence',
  'time',
  'actorId',
  'actor',
  'type',
  'sentence',
  'objectType',
  'objectId',
  'object',
  'organizationId',
  'payload',
] as const

/** An event as a row, with what the page says of it. */
export function eventRow(event: Event, sentence: string): DownloadedRow {
  const { sequence, creationDate, editor, type, aggregate, things, payload = {} } = event
  const cells = [
    String(sequence),
    timeOf(creationDate),
    editor?.userId ?? '',
    editor?.displayName ?? '',
    type?.type ?? '',
    sentence,
    aggregate?.type?.type ?? '',
    aggregate?.id ?? '',
    things.find(({ member }) => member === 'object')?.name ?? '',
    aggregate?.resourceOwner ?? '',
    JSON.stringify(payload),
  ]
  return { json: jsonLine(event), cells }
}
