/** The exporter: what it sends again, what it drops, and that an outage of the collector is reported once. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { afterwards } from '../../../test/support/afterwards.ts'
import { openCollector } from '../../../test/support/collector.ts'
import { Exporter } from './exporter.ts'
import type { EndedSpan } from './otlp.ts'
import { openSender, readRetryAfter, type Sender } from './send.ts'

const SPAN: EndedSpan = {
  ...{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), parentSpanId: undefined, name: 'a', kind: 'part' },
  ...{ startMs: 1_800_000_000_000, endMs: 1_800_000_000_001.5, attributes: { 'a.b': 1, c: 'd' }, hasFailed: false },
}
const RESOURCE = { attributes: { 'service.name': 'signet' }, version: '1' }
const NEVER = new AbortController().signal

function lines() {
  const written: string[] = []
  const keep = (...args: readonly unknown[]) => void written.push(String(args.at(-1)))
  return { written, log: { warn: keep, info: keep } as never }
}

suite('sending to a collector', () => {
  const open = (endpoint: string) => openSender({ endpoint, headers: {}, timeoutMs: 10_000, firstPauseMs: 1 })

  test('busy collectors are asked again, and a refusal is final', async (t) => {
    const collector = await openCollector()
    afterwards(t, () => collector.close())
    const sender = open(collector.url)
    afterwards(t, async () => sender.close())
    const body = '{"resourceSpans":[]}'
    for (const status of [429, 502, 503, 504]) collector.refusals.push(status)
    await sender.send('/v1/traces', body, NEVER)
    assert.equal(collector.requests.length, 5)
    collector.refusals.push(401)
    assert.deepEqual(await sender.send('/v1/traces', body, NEVER), { isSent: false, reason: 'status 401' })
    assert.equal(collector.requests.length, 6)
    for (let tries = 0; tries < 5; tries++) collector.refusals.push(503)
    assert.deepEqual(await sender.send('/v1/traces', body, NEVER), { isSent: false, reason: 'status 503' })
    assert.equal(collector.requests.length, 11)
  })

  test('a collector that is gone is no error, and the reason is its code', async () => {
    const collector = await openCollector()
    await collector.close()
    const sender = open(collector.url)
    assert.deepEqual(await sender.send('/v1/traces', '{}', NEVER), { isSent: false, reason: 'ECONNREFUSED' })
  })

  test('Retry-After is a number of seconds or a date, and never longer than half a minute', () => {
    const now = Date.UTC(2026, 0, 1)
    assert.equal(readRetryAfter('2', now), 2000)
    assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:00:03 GMT', now), 3000)
    assert.equal(readRetryAfter('Thu, 01 Jan 2025 00:00:03 GMT', now), 0)
    assert.equal(readRetryAfter('86400', now), 30_000)
    assert.equal(readRetryAfter('soon', now), undefined)
    assert.equal(readRetryAfter(undefined, now), undefined)
  })
})

suite('the exporter', () => {
  test('what does not fit into the queue is dropped and counted, and adding never waits', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const sizes: number[] = []
    const sender: Sender = {
      async send(_, body) {
        await held
        sizes.push(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length)
        return { isSent: true }
      },
      close() {},
    }
    const { log, written } = lines()
    const exporter = new Exporter({ sender, resource: RESOURCE, log, traceDelayMs: 60_000 })
    // The first 512 are being sent, and 2048 wait.
    for (let index = 0; index < 3000; index++) exporter.add(SPAN)
    assert.deepEqual(exporter.counts, { exported: 0, dropped: 3000 - 512 - 2048 })
    release()
    await exporter.close()
    assert.deepEqual(sizes, [512, 512, 512, 512, 512])
    assert.equal(exporter.counts.exported, 2560)
    assert.deepEqual(written, [])
  })

  test('an outage is reported once, and its end too', async () => {
    const answers = [false, false, true, true]
    const sent: string[] = []
    const sender: Sender = {
      async send(path) {
        sent.push(path)
        return answers.shift() ? { isSent: true } : { isSent: false, reason: 'ECONNREFUSED' }
      },
      close() {},
    }
    const { log, written } = lines()
    const exporter = new Exporter({ sender, resource: RESOURCE, log, traceDelayMs: 60_000 })
    for (let index = 0; index < 4 * 512; index++) exporter.add(SPAN)
    await exporter.close()
    assert.equal(sent.length, 4)
    assert.deepEqual(written, ['traces and metrics cannot be exported', 'traces and metrics are exported again'])
    assert.deepEqual(exporter.counts, { exported: 1024, dropped: 1024 })
  })

  test('a span has the form of OTLP', async (t) => {
    const collector = await openCollector()
    afterwards(t, () => collector.close())
    const { log } = lines()
    const sender = openSender({ endpoint: collector.url, headers: {}, timeoutMs: 10_000 })
    const exporter = new Exporter({ sender, resource: RESOURCE, log, traceDelayMs: 60_000 })
    exporter.add(SPAN)
    await exporter.close()
    assert.deepEqual(collector.problems, [])
    const { startMs: _, endMs: __, kind: ___, ...expected } = SPAN
    assert.deepEqual(collector.spans, [{ ...expected, kind: 1 }])
    assert.match(collector.requests[0]?.body ?? '', /"endTimeUnixNano":"1800000000001500000"/)
  })
})
