/**
 * The router. It finds the route of each request. There are three kinds: methods of the contract in the protocol of the
 * caller, streams, and pages.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Authorize } from '../access/authorization.ts'
import type { Method, StreamMethod } from '../access/method.ts'
import { type NewId, newId } from '../kernel/id.ts'
import { isTemporary } from '../kernel/refusal.ts'
import type { Admission } from './admission/admission.ts'
import { Entrance } from './admission/entrance.ts'
import { priorityOfMethod, priorityOfPage } from './admission/priority.ts'
import { openClientAddress } from './client-address.ts'
import type { Exchange, FinishedRequest, Opening, RequestTracer } from './exchange.ts'
import { Http1Exchange } from './exchange-http1.ts'
import { Http2Exchange } from './exchange-http2.ts'
import {
  type NotFoundPage,
  type Page,
  type PageAnswer,
  type Pages,
  pageRequestOf,
  replyWithPage,
  textAnswer,
} from './page.ts'
import type { Http2Connection } from './port/http2-connection.ts'
import { isEarlierPath, type Prefix, procedurePaths, restPath, servesVersion } from './protocols/aliases.ts'
import { codecOfQuery, connect, connectGet, refuseConnect } from './protocols/connect.ts'
import {
  type Codec,
  hasForeignCharset,
  type ProtocolChoice,
  protocolOf,
  SERVED_TYPES,
} from './protocols/content-type.ts'
import { arrivalsOfTurn, type DispatchOptions, dispatch, type Protocol } from './protocols/dispatch.ts'
import { type Failure, type Fault, unknownCodec, unknownMethod, wrongVerb } from './protocols/errors.ts'
import { grpc } from './protocols/grpc.ts'
import { grpcWeb } from './protocols/grpc-web.ts'
import type { Intercept } from './protocols/interception.ts'
import { allow, isPreflight } from './protocols/preflight.ts'
import { type Binding, isJson, refuseRest, routesOf, unsupportedType } from './protocols/rest.ts'
import { type FindRestRoute, type Match, openRestRouter, type WrongVerb } from './protocols/rest-router.ts'
import { type ServeStream, serveStream } from './protocols/serve-stream.ts'
import { type Served, serveMethods } from './protocols/served.ts'
import { STATUS } from './protocols/status.ts'
import { streamProtocolOf } from './protocols/stream-protocols.ts'

/** A path whose response is a stream, or both request and response, unlike methods, which have one message each. */
export interface StreamRoute {
  readonly verb: 'GET' | 'POST'
  readonly path: string
  /** Serves one exchange completely. Never rejects. */
  serve(exchange: Exchange): Promise<void>
}

export interface RouterOptions {
  readonly methods?: readonly Method[]
  readonly streamMethods?: readonly StreamMethod[]
  readonly authorize: Authorize
  /** Actions before and after methods; undefined: there are none. */
  readonly intercept?: Intercept | undefined
  readonly streams?: readonly StreamRoute[]
  readonly pages?: Pages
  /** The page that browsers get for unknown addresses. Without it, browsers get the same error as API clients. */
  readonly notFoundPage?: NotFoundPage
  /** Receives all unexpected errors. The caller receives only the request ID. */
  readonly log: (fault: Fault) => void
  readonly onFinish?: (finished: FinishedRequest) => void
  /** Addresses and networks of the proxies whose word about the client is believed. */
  readonly trustedProxies?: readonly string[]
  /** Runs each request, see `Store`. */
  readonly asOneRequest?: <Value>(run: () => Value) => Value
  /** Decides what is served when the server is overloaded. Without it, everything is served at once. */
  readonly admission?: Admission | undefined
  /** What tells a caller without a valid token where to get one. */
  readonly challenge?: string
  readonly newId?: NewId
  /** Undefined: there are no traces. */
  readonly tracer?: RequestTracer | undefined
}

/** Serves the requests of the port. */
export interface Router {
  http1(request: IncomingMessage, response: ServerResponse): void
  http2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Http2Connection): void
}

