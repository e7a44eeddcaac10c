/**
 * Spans of requests, jobs, commits, queries and calls to other servers. Where the code is in a trace is kept by
 * AsyncLocalStorage, which costs something for every promise: hence this file is loaded only when tracing is on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanAttributes, SpanKind, Tracer } from '../../kernel/tracer.ts'
import type { FinishedQuery, StoreObserver, WrittenBatch } from '../../store/index.ts'
import type { Exchange, FinishedRequest, RequestTracer } from '../exchange.ts'
import type { EndedSpan } from './otlp.ts'
import {
  childContext,
  readTraceparent,
  rootContext,
  type Sampler,
  type SpanContext,
  writeTraceparent,
} from './trace-context.ts'

export interface TracingOptions {
  readonly sampler: Sampler
  readonly engine: 'sqlite' | 'postgresql'
  onEnd(span: EndedSpan): void
}

/** Codes that are the fault of the server: UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS. */
const SERVER_FAULTS: ReadonlySet<number> = new Set([2, 4, 12, 13, 14, 15])
/** A client can send any word as method; in a trace only these are told apart. */
const VERBS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** `performance.now()` as milliseconds since 1970. */
function epochMs(time: number): number {
  return performance.timeOrigin + time
}

/** The name of the class of an error, or its code: messages can contain anything. */
function errorType(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

export class Tracing implements Tracer, RequestTracer {
  readonly #options: TracingOptions
  readonly #current = new AsyncLocalStorage<SpanContext | undefined>()

  constructor(options: TracingOptions) {
    this.#options = options
  }

  /** The span that the calling code runs in. */
  get current(): SpanContext | undefined {
    return this.#current.getStore()
  }

  /** Serves a request as the first span of this server, in the trace of the caller if there is one. */
  serve(exchange: Exchange, run: () => void): void {
    const parent = readTraceparent(exchange.header('traceparent'))
    const context = rootContext(this.#options.sampler, parent)
    const startMs = epochMs(performance.now())
    exchange.trace = {
      traceId: context.traceId,
      end: (finished) => {
        if (!context.isSampled) return
        this.#options.onEnd({
          ...{ traceId: context.traceId, spanId: context.spanId, parentSpanId: parent?.spanId },
          ...{ kind: 'server', startMs, endMs: startMs + finished.durationMs },
          ...requestSpan(exchange, finished),
        })
      },
    }
    this.#current.run(context, run)
  }

  async trace<Value>(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    run: (span: Span | undefined) => Promise<Value>,
  ): Promise<Value> {
    const parent = this.current
    if (parent === undefined) return run(undefined)
    return this.#spanIn(childContext(parent), parent.spanId, { name, kind, attributes }, run)
  }

  /** Wraps a store observer so that it also records spans: each caller of a batch has one of its own in its trace. */
  observe(observer: StoreObserver): StoreObserver {
    return {
      ...observer,
      contextOf: () => this.current,
      batchWritten: (batch) => {
        observer.batchWritten(batch)
        this.#recordCommits(batch)
      },
      queried: (query) => {
        observer.queried(query)
        this.#recordQuery(query)
      },
      runJob: (kind, run) => {
        const context = rootContext(this.#options.sampler, undefined)
        const span = { name: `job ${kind}`, kind: 'part', attributes: { 'signet.job.kind': kind } } as const
        return this.#spanIn(context, undefined, span, () => observer.runJob(kind, run))
      },
    }
  }

  async #spanIn<Value>(
    context: SpanContext,
    parentSpanId: string | undefined,
    { name, kind, attributes }: { name: string; kind: SpanKind; attributes: SpanAttributes },
    run: (span: Span | undefined) => Promise<Value>,
  ): Promise<Value> {
    const startMs = epochMs(performance.now())
    let all = attributes
    let hasFailed = false
    const span = {
      traceparent: writeTraceparent(context),
      set(more: SpanAttributes) {
        all = { ...all, ...more }
      },
    }
    try {
      return await this.#current.run(context, () => run(span))
    } catch (error) {
      hasFailed = true
      span.set({ 'error.type': errorType(error) })
      throw error
    } finally {
      if (context.isSampled) {
        const { traceId, spanId } = context
        const endMs = epochMs(performance.now())
        this.#options.onEnd({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes: all, hasFailed })
      }
    }
  }

  #recordCommits({ commits, startedAt, endedAt, hasFailed }: WrittenBatch): void {
    for (const { joinedAt, context } of commits) {
      this.#record(context as SpanContext | undefined, 'commit', joinedAt, endedAt, hasFailed, {
        'db.operation.batch.size': commits.length,
        'signet.wait_ms': startedAt - joinedAt,
      })
    }
  }

  #recordQuery({ operation, contexts, askedAt, startedAt, endedAt, hasFailed }: FinishedQuery): void {
    for (const context of contexts) {
      this.#record(context as SpanContext | undefined, `query ${operation}`, askedAt, endedAt, hasFailed, {
        'db.operation.name': operation,
        'db.operation.batch.size': contexts.length,
        'signet.wait_ms': startedAt - askedAt,
      })
    }
  }

  #record(
    parent: SpanContext | undefined,
    name: string,
    startedAt: number,
    endedAt: number,
    hasFailed: boolean,
    attributes: SpanAttributes,
  ): void {
    if (parent?.isSampled !== true) return
    const { traceId, spanId } = childContext(parent)
    this.#options.onEnd({
      ...{ traceId, spanId, parentSpanId: parent.spanId, name, kind: 'client', hasFailed },
      ...{ startMs: epochMs(startedAt), endMs: epochMs(endedAt) },
      attributes: { 'db.system.name': this.#options.engine, ...attributes },
    })
  }
}

/** Names and attributes of a request. The path is that of a route, not the one that the client sent. */
function requestSpan(
  { verb }: Exchange,
  { method, protocol, code, status, requestId, errorId }: FinishedRequest,
): Pick<EndedSpan, 'name' | 'attributes' | 'hasFailed'> {
  const known = VERBS.has(verb) ? verb : '_OTHER'
  const isPage = protocol === 'page'
  const hasFailed = SERVER_FAULTS.has(code) || status >= 500
  return {
    name: method === '' ? known : isPage ? `${known} ${method}` : method,
    hasFailed,
    attributes: {
      'http.request.method': known,
      'http.response.status_code': status === 0 ? undefined : status,
      'http.route': isPage && method !== '' ? method : undefined,
      'rpc.method': isPage || method === '' ? undefined : method,
      'rpc.grpc.status_code': isPage ? undefined : code,
      'signet.protocol': protocol,
      'signet.request_id': requestId,
      'signet.error_id': errorId,
      'error.type': hasFailed ? (errorId ?? String(status)) : undefined,
    },
  }
}
