/** The event stream as clients see it: in all protocols, when it is refused, when it ends, and when nobody reads it. */
import assert from 'node:assert/strict'
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import {
  EventService,
  SubscribeRequestSchema,
  type SubscribeResponse,
  SubscribeResponseSchema,
} from '../../contract/gen/signet/event/v1/event_service_pb.ts'
import { subscribeMethod } from '../../src/features/audit/subscribe.ts'
import { EVENT_STREAM_PATH } from '../../src/http/events/address.ts'
import { eventStreamRoute } from '../../src/http/events/event-stream-route.ts'
import type { Limits } from '../../src/http/port/limits.ts'
import { openPort, type Port } from '../../src/http/port/listener.ts'
import { waitingBytes } from '../../src/http/protocols/stream-run.ts'
import { openRouter } from '../../src/http/router.ts'
import type { App } from '../../src/module/app.ts'
import type { Store, StoredEvent } from '../../src/store/index.ts'
import { engines, openTestStore, type TestEngine } from '../support/engines.ts'
import { boxes, by } from '../support/sample-kind.ts'
import { openEventSource } from './event-source.ts'
import { frame, openSession, sendRaw } from './raw.ts'
import { authorize } from './server.ts'

const PATH = '/signet.event.v1.EventService/Subscribe'

interface Scene {
  readonly store: Store
  readonly url: string
  readonly port: Port
  /** Adds events with a text of this length. */
  add(count: number, length?: number): Promise<void>
}

let scenes = 0

interface SceneOptions {
  readonly beatMs?: number
  readonly limits?: Partial<Limits>
}

/** A server of the event stream alone, over a store of boxes; who shows `good` may read it. */
async function openScene(context: TestContext, engine: TestEngine, options: SceneOptions = {}): Promise<Scene> {
  const { beatMs = 60_000, limits = {} } = options
  const { store, dispose } = await openTestStore([boxes], engine)
  const named: typeof authorize = async (method, request) => {
    const authorized = await authorize(method, request)
    const userId = request.header('x-user') ?? 'reader'
    return { ...authorized, call: { ...authorized.call, caller: { userId } } as typeof authorized.call }
  }
  const streamMethods = [subscribeMethod({ store } as App, beatMs)]
  const log = ({ error }: { error: unknown }) => assert.fail(String(error))
  const { asOneRequest } = store
  const router = openRouter({
    streamMethods,
    authorize: named,
    streams: [eventStreamRoute({ streamMethods, authorize: named, asOneRequest, log })],
    asOneRequest,
    log,
  })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router, limits })
  context.after(async () => {
    await port.close({ graceMs: 100 })
    await dispose()
  })
  const scene = ++scenes
  let added = 0
  const add = async (count: number, length = 10) => {
    for (let left = count; left > 0; left -= 200) {
      await store.write(by('ann'), async (work) => {
        for (let each = 0; each < Math.min(left, 200); each++) {
          const id = `${scene}-${++added}`
          await work.begin(boxes, id, { type: 'pack', label: id, note: 'x'.repeat(length) }, `org-${added % 2}`)
        }
      })
    }
  }
  return { store, url: `http://127.0.0.1:${port.address.port}`, port, add }
}

const withToken: Interceptor = (next) => (request) => {
  if (!request.header.has('authorization')) request.header.set('authorization', 'Bearer good')
  return next(request)
}

const TRANSPORTS: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  gRPC: (baseUrl) => createGrpcTransport({ baseUrl, interceptors: [withToken] }),
  'gRPC with gzip and JSON': (baseUrl) =>
    createGrpcTransport({ baseUrl, interceptors: [withToken], useBinaryFormat: false }),
  'gRPC-web over HTTP/1.1': (baseUrl) =>
    createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors: [withToken] }),
  'gRPC-web over HTTP/2': (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '2', interceptors: [withToken] }),
  'Connect over HTTP/1.1': (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: '1.1', interceptors: [withToken] }),
  'Connect over HTTP/2 in binary': (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: '2', useBinaryFormat: true, interceptors: [withToken] }),
}

type Request = MessageInitShape<typeof SubscribeRequestSchema>

