/** A collector of OpenTelemetry for tests: keeps what it receives and checks its form (opentelemetry-proto 1.x, JSON). */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly hasFailed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** One point of a metric: its value, or the count of a histogram. */
export interface CollectedPoint {
  readonly name: string
  readonly type: 'sum' | 'gauge' | 'histogram'
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value: number
}

export interface Collector {
  readonly url: string
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** Statuses of the next answers; then everything is accepted. */
  readonly refusals: number[]
  /** Accepted spans. */
  readonly spans: CollectedSpan[]
  /** Points of the last accepted metrics. */
  points: readonly CollectedPoint[]
  readonly resources: Readonly<Record<string, unknown>>[]
  close(): Promise<void>
}

type Json = Readonly<Record<string, unknown>>

function hasOnly(object: Json, required: readonly string[], optional: readonly string[] = []): void {
  for (const key of required) assert.ok(key in object, `${key} is missing in ${JSON.stringify(object)}`)
  for (const key of Object.keys(object)) assert.ok([...required, ...optional].includes(key), `${key} is unknown`)
}

function readAttributes(list: unknown): Json {
  assert.ok(Array.isArray(list))
  return Object.fromEntries(
    list.map((one: Json) => {
      hasOnly(one, ['key', 'value'])
      const [[type, value] = [], more] = Object.entries(one.value as Json)
      assert.equal(more, undefined)
      if (type === 'intValue') assert.match(String(value), /^-?\d+$/)
      else if (type === 'doubleValue') assert.equal(typeof value, 'number')
      else if (type === 'boolValue') assert.equal(typeof value, 'boolean')
      else assert.deepEqual([type, typeof value], ['stringValue', 'string'])
      return [String(one.key), type === 'intValue' ? Number(value) : value]
    }),
  )
}

function checkTimes(start: unknown, end: unknown): void {
  for (const time of [start, end]) assert.match(String(time), /^1[6-9]\d{17}$/)
  assert.ok(BigInt(String(start)) <= BigInt(String(end)))
}

function readSpan(span: Json): CollectedSpan {
  const times = ['startTimeUnixNano', 'endTimeUnixNano']
  hasOnly(span, ['traceId', 'spanId', 'name', 'kind', ...times, 'attributes', 'status'], ['parentSpanId'])
  assert.match(String(span.traceId), /^(?!0{32})[0-9a-f]{32}$/)
  assert.match(String(span.spanId), /^(?!0{16})[0-9a-f]{16}$/)
  if (span.parentSpanId !== undefined) assert.match(String(span.parentSpanId), /^(?!0{16})[0-9a-f]{16}$/)
  assert.ok([1, 2, 3].includes(Number(span.kind)))
  assert.ok(String(span.name).length > 0)
  checkTimes(span.startTimeUnixNano, span.endTimeUnixNano)
  const { code = 0 } = span.status as { code?: number }
  assert.ok(code === 0 || code === 2)
  const { traceId, spanId, parentSpanId, name, kind } = span as unknown as CollectedSpan
  const attributes = readAttributes(span.attributes)
  return { traceId, spanId, parentSpanId, name, kind, hasFailed: code === 2, attributes }
}

function readHistogram(point: Json): number {
  const { bucketCounts, explicitBounds, count } = point as Record<string, string[]>
  assert.equal(bucketCounts?.length, (explicitBounds?.length ?? 0) + 1)
  const total = bucketCounts?.reduce((sum, one) => sum + Number(one), 0)
  assert.equal(total, Number(count))
  return Number(count)
}

function readMetric(metric: Json): readonly CollectedPoint[] {
  const type = (['sum', 'gauge', 'histogram'] as const).find((one) => one in metric)
  assert.ok(type !== undefined)
  hasOnly(metric, ['name', 'description', type])
  const data = metric[type] as { dataPoints: Json[]; aggregationTemporality?: number; isMonotonic?: boolean }
  if (type !== 'gauge') assert.equal(data.aggregationTemporality, 2)
  if (type === 'sum') assert.equal(data.isMonotonic, true)
  return data.dataPoints.map((point) => {
    checkTimes(point.startTimeUnixNano, point.timeUnixNano)
    const value = type === 'histogram' ? readHistogram(point) : Number(point.asDouble)
    assert.ok(Number.isFinite(value))
    return { name: String(metric.name), type, attributes: readAttributes(point.attributes), value }
  })
}

interface Sender {
  readonly resource: { readonly attributes: unknown }
}

function accept(collector: Collector, path: string, body: string): void {
  const parsed = JSON.parse(body) as Json
  const isTraces = path === '/v1/traces'
  assert.ok(isTraces || path === '/v1/metrics', path)
  hasOnly(parsed, [isTraces ? 'resourceSpans' : 'resourceMetrics'])
  const [sender] = Object.values(parsed)[0] as Sender[]
  collector.resources.push(readAttributes(sender?.resource.attributes))
  const scopes = Object.values(sender ?? {})[1] as { scope: Json; spans?: Json[]; metrics?: Json[] }[]
  for (const { scope, spans = [], metrics } of scopes) {
    hasOnly(scope, ['name', 'version'])
    collector.spans.push(...spans.map(readSpan))
    if (metrics !== undefined) collector.points = metrics.flatMap(readMetric)
  }
}

/** Opens a collector on a free port. What has the wrong form is answered with 400 and kept in `problems`. */
export async function openCollector(): Promise<Collector & { readonly problems: unknown[] }> {
  const problems: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const body = Buffer.concat(chunks).toString()
    collector.requests.push({ path, headers: request.headers, body })
    const refusal = collector.refusals.shift()
    if (refusal !== undefined) {
      response.writeHead(refusal, { 'retry-after': '0' }).end()
      return
    }
    try {
      accept(collector, path, body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    } catch (error) {
      problems.push(error)
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: Collector & { readonly problems: unknown[] } = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    refusals: [],
    spans: [],
    points: [],
    resources: [],
    problems,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return collector
}