const PROTOCOLS: Readonly<Record<ProtocolChoice['protocol'], Readonly<Record<Codec, Protocol>>>> = {
  grpc: { proto: grpc('proto'), json: grpc('json') },
  'grpc-web': { proto: grpcWeb('proto', false), json: grpcWeb('json', false) },
  'grpc-web-text': { proto: grpcWeb('proto', true), json: grpcWeb('json', true) },
  connect: { proto: connect('proto'), json: connect('json') },
}
const CONNECT_GET: Readonly<Record<Codec, Protocol>> = { proto: connectGet('proto'), json: connectGet('json') }

const unknownRoute: Failure = {
  status: STATUS.not_found,
  id: 'route.unknown',
  message: 'The path does not exist.',
}

/** A request ID of the caller is kept if it is harmless in a log. */
const PLAIN_ID = /^[A-Za-z0-9._-]{8,64}$/

interface Procedure {
  readonly served: Served
  readonly prefix: Prefix
}

interface PagePrefix {
  /** Ends with a slash. */
  readonly prefix: string
  readonly page: Page
}

/** All routes of a server. */
class Routes {
  readonly #procedures: ReadonlyMap<string, Procedure>
  readonly #streamProcedures: ReadonlyMap<string, ServeStream>
  readonly #pages: Pages
  /** Longest first. */
  readonly #pagePrefixes: readonly PagePrefix[]
  /** By verb and path. */
  readonly #streams: ReadonlyMap<string, StreamRoute>
  readonly #findRest: FindRestRoute<Binding>
  readonly #notFoundPage: NotFoundPage | undefined
  readonly #dispatching: DispatchOptions
  readonly #log: (fault: Fault) => void
  readonly #entrance: Entrance

