/** The front: takes every request of the port to the protocol it speaks and the method it asks for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Authorize } from '../access/admit.ts'
import type { Method } from '../access/method.ts'
import { type NewId, newId } from '../kernel/id.ts'
import type { Clock } from '../kernel/instant.ts'
import type { LostPage } from '../web/index.ts'
import { type Prefix, procedurePaths, restPath } from './aliases.ts'
import { codecOfQuery, connect, connectGet } from './connect.ts'
import { type Codec, hasForeignCharset, SERVED_TYPES, type Spoken, spokenIn } from './content-type.ts'
import { PREFLIGHT_HEADERS } from './cors.ts'
import { type Clothes, dispatch } from './dispatch.ts'
import { type Failure, type Fault, unknownMethod, wrongVerb } from './errors.ts'
import type { Exchange, FinishedCall, Opening } from './exchange.ts'
import { Http1Exchange } from './exchange-http1.ts'
import { Http2Exchange } from './exchange-http2.ts'
import { grpc } from './grpc.ts'
import { grpcWeb } from './grpc-web.ts'
import { type Binding, isJson, refuseRest, routesOf, unsupportedType } from './rest.ts'
import { openRouter } from './rest-router.ts'
import { type Served, serveMethods } from './served.ts'
import { STATUS } from './status.ts'
import type { StreamRoute } from './stream-route.ts'

export type { Fault } from './errors.ts'
export type { FinishedCall } from './exchange.ts'

/** What the front needs. */
export interface FrontOptions {
  readonly methods: readonly Method[]
  readonly admit: Authorize
  /** Paths beside those of the methods. */
  readonly streams?: readonly StreamRoute[]
  /** What a browser is shown where there is nothing; without it, what programs are told. */
  readonly lost?: LostPage
  /** Learns of everything that nobody expected; the caller is told only the request id. */
  readonly log: (fault: Fault) => void
  readonly onFinish?: (finished: FinishedCall) => void
  readonly now: Clock
  readonly newId?: NewId
}

/** Serves requests; the port brings them. */
export interface Front {
  http1(request: IncomingMessage, response: ServerResponse): void
  http2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void
}

const CLOTHES: Readonly<Record<Spoken['protocol'], Readonly<Record<Codec, Clothes>>>> = {
  grpc: { proto: grpc('proto'), json: grpc('json') },
  'grpc-web': { proto: grpcWeb('proto', false), json: grpcWeb('json', false) },
  'grpc-web-text': { proto: grpcWeb('proto', true), json: grpcWeb('json', true) },
  connect: { proto: connect('proto'), json: connect('json') },
}
const CONNECT_GET: Readonly<Record<Codec, Clothes>> = { proto: connectGet('proto'), json: connectGet('json') }

const unknownRoute: Failure = {
  status: STATUS.not_found,
  id: 'route.unknown',
  message: 'The path does not exist.',
}

/** A caller's own request id is kept when it can do no harm in a log. */
const PLAIN_ID = /^[A-Za-z0-9._-]{8,64}$/

interface Procedure {
  readonly served: Served
  readonly prefix: Prefix
}