/** Subscribes with a real client; ends with the test. */
function subscribe(context: TestContext, transport: Transport, request: Request, headers = {}) {
  const ending = new AbortController()
  context.after(() => ending.abort())
  const stream = createClient(EventService, transport).subscribe(request, { signal: ending.signal, headers })
  const replies = stream[Symbol.asyncIterator]()
  const next = async (): Promise<SubscribeResponse> => {
    const { value, done } = await replies.next()
    assert.ok(!done, 'the stream has ended')
    return value
  }
  /** The numbers of the next events. */
  const events = async (count: number): Promise<number[]> => {
    const found: number[] = []
    while (found.length < count) {
      const { content } = await next()
      if (content.case === 'event') found.push(Number(content.value.sequence))
    }
    return found
  }
  return { next, events, end: () => ending.abort() }
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function isRefusedWith(code: Code) {
  return (error: unknown) => {
    assert.ok(error instanceof ConnectError, String(error))
    assert.equal(error.code, code, error.message)
    return true
  }
}

/** Waits until something is true. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5)
}

for (const engine of engines) {
  suite(`the event stream on ${engine.name}`, () => {
    test('real clients get what is there, a heartbeat at the end, and then what is added', async (context) => {
      const { url, add } = await openScene(context, engine)
      await add(150)
      const streams = Object.values(TRANSPORTS).map((open) => subscribe(context, open(url), { after: '0' }))
      for (const { events, next } of streams) {
        assert.deepEqual(await events(150), numbers(1, 150))
        const { position, content } = await next()
        assert.match(position, /^150-[0-9a-f]{8}$/)
        assert.deepEqual(content, {
          case: 'heartbeat',
          value: { $typeName: 'signet.event.v1.Heartbeat', lag: 0n },
        })
      }
      await add(50)
      for (const { events } of streams) assert.deepEqual(await events(50), numbers(151, 200))
    })

    test('filters and positions are those of the request, also in base64', async (context) => {
      const { url, add, store } = await openScene(context, engine)
      await add(20)
      const transport = createGrpcTransport({ baseUrl: url, interceptors: [withToken] })
      const first = subscribe(context, transport, { after: '4', organizationId: 'org-0' })
      assert.deepEqual(await first.events(8), [6, 8, 10, 12, 14, 16, 18, 20])
      const one = subscribe(context, transport, { after: '0', types: ['box.packed.v1'], kinds: ['box'] })
      const { position } = await one.next()
      assert.deepEqual(await subscribe(context, transport, { after: position }).events(2), [2, 3])
      const [event] = await store.events({ from: 6, limit: 1 })
      const object = subscribe(context, transport, { after: '0', objectId: (event as StoredEvent).id })
      assert.deepEqual(await object.events(1), [7])

      const session = openSession(context, url)
      const stream = session.request({
        ':method': 'POST',
        ':path': PATH,
        'content-type': 'application/grpc-web-text',
        authorization: 'Bearer good',
      })
      const request = create(SubscribeRequestSchema, { after: '18' })
      stream.end(frame(toBinary(SubscribeRequestSchema, request)).toString('base64'))
      const chunk = await new Promise<Buffer>((resolve) => stream.once('data', resolve))
      const bytes = Buffer.from(chunk.toString('latin1'), 'base64')
      const reply = fromBinary(SubscribeResponseSchema, bytes.subarray(5, 5 + bytes.readUInt32BE(1)))
      assert.match(reply.position, /^19-/)
    })

    test('server-sent events continue where a browser was, with every event exactly once', async (context) => {
      const { url, add } = await openScene(context, engine, { beatMs: 20 })
      await add(30)
      const source = openEventSource(`${url}${EVENT_STREAM_PATH}?after=0&types=box.packed.v1`, 'Bearer good')
      context.after(() => source.close())
      const seen: number[] = []
      const collect = async (count: number) => {
        while (seen.length < count) {
          const { type, data } = await source.next()
          if (type === 'message') seen.push(Number((JSON.parse(data) as { sequence: string }).sequence))
        }
      }
      await collect(30)
      for (let round = 1; round <= 5; round++) {
        source.cut()
        await add(20)
        await collect(30 + 20 * round)
      }
      assert.deepEqual(seen, numbers(1, 130))
      for (;;) {
        const { type, data, id } = await source.next()
        if (type !== 'heartbeat') continue
        assert.deepEqual(JSON.parse(data), { position: id, lag: '0' })
        break
      }
    })

    test('what cannot be served is refused before it begins', async (context) => {
      const { url, add } = await openScene(context, engine)
      await add(3)
      const stream = (query: string, headers = {}) =>
        fetch(`${url}${EVENT_STREAM_PATH}${query}`, { headers: { authorization: 'Bearer good', ...headers } })
      for (const [status, id, answer] of [
        [400, 'store.position_unknown', stream('?after=4')],
        [400, 'store.position_unknown', stream('?after=2-00000000')],
        [400, 'store.position_unknown', stream('', { 'last-event-id': '3-00000000' })],
        [400, 'audit.position_invalid', stream('?after=yesterday')],
        [400, 'request.invalid', stream('?types=%00')],
        [400, 'request.invalid', stream(`?objectId=${'x'.repeat(300)}`)],
        [401, 'access.unauthenticated', stream('', { authorization: 'Bearer bad' })],
        [403, 'access.forbidden', stream('', { authorization: 'Bearer weak' })],
      ] as const) {
        const { details } = (await (await answer).json()) as { details: readonly { id: string }[] }
        assert.deepEqual([(await answer).status, details[0]?.id], [status, id])
      }
      for (const [name, open] of Object.entries(TRANSPORTS)) {
        const refusedWith = (code: Code, request: Request, headers = {}) =>
          assert.rejects(subscribe(context, open(url), request, headers).next(), isRefusedWith(code), name)
        await refusedWith(Code.FailedPrecondition, { after: '4' })
        await refusedWith(Code.InvalidArgument, { after: 'x' })
        await refusedWith(Code.InvalidArgument, { objectId: 'x'.repeat(300) })
        await refusedWith(Code.Unauthenticated, {}, { authorization: 'Bearer bad' })
        await refusedWith(Code.PermissionDenied, {}, { authorization: 'Bearer weak' })
      }
      const session = openSession(context, url)
      const other = await sendRaw(session, { path: PATH, type: 'application/json', chunks: [Buffer.from('{}')] })
      assert.equal(other.status, 415)
      assert.match(String(other.headers['accept-post']), /application\/connect\+json/)
    })

    test('a caller has 50 streams at most, and others have theirs', async (context) => {
      const { url } = await openScene(context, engine)
      const transport = createGrpcTransport({ baseUrl: url, interceptors: [withToken] })
      const streams = Array.from({ length: 50 }, () => subscribe(context, transport, {}, { 'x-user': 'many' }))
      for (const { next } of streams) await next()
      const more = subscribe(context, transport, {}, { 'x-user': 'many' })
      await assert.rejects(more.next(), isRefusedWith(Code.ResourceExhausted))
      assert.equal((await subscribe(context, transport, {}).next()).content.case, 'heartbeat')
      streams[0]?.end()
      await until(async () => {
        const again = subscribe(context, transport, {}, { 'x-user': 'many' })
        return again.next().then(
          () => true,
          () => false,
        )
      })
    })

    test('nobody is cut off for waiting, and a server that stops says so', async (context) => {
      const { url, add, port } = await openScene(context, engine, { limits: { exchangeMs: 100 } })
      const streams = Object.values(TRANSPORTS).map((open) => subscribe(context, open(url), {}))
      const source = openEventSource(`${url}${EVENT_STREAM_PATH}`, 'Bearer good', { reconnects: false })
      context.after(() => source.close())
      for (const { next } of streams) await next()
      assert.equal((await source.next()).type, 'heartbeat')
      // Pause: several times as long as an exchange may stand still.
      await sleep(500)
      await add(1)
      for (const { events } of streams) assert.deepEqual(await events(1), [1])
      assert.equal((await source.next()).type, 'message')
      const closed = port.close({ graceMs: 5_000 })
      for (const { next } of streams) await assert.rejects(next(), isRefusedWith(Code.Unavailable))
      const end = await source.next()
      assert.equal(end.type, 'end')
      assert.equal((JSON.parse(end.data) as { code: number }).code, 14)
      await closed
    })

    test('a subscriber that stops reading costs one portion, however much there is to read', async (context) => {
      const { url, add, store } = await openScene(context, engine)
      await add(1)
      const session = connectHttp2(url)
      session.on('error', () => {})
      context.after(() => session.destroy())
      const body = frame(toBinary(SubscribeRequestSchema, create(SubscribeRequestSchema, { after: '0' })))
      const head = {
        ':method': 'POST',
        ':path': PATH,
        'content-type': 'application/grpc',
        authorization: 'Bearer good',
      }
      const stopped = [0, 1].map(() => {
        const stream = session.request(head)
        stream.end(body)
        return stream.on('error', () => {})
      })
      const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
      context.after(() => socket.destroy())
      socket.pause()
      socket.write(`GET ${EVENT_STREAM_PATH}?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n`)
      await until(() => store.following().followers === 3)
      const reader = subscribe(context, createGrpcTransport({ baseUrl: url, interceptors: [withToken] }), {
        after: '0',
      })
      const total = 2_500
      const [read] = await Promise.all([reader.events(total), add(total - 1, 2_000)])
      assert.deepEqual(read, numbers(1, total))
      await until(() => waitingBytes() > 0)
      assert.ok(store.following().keptBytes <= 2 * 1024 * 1024, `${store.following().keptBytes} bytes are kept`)
      // A portion of 64 KiB of events is a little longer when it is encoded, as JSON above all.
      assert.ok(waitingBytes() <= 3 * 2 * 80 * 1024, `${waitingBytes()} bytes wait`)

      // Who reads again has missed nothing.
      const [stream] = stopped
      assert.ok(stream)
      let bytes = Buffer.alloc(0)
      const found: number[] = []
      while (found.length < total) {
        const chunk: Buffer | null = stream.read()
        if (chunk === null) {
          await new Promise((resolve) => stream.once('readable', resolve))
          continue
        }
        bytes = Buffer.concat([bytes, chunk])
        while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
          const end = 5 + bytes.readUInt32BE(1)
          const { content } = fromBinary(SubscribeResponseSchema, bytes.subarray(5, end))
          if (content.case === 'event') found.push(Number(content.value.sequence))
          bytes = bytes.subarray(end)
        }
      }
      assert.deepEqual(found, numbers(1, total))
    })
  })
}