  constructor(options: RouterOptions) {
    const { methods = [], streamMethods = [], authorize, streams = [], pages = new Map(), notFoundPage, log } = options
    const { asOneRequest = (run) => run() } = options
    const served = serveMethods(methods)
    this.#procedures = procedureTable(served)
    this.#findRest = openRestRouter(served.flatMap(routesOf))
    this.#streams = new Map(streams.map((stream) => [`${stream.verb} ${stream.path}`, stream]))
    this.#pages = pages
    this.#pagePrefixes = prefixesOf(pages)
    this.#notFoundPage = notFoundPage
    this.#entrance = new Entrance(options.admission)
    this.#log = (fault) => attempt(() => log(fault))
    this.#dispatching = { authorize, intercept: options.intercept, log: this.#log }
    this.#streamProcedures = new Map(
      streamMethods.map((method) => {
        const { parent, name } = method.descriptor
        const serve = serveStream(method, { authorize, admission: options.admission, asOneRequest, log: this.#log })
        const priority = priorityOfMethod(method.descriptor)
        const admitted: ServeStream = async (exchange) =>
          this.#entrance.admit(exchange, { priority, serve: () => serve(exchange), refuse: refuseStream(method) })
        return [`/${parent.typeName}/${name}`, admitted]
      }),
    )
  }

  serve(exchange: Exchange): void | Promise<void> {
    const procedure = this.#procedures.get(exchange.path)
    if (procedure !== undefined) return this.#serveProcedure(exchange, procedure)
    const streaming = this.#streamProcedures.get(exchange.path)
    if (streaming !== undefined) return streaming(exchange)
    const page = this.#pages.get(exchange.path)
    if (page !== undefined) return this.#servePage(exchange, exchange.path, page)
    return this.#serveRest(exchange)
  }

  #call(exchange: Exchange, served: Served, protocol: Protocol): void | Promise<void> {
    exchange.method = served.name
    exchange.protocol = protocol.name
    return this.#entrance.admit(exchange, {
      priority: served.priority,
      serve: () => dispatch(this.#dispatching, exchange, served, protocol),
      refuse: (refused, failure) => protocol.refuse(refused, failure, served),
      timeout: protocol.timeout,
    })
  }

  #serveProcedure(exchange: Exchange, { served, prefix }: Procedure): void | Promise<void> {
    exchange.prefix = prefix
    exchange.method = served.name
    const contentType = exchange.header('content-type')
    switch (exchange.verb) {
      case 'POST': {
        const choice = protocolOf(contentType)
        const isServed = choice !== undefined && (choice.protocol !== 'grpc' || exchange.hasTrailers)
        if (!isServed || (choice.codec === 'json' && hasForeignCharset(contentType))) {
          return refuseConnect(exchange, unsupportedType(SERVED_TYPES).failure)
        }
        return this.#call(exchange, served, PROTOCOLS[choice.protocol][choice.codec])
      }
      case 'OPTIONS':
        return allow(exchange, ['POST', ...(served.isSafe ? ['GET'] : [])])
      case 'GET':
      case 'HEAD': {
        if (!served.isSafe) break
        const codec = codecOfQuery(exchange.query)
        if (codec !== undefined) return this.#call(exchange, served, CONNECT_GET[codec])
        return refuseConnect(exchange, unknownCodec().failure)
      }
    }
    return refuseConnect(exchange, wrongVerb(served.isSafe ? ['GET', 'POST'] : ['POST']))
  }

  #serveRest(exchange: Exchange): void | Promise<void> {
    const { path, prefix, version } = restPath(exchange.path)
    exchange.prefix = prefix
    const stream = this.#streams.get(`${exchange.verb} ${path}`)
    if (stream !== undefined)
      return this.#entrance.admit(exchange, {
        priority: 'bulk',
        serve: () => stream.serve(exchange),
        refuse: refuseRest,
      })
    const contentType = exchange.header('content-type')
    const choice = exchange.verb === 'POST' ? protocolOf(contentType) : undefined
    if (choice !== undefined && isForProcedures(exchange, choice)) return this.#serveElse(exchange, choice)
    const found = this.#findRest(exchange.verb === 'HEAD' ? 'GET' : exchange.verb, path)
    if (found === undefined) return this.#serveElse(exchange)
    if (version !== undefined && !this.#servesVersion(found, path, version)) return refuseRest(exchange, unknownMethod)
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
    return this.#call(exchange, target.served, target.protocol)
  }

  /** Whether what was found at a path has the same messages in an earlier version. */
  #servesVersion(found: Match<Binding> | WrongVerb, path: string, version: string): boolean {
    const one = 'target' in found ? found : this.#findRest(found.allowed[0] ?? '', path)
    return (
      one !== undefined &&
      'target' in one &&
      servesVersion(one.target.served.method.descriptor.parent.typeName, version)
    )
  }

  /** At a path of no method: a page above it, or nothing. */
  #serveElse(exchange: Exchange, choice?: ProtocolChoice): void | Promise<void> {
    const above = this.#pagePrefixes.find(({ prefix }) => exchange.path.startsWith(prefix))
    if (above !== undefined) return this.#servePage(exchange, `${above.prefix}*`, above.page)
    if (choice !== undefined) {
      const protocol =
        choice.protocol === 'grpc' && !exchange.hasTrailers ? undefined : PROTOCOLS[choice.protocol][choice.codec]
      exchange.protocol = protocol?.name ?? exchange.protocol
      return (protocol?.refuse ?? refuseRest)(exchange, unknownMethod)
    }
    if (exchange.verb === 'OPTIONS' && isPreflight(exchange)) return allow(exchange, [])
    if (isEarlierPath(exchange.path)) return refuseRest(exchange, unknownMethod)
    if (this.#notFoundPage === undefined || !acceptsHtml(exchange)) return refuseRest(exchange, unknownRoute)
    return replyWithPage(exchange, this.#notFoundPage(exchange.header('accept-language')))
  }

  /** `name` is the page in logs and metrics, which must not contain paths that the caller chose. */
  #servePage(exchange: Exchange, name: string, page: Page): void | Promise<void> {
    exchange.method = name
    exchange.protocol = 'page'
    if (page.verbs !== undefined && !page.verbs.includes(exchange.verb)) {
      return refuseRest(exchange, wrongVerb(page.verbs))
    }
    const serve = () => this.#answerPage(exchange, name, page)
    return this.#entrance.admit(exchange, { priority: priorityOfPage(name), serve, refuse: refusePage })
  }

  async #answerPage(exchange: Exchange, name: string, page: Page): Promise<void> {
    const report = (error: unknown) => this.#log({ error, requestId: exchange.requestId, method: name })
    let answer: PageAnswer
    try {
      const request = pageRequestOf(exchange)
      await arrivalsOfTurn()
      answer = await page.answer(request)
    } catch (error) {
      // Errors of a page after the caller disconnected are a result of that.
      if (exchange.isOver) return
      if (isTemporary(error)) answer = textAnswer(503, 'temporarily unavailable')
      else {
        report(error)
        answer = textAnswer(500, 'internal error')
      }
    }
    try {
      replyWithPage(exchange, answer)
    } catch (error) {
      report(error)
    }
  }
}

