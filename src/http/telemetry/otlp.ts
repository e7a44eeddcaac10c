/** Spans and metrics as OTLP/HTTP JSON (opentelemetry-proto 1.x, "JSON Protobuf Encoding"). */
import type { SpanAttributes } from '../../kernel/tracer.ts'
import { type Family, labelsOf } from '../monitoring/metrics.ts'

/** A span that has ended. Times are milliseconds since 1970. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: 'part' | 'server' | 'client'
  readonly startMs: number
  readonly endMs: number
  readonly attributes: SpanAttributes
  readonly hasFailed: boolean
}

const KINDS = { part: 1, server: 2, client: 3 } as const
const STATUS_ERROR = 2
const CUMULATIVE = 2

/** Milliseconds to nanoseconds. A number cannot hold those, and 64-bit integers are texts in this encoding. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Attributes as a list; those that are undefined are left out. */
function attributeList(attributes: SpanAttributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

/** What the sender is. */
export interface Resource {
  readonly attributes: SpanAttributes
  readonly version: string
}

function spanOf(span: EndedSpan) {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, hasFailed } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: attributeList(attributes),
    status: hasFailed ? { code: STATUS_ERROR } : {},
  }
}

/** The body of a request to `/v1/traces`. */
export function encodeSpans({ attributes, version }: Resource, spans: readonly EndedSpan[]): string {
  const scope = { name: 'signet', version }
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: attributeList(attributes) }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] },
    ],
  })
}

interface Times {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

function metricOf(family: Family, times: Times) {
  const { name, help, type, bounds = [], samples } = family
  const points = samples.map(([key, value]) => ({
    ...times,
    attributes: attributeList(Object.fromEntries(labelsOf(family, key))),
    value,
  }))
  const common = { name, description: help }
  if (type === 'histogram') {
    const dataPoints = points.map(({ value, ...point }) => {
      const numbers = typeof value === 'number' ? [value] : value
      const counts = numbers.slice(0, bounds.length + 1)
      const count = counts.reduce((sum, one) => sum + one, 0)
      const bucketCounts = counts.map(String)
      return { ...point, count: String(count), sum: numbers.at(-1) ?? 0, bucketCounts, explicitBounds: bounds }
    })
    return { ...common, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }
  }
  const dataPoints = points.map(({ value, ...point }) => ({ ...point, asDouble: Number(value) }))
  if (type === 'gauge') return { ...common, gauge: { dataPoints } }
  return { ...common, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
}

/** The body of a request to `/v1/metrics`. Metrics without a value yet are left out. */
export function encodeMetrics(
  { attributes, version }: Resource,
  families: readonly Family[],
  startMs: number,
  nowMs: number,
): string {
  const times = { startTimeUnixNano: nanoseconds(startMs), timeUnixNano: nanoseconds(nowMs) }
  const metrics = families.filter(({ samples }) => samples.length > 0).map((family) => metricOf(family, times))
  const scope = { name: 'signet', version }
  return JSON.stringify({
    resourceMetrics: [{ resource: { attributes: attributeList(attributes) }, scopeMetrics: [{ scope, metrics }] }],
  })
}
