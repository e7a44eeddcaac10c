/** The management of streams (SSF §8): configuration, status, subjects, verification. */
import type { AuthorizeReceiver, SignalReceiver } from '../access/signal-receiver.ts'
import {
  changeSubject,
  configureStream,
  createStream,
  type LivingStream,
  listStreams,
  readStream,
  removeStream,
  setStatus,
  signalStreamRefusals,
  verifyStream,
} from '../features/signal-streams/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { refused } from '../kernel/refusal.ts'
import type { App } from '../module/app.ts'
import type { Document } from '../store/index.ts'
import { emptyAnswer, jsonAnswer, SsfError } from './errors.ts'
import { headOf } from './head.ts'
import {
  type Body,
  changedConfiguration,
  checkOurs,
  configurationOf,
  invalid,
  readBody,
  requiredText,
  streamBody,
  textOf,
} from './stream-body.ts'

/** A request to one of the endpoints. */
export interface Request {
  readonly app: App
  readonly page: PageRequest
  readonly authorize: AuthorizeReceiver
}

export function wrongVerb(...allowed: readonly string[]): SsfError {
  return new SsfError(405, 'invalid_request', `Allowed: ${allowed.join(', ')}.`, { allow: allowed.join(', ') })
}

function reader({ page, authorize }: Request): Promise<SignalReceiver> {
  return authorize(headOf(page), 'reads')
}

function writer({ page, authorize }: Request): Promise<SignalReceiver> {
  return authorize(headOf(page), 'changes')
}

function namedStream({ query }: PageRequest): string {
  const id = query.get('stream_id') ?? ''
  if (id === '') throw invalid('stream_id is missing.')
  return id
}

async function readConfiguration(request: Request): Promise<PageAnswer> {
  const { app, page } = request
  const receiver = await reader(request)
  const id = page.query.get('stream_id')
  if (id !== null) return jsonAnswer(200, streamBody(app, await readStream(app, receiver, id)))
  const streams = await listStreams(app, receiver)
  const bodies = streams.map((stream) => streamBody(app, stream))
  return jsonAnswer(200, bodies)
}

async function changeConfiguration(request: Request): Promise<PageAnswer> {
  const { app, page } = request
  const receiver = await writer(request)
  const body = await readBody(page)
  const stream = await configureStream(app, receiver, requiredText(body, 'stream_id'), (before) => {
    checkOurs(app, before, body)
    return page.method === 'PUT' ? configurationOf(app, body, before.id) : changedConfiguration(app, before, body)
  })
  return jsonAnswer(200, streamBody(app, stream))
}

/** `/ssf/v1/streams` */
export async function serveConfiguration(request: Request): Promise<PageAnswer> {
  const { app, page } = request
  switch (page.method) {
    case 'GET':
      return readConfiguration(request)
    case 'POST': {
      const receiver = await writer(request)
      const stream = await createStream(app, receiver, configurationOf(app, await readBody(page)))
      return jsonAnswer(201, streamBody(app, stream))
    }
    case 'PATCH':
    case 'PUT':
      return changeConfiguration(request)
    case 'DELETE':
      await removeStream(app, await writer(request), namedStream(page))
      return emptyAnswer(204)
    default:
      throw wrongVerb('GET', 'POST', 'PATCH', 'PUT', 'DELETE')
  }
}

function statusBody({ id, state: { status, reason } }: Document<LivingStream>): Body {
  return { stream_id: id, status, ...(reason !== undefined && { reason }) }
}

const STATUSES: readonly unknown[] = ['enabled', 'paused', 'disabled'] satisfies readonly LivingStream['status'][]

/** `/ssf/v1/status` */
export async function serveStatus(request: Request): Promise<PageAnswer> {
  const { app, page } = request
  if (page.method === 'GET') {
    return jsonAnswer(200, statusBody(await readStream(app, await reader(request), namedStream(page))))
  }
  if (page.method !== 'POST') throw wrongVerb('GET', 'POST')
  const receiver = await writer(request)
  const body = await readBody(page)
  const { status } = body
  if (!STATUSES.includes(status)) throw invalid('status must be enabled, paused or disabled.')
  const reason = textOf(body, 'reason', 500)
  const id = requiredText(body, 'stream_id')
  return jsonAnswer(200, statusBody(await setStatus(app, receiver, id, status as LivingStream['status'], reason)))
}

/** The user that a subject names, by itself or as the only part of a complex one. */
function userIn(app: App, subject: unknown): string {
  const { format, iss, sub, user, ...rest } = (subject ?? {}) as Body
  if (format === 'complex' && user !== undefined && Object.keys(rest).length === 0) return userIn(app, user)
  if (format !== 'iss_sub' || iss !== app.externalUrl || typeof sub !== 'string' || sub === '' || sub.length > 200) {
    throw refused(signalStreamRefusals, 'signal_stream.subject_unsupported')
  }
  return sub
}

/** `/ssf/v1/subjects:add` and `/ssf/v1/subjects:remove` */
export async function serveSubject(request: Request, type: 'add_subject' | 'remove_subject'): Promise<PageAnswer> {
  const { app, page } = request
  if (page.method !== 'POST') throw wrongVerb('POST')
  const receiver = await writer(request)
  const body = await readBody(page)
  const id = requiredText(body, 'stream_id')
  await changeSubject(app, receiver, id, type, userIn(app, body.subject))
  return emptyAnswer(type === 'add_subject' ? 200 : 204)
}

/** `/ssf/v1/verification` */
export async function serveVerification(request: Request): Promise<PageAnswer> {
  const { app, page } = request
  if (page.method !== 'POST') throw wrongVerb('POST')
  const receiver = await writer(request)
  const body = await readBody(page)
  await verifyStream(app, receiver, requiredText(body, 'stream_id'), textOf(body, 'state', 1_024))
  return emptyAnswer(204)
}