/** Opens the router. Throws when two methods have the same path or a path cannot be served. */
export function openRouter(options: RouterOptions): Router {
  const {
    onFinish = () => {},
    newId: makeId = newId,
    trustedProxies = [],
    asOneRequest = (run) => run(),
    challenge = 'Bearer',
    tracer,
  } = options
  const routes = new Routes(options)
  const clientOf = openClientAddress(trustedProxies)
  const finish = (finished: FinishedRequest) => attempt(() => onFinish(finished))
  const opening = (given: string | string[] | undefined): Opening => ({
    requestId: typeof given === 'string' && PLAIN_ID.test(given) ? given : makeId(),
    clientOf,
    challenge,
    onFinish: finish,
  })
  const serve = (exchange: Exchange) => asOneRequest(() => exchange.contain(() => routes.serve(exchange)))
  const begin = tracer === undefined ? serve : (exchange: Exchange) => tracer.serve(exchange, () => serve(exchange))
  return {
    http1: (request, response) => begin(new Http1Exchange(request, response, opening(request.headers['x-request-id']))),
    http2: (stream, headers, connection) =>
      begin(new Http2Exchange(stream, headers, connection, opening(headers['x-request-id']))),
  }
}

/** An error in the log or in a metric must not prevent the response. */
function attempt(report: () => void): void {
  try {
    report()
  } catch {
    // An error while reporting cannot be reported.
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

function prefixesOf(pages: Pages): readonly PagePrefix[] {
  return [...pages]
    .filter(([path]) => path.endsWith('/*'))
    .map(([path, page]) => ({ prefix: path.slice(0, -1), page }))
    .sort((a, b) => b.prefix.length - a.prefix.length)
}

/** Whether a POST uses a protocol that only procedures have. Then the error is written in that protocol. */
function isForProcedures(exchange: Exchange, { protocol, codec }: ProtocolChoice): boolean {
  return protocol !== 'connect' || codec === 'proto' || exchange.header('connect-protocol-version') !== undefined
}

/** Browsers accept HTML when a user opens an address, and only then. */
function acceptsHtml(exchange: Exchange): boolean {
  return (
    (exchange.verb === 'GET' || exchange.verb === 'HEAD') && exchange.header('accept')?.includes('text/html') === true
  )
}

/** Refuses a stream because of overload, in the protocol of its caller. */
function refuseStream(method: StreamMethod) {
  return (exchange: Exchange, failure: Failure): void =>
    (streamProtocolOf(method, exchange)?.refuse ?? refuseConnect)(exchange, failure)
}

/** A page that is refused because of overload: a sentence for browsers, the usual error for programs. */
function refusePage(exchange: Exchange, failure: Failure): void {
  if (!acceptsHtml(exchange)) {
    refuseRest(exchange, failure)
    return
  }
  const headers = { 'retry-after': String(failure.retryAfterSeconds ?? 1) }
  replyWithPage(exchange, { ...textAnswer(failure.status.http, failure.message), headers })
}
