/**
 * The router: takes every request of the port to its route. There are three kinds: methods of the contract in the
 * protocol that the caller speaks, streams, and pages.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Authorize } from '../access/authorization.ts'
import type { Method, StreamMethod } from '../access/method.ts'
import { type NewId, newId } from '../kernel/id.ts'
import type { Exchange, FinishedRequest, Opening } from './exchange.ts'
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
import { type Prefix, procedurePaths, restPath } from './protocols/aliases.ts'
import { codecOfQuery, connect, connectGet, refuseConnect } from './protocols/connect.ts'
import {
  type Codec,
  hasForeignCharset,
  type ProtocolChoice,
  protocolOf,
  SERVED_TYPES,
} from './protocols/content-type.ts'
import { PREFLIGHT_HEADERS } from './protocols/cors.ts'
import { dispatch, type Protocol } from './protocols/dispatch.ts'
import { type Failure, type Fault, unknownCodec, unknownMethod, wrongVerb } from './protocols/errors.ts'
import { grpc } from './protocols/grpc.ts'
import { type ServeStream, serveStream } from './protocols/grpc-stream.ts'
import { grpcWeb } from './protocols/grpc-web.ts'
import { type Binding, isJson, refuseRest, routesOf, unsupportedType } from './protocols/rest.ts'
import { type FindRestRoute, openRestRouter } from './protocols/rest-router.ts'
import { type Served, serveMethods } from './protocols/served.ts'
import { STATUS } from './protocols/status.ts'

/** A path whose request and reply are streams, beside the methods of the contract, which take and give one message. */
export interface StreamRoute {
  /** Asked with POST only. */
  readonly path: string
  /** Serves one exchange from beginning to end; never rejects. */
  serve(exchange: Exchange): Promise<void>
}

export interface RouterOptions {
  readonly methods?: readonly Method[]
  readonly streamMethods?: readonly StreamMethod[]
  readonly authorize: Authorize
  readonly streams?: readonly StreamRoute[]
  readonly pages?: Pages
  /** What a browser is shown where there is nothing; without it, browsers get the error that programs get. */
  readonly notFoundPage?: NotFoundPage
  /** Learns of every unexpected error; the caller is told only the request id. */
  readonly log: (fault: Fault) => void
  readonly onFinish?: (finished: FinishedRequest) => void
  readonly newId?: NewId
}

/** Serves requests; the port brings them. */
export interface Router {
  http1(request: IncomingMessage, response: ServerResponse): void
  http2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void
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
  message: 'There is nothing at this path.',
}

/** A caller's own request id is kept when it can do no harm in a log. */
const PLAIN_ID = /^[A-Za-z0-9._-]{8,64}$/

interface Procedure {
  readonly served: Served
  readonly prefix: Prefix
}

interface PagePrefix {
  /** With its last slash. */
  readonly prefix: string
  readonly page: Page
}

/** All routes of a server. */
class Routes {
  readonly #procedures: ReadonlyMap<string, Procedure>
  readonly #streamProcedures: ReadonlyMap<string, ServeStream>
  readonly #pages: Pages
  /** The longest first. */
  readonly #pagePrefixes: readonly PagePrefix[]
  readonly #streams: ReadonlyMap<string, StreamRoute>
  readonly #findRest: FindRestRoute<Binding>
  readonly #notFoundPage: NotFoundPage | undefined
  readonly #authorize: Authorize
  readonly #log: (fault: Fault) => void

