/** What the layers of the server tell a tracer. Without tracing there is no tracer, and nothing is recorded. */

/** What a span says. Never secrets and never data of users: no address, no name, no path that a client chose. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A span that has begun. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** The header by which the called server continues the trace (W3C Trace Context §3.2). */
  readonly traceparent: string
}

/** `part`: of the work of this server; `client`: a call to another one. */
export type SpanKind = 'part' | 'client'

export interface Tracer {
  /**
   * Runs a part of the current trace. The span ends when the promise settles; a rejection marks it as failed. Outside of
   * a trace there is no span.
   */
  trace<Value>(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    run: (span: Span | undefined) => Promise<Value>,
  ): Promise<Value>
}