/** Opens the front; throws when two methods claim one path or a path cannot be served. */
export function openFront({
  methods,
  admit,
  streams = [],
  lost,
  log,
  onFinish = () => {},
  now,
  newId: freshId = newId,
}: FrontOptions): Front {
  const served = serveMethods(methods)
  const procedures = procedureTable(served)
  const router = openRouter<Binding>(served.flatMap(routesOf))
  // Neither a log nor a metric that fails may take an answer with it.
  const note = (fault: Fault) => attempt(() => log(fault))
  const finish = (finished: FinishedCall) => attempt(() => onFinish(finished))
  const parts = { admit, log: note }

  const serveProcedure = (exchange: Exchange, { served, prefix }: Procedure) => {
    exchange.prefix = prefix
    exchange.method = served.name
    const contentType = exchange.header('content-type')
    switch (exchange.verb) {
      case 'POST': {
        const spoken = spokenIn(contentType)
        const isSpeakable = spoken !== undefined && (spoken.protocol !== 'grpc' || exchange.hasTrailers)
        if (!isSpeakable || (spoken.codec === 'json' && hasForeignCharset(contentType))) {
          return refuseRest(exchange, unsupportedType(SERVED_TYPES).failure)
        }
        return dispatch(parts, exchange, served, CLOTHES[spoken.protocol][spoken.codec])
      }
      case 'OPTIONS':
        return allow(exchange, ['POST', ...(served.isSafe ? ['GET'] : [])])
      case 'GET':
      case 'HEAD': {
        const codec = served.isSafe ? codecOfQuery(exchange.query) : undefined
        if (codec !== undefined) return dispatch(parts, exchange, served, CONNECT_GET[codec])
      }
    }
    return refuseRest(exchange, wrongVerb(served.isSafe ? ['GET', 'POST'] : ['POST']))
  }

  const serveRest = (exchange: Exchange) => {
    const [path, prefix] = restPath(exchange.path)
    exchange.prefix = prefix
    const stream = exchange.verb === 'POST' ? streams.find((one) => one.path === path) : undefined
    if (stream !== undefined) return stream.serve(exchange)
    const contentType = exchange.header('content-type')
    const spoken = spokenIn(contentType)
    const isConnect = spoken?.codec === 'proto' || exchange.header('connect-protocol-version') !== undefined
    // Whoever speaks the protocol of procedures is told in it that there is no such one.
    if (spoken !== undefined && exchange.verb === 'POST' && (spoken.protocol !== 'connect' || isConnect)) {
      const clothes =
        spoken.protocol === 'grpc' && !exchange.hasTrailers ? undefined : CLOTHES[spoken.protocol][spoken.codec]
      exchange.protocol = clothes?.name ?? exchange.protocol
      return (clothes?.refuse ?? refuseRest)(exchange, unknownMethod)
    }
    const found = router.find(exchange.verb === 'HEAD' ? 'GET' : exchange.verb, path)
    if (found === undefined) {
      return exchange.verb === 'OPTIONS' && isPreflight(exchange)
        ? allow(exchange, [])
        : lost !== undefined && wantsPage(exchange)
          ? showLost(exchange, lost)
          : refuseRest(exchange, unknownRoute)
    }
    if ('allowed' in found) {
      return exchange.verb === 'OPTIONS'
        ? allow(exchange, found.allowed)
        : refuseRest(exchange, wrongVerb(found.allowed))
    }
    const { target, values } = found
    exchange.parameters = values
    if (target.hasBody && contentType !== undefined && !isJson(contentType)) {
      return refuseRest(exchange, unsupportedType('application/json').failure)
    }
    return dispatch(parts, exchange, target.served, target.clothes)
  }

  const serve = (exchange: Exchange) => {
    const procedure = procedures.get(exchange.path)
    return procedure === undefined ? serveRest(exchange) : serveProcedure(exchange, procedure)
  }

  const opening = (given: string | string[] | undefined): Opening => ({
    requestId: typeof given === 'string' && PLAIN_ID.test(given) ? given : freshId(),
    at: now(),
    onFinish: finish,
  })

  return {
    http1: (request, response) =>
      void serve(new Http1Exchange(request, response, opening(request.headers['x-request-id']))),
    http2: (stream, headers) => void serve(new Http2Exchange(stream, headers, opening(headers['x-request-id']))),
  }
}

function attempt(report: () => void): void {
  try {
    report()
  } catch {
    // There is nobody left to tell.
  }
}

function procedureTable(served: readonly Served[]): ReadonlyMap<string, Procedure> {
  const table = new Map<string, Procedure>()
  for (const one of served) {
    const { parent, name } = one.method.descriptor
    for (const [path, prefix] of procedurePaths(parent.typeName, name)) {
      if (table.has(path)) throw new Error(`two methods are served at ${path}`)
      table.set(path, { served: one, prefix })
    }
  }
  return table
}

/** Whether a person looks: browsers name HTML when they open an address, and only then. */
function wantsPage(exchange: Exchange) {
  return (
    (exchange.verb === 'GET' || exchange.verb === 'HEAD') && exchange.header('accept')?.includes('text/html') === true
  )
}

function showLost(exchange: Exchange, lost: LostPage): void {
  const { status, contentType, body, headers } = lost(exchange.header('accept-language'))
  // The exchange brings its own of these.
  const { 'cache-control': _, 'x-content-type-options': __, ...others } = headers ?? {}
  const all = ['content-type', contentType, ...Object.entries(others).flat()]
  exchange.reply({ status, code: STATUS.not_found.code, headers: all, body })
}

function isPreflight(exchange: Exchange) {
  return exchange.header('access-control-request-method') !== undefined
}

/** Answers OPTIONS: to a browser's preflight with what it may do, to anybody else with the allowed methods. */
function allow(exchange: Exchange, verbs: readonly string[]): void {
  const headers = isPreflight(exchange) ? PREFLIGHT_HEADERS : ['allow', [...verbs, 'OPTIONS'].join(', ')]
  exchange.reply({ status: 204, code: 0, headers })
}