  constructor(options: RouterOptions) {
    const { methods = [], streamMethods = [], authorize, streams = [], pages = new Map(), notFoundPage, log } = options
    const served = serveMethods(methods)
    this.#procedures = procedureTable(served)
    this.#findRest = openRestRouter(served.flatMap(routesOf))
    this.#streams = new Map(streams.map((stream) => [stream.path, stream]))
    this.#pages = pages
    this.#pagePrefixes = prefixesOf(pages)
    this.#notFoundPage = notFoundPage
    this.#authorize = authorize
    this.#log = (fault) => attempt(() => log(fault))
    this.#streamProcedures = new Map(
      streamMethods.map((method) => {
        const { parent, name } = method.descriptor
        return [`/${parent.typeName}/${name}`, serveStream(method, authorize, this.#log)]
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

  #call(exchange: Exchange, served: Served, protocol: Protocol): Promise<void> {
    return dispatch(this.#authorize, this.#log, exchange, served, protocol)
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
    const [path, prefix] = restPath(exchange.path)
    exchange.prefix = prefix
    const stream = exchange.verb === 'POST' ? this.#streams.get(path) : undefined
    if (stream !== undefined) return stream.serve(exchange)
    const contentType = exchange.header('content-type')
    const choice = exchange.verb === 'POST' ? protocolOf(contentType) : undefined
    if (choice !== undefined && isForProcedures(exchange, choice)) return this.#serveElse(exchange, choice)
    const found = this.#findRest(exchange.verb === 'HEAD' ? 'GET' : exchange.verb, path)
    if (found === undefined) return this.#serveElse(exchange)
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
    if (this.#notFoundPage === undefined || !acceptsHtml(exchange)) return refuseRest(exchange, unknownRoute)
    return replyWithPage(exchange, this.#notFoundPage(exchange.header('accept-language')))
  }

  /** `name` stands for the page in logs and metrics, where a path of the caller's choice must not stand. */
  async #servePage(exchange: Exchange, name: string, page: Page): Promise<void> {
    exchange.method = name
    exchange.protocol = 'page'
    if (page.verbs !== undefined && !page.verbs.includes(exchange.verb)) {
      refuseRest(exchange, wrongVerb(page.verbs))
      return
    }
    const report = (error: unknown) => this.#log({ error, requestId: exchange.requestId, method: name })
    let answer: PageAnswer
    try {
      answer = await page.answer(pageRequestOf(exchange))
    } catch (error) {
      // What a page throws after the caller went away follows from that.
      if (exchange.isOver) return
      report(error)
      answer = textAnswer(500, 'internal error')
    }
    try {
      replyWithPage(exchange, answer)
    } catch (error) {
      report(error)
    }
  }
}

/** Opens the router; throws when two methods claim one path or a path cannot be served. */
export function openRouter(options: RouterOptions): Router {
  const { onFinish = () => {}, newId: makeId = newId } = options
  const routes = new Routes(options)
  const finish = (finished: FinishedRequest) => attempt(() => onFinish(finished))
  const opening = (given: string | string[] | undefined): Opening => ({
    requestId: typeof given === 'string' && PLAIN_ID.test(given) ? given : makeId(),
    onFinish: finish,
  })
  return {
    http1: (request, response) =>
      void routes.serve(new Http1Exchange(request, response, opening(request.headers['x-request-id']))),
    http2: (stream, headers) => void routes.serve(new Http2Exchange(stream, headers, opening(headers['x-request-id']))),
  }
}

/** Neither a log nor a metric that fails may take an answer with it. */
function attempt(report: () => void): void {
  try {
    report()
  } catch {
    // Where reporting fails, there is nowhere to report it.
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

/** Whether a POST is in a protocol that procedures alone are called with: then it is told in it that there is none. */
function isForProcedures(exchange: Exchange, { protocol, codec }: ProtocolChoice): boolean {
  return protocol !== 'connect' || codec === 'proto' || exchange.header('connect-protocol-version') !== undefined
}

/** Browsers name HTML when a person opens an address, and only then. */
function acceptsHtml(exchange: Exchange): boolean {
  return (
    (exchange.verb === 'GET' || exchange.verb === 'HEAD') && exchange.header('accept')?.includes('text/html') === true
  )
}

function isPreflight(exchange: Exchange): boolean {
  return exchange.header('access-control-request-method') !== undefined
}

/** Answers OPTIONS: to a browser's preflight with what it may do, to others with the allowed methods. */
function allow(exchange: Exchange, verbs: readonly string[]): void {
  const headers = isPreflight(exchange) ? PREFLIGHT_HEADERS : ['allow', [...verbs, 'OPTIONS'].join(', ')]
  exchange.reply({ status: 204, code: 0, headers })
}
