/** W3C Trace Context: which headers continue a trace, and which traces are recorded. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openSampler, readTraceparent, rootContext, writeTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

suite('traceparent', () => {
  test('a valid header continues the trace, and is written as it was read', () => {
    const header = `00-${TRACE}-${SPAN}-01`
    const context = readTraceparent(header)
    assert.deepEqual(context, { traceId: TRACE, spanId: SPAN, isSampled: true })
    assert.equal(context && writeTraceparent(context), header)
    assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-00`)?.isSampled, false)
    assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-ff`)?.isSampled, true)
  })

  test('a later version may say more at the end', () => {
    assert.equal(readTraceparent(`01-${TRACE}-${SPAN}-01-what-the-future-brings`)?.traceId, TRACE)
    assert.equal(readTraceparent(`cc-${TRACE}-${SPAN}-01`)?.traceId, TRACE)
  })

  test('everything else is ignored', () => {
    const invalid = [
      '',
      'nonsense',
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE}-${SPAN}-1`,
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.slice(1)}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-0x`,
      `cc-${TRACE}-${SPAN}-01.more`,
      // Two headers, as Node joins them.
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    ]
    for (const header of invalid) assert.equal(readTraceparent(header), undefined, header)
  })
})

suite('samplers', () => {
  const parent = (isSampled: boolean) => ({ traceId: TRACE, spanId: SPAN, isSampled })

  test('those based on the parent do what it does, the others do not', () => {
    assert.equal(openSampler('parentbased_always_on', 1)(TRACE, parent(false)), false)
    assert.equal(openSampler('parentbased_always_off', 1)(TRACE, parent(true)), true)
    assert.equal(openSampler('parentbased_always_on', 1)(TRACE, undefined), true)
    assert.equal(openSampler('parentbased_always_off', 1)(TRACE, undefined), false)
    assert.equal(openSampler('always_off', 1)(TRACE, parent(true)), false)
    assert.equal(openSampler('always_on', 1)(TRACE, parent(false)), true)
  })

  test('a ratio records that share of the traces, and the same ones on every server', () => {
    const sampler = openSampler('parentbased_traceidratio', 0.25)
    const contexts = Array.from({ length: 4000 }, () => rootContext(sampler, undefined))
    const recorded = contexts.filter(({ isSampled }) => isSampled).length
    // Seven standard deviations around 1000.
    assert.ok(recorded > 800 && recorded < 1200, String(recorded))
    const again = openSampler('traceidratio', 0.25)
    assert.ok(contexts.every(({ traceId, isSampled }) => again(traceId, undefined) === isSampled))
    assert.equal(openSampler('traceidratio', 0)(TRACE, undefined), false)
    assert.ok(contexts.every(({ traceId }) => openSampler('traceidratio', 1)(traceId, undefined)))
  })
})
