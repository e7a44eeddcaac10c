import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PageRequest } from '../page.ts'
import { openAccessLog } from './access-log.ts'
import { formatMetrics, mergeSnapshots, Registry } from './metrics.ts'
import { probePages } from './probes.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { openReadiness } from './readiness.ts'

suite('probes', () => {
  const probes = (ping: () => Promise<void>, isDraining = false) =>
    probePages({
      readiness: openReadiness(ping, () => isDraining),
      metrics: async () => 'm',
      openApi: async (service) => (service === 'none' ? undefined : `{"service":"${service ?? 'all'}"}`),
      openApiServices: async () => '[]',
    })
  const answerOf = (pages: ReturnType<typeof probes>, path: string) => pages.get(path)?.answer({} as PageRequest)
  const statusOf = async (pages: ReturnType<typeof probes>, path: string) => (await answerOf(pages, path))?.status

  test('ready is who reaches the store and does not stop; health asks for neither', async () => {
    const up = async () => {}
    const down = async () => {
      throw new Error('the password of the database')
    }
    assert.equal(await statusOf(probes(up), '/readyz'), 200)
    assert.equal(await statusOf(probes(up), '/debug/ready'), 200)
    assert.equal(await statusOf(probes(up, true), '/readyz'), 503)
    assert.equal(await statusOf(probes(down), '/readyz'), 503)
    assert.ok(!JSON.stringify(await answerOf(probes(down), '/readyz')).includes('password'))
    assert.equal(await statusOf(probes(down, true), '/healthz'), 200)
    assert.equal(await statusOf(probes(down, true), '/debug/healthz'), 200)
  })

  test('the document of the API is of all services, of one, or there is none', async () => {
    const page = probes(async () => {}).get('/openapi.json')
    const ask = async (query: string) => {
      const { status, body } =
        (await page?.answer({ query: new URLSearchParams(query) } as PageRequest)) ?? assert.fail()
      return [status, String(body)]
    }
    assert.deepEqual(await ask(''), [200, '{"service":"all"}'])
    assert.deepEqual(await ask('service=a.B'), [200, '{"service":"a.B"}'])
    assert.equal((await ask('service=none'))[0], 404)
  })

  test('many who ask whether it is ready ask the store once', async () => {
    let pings = 0
    const pages = probes(async () => {
      pings++
    })
    const statuses = await Promise.all(Array.from({ length: 1000 }, () => statusOf(pages, '/readyz')))
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal(pings, 1)
  })
})

suite('metrics', () => {
  const answered = {
    method: 'a.B/C',
    protocol: 'grpc',
    code: 0,
    status: 200,
    durationMs: 3,
    requestId: 'r1',
    callerId: 'u1',
    client: '192.0.2.1',
  }
  const anonymous = { ...answered, callerId: undefined }
  const seriesOf = (text: string, name: string) => text.match(new RegExp(`^${name}(?:\\{.*)? \\d+$`, 'gm')) ?? []

  test('requests are counted and timed by method, protocol and code', async () => {
    const registry = new Registry()
    const record = openAccessLog(registry, () => {})
    record(answered)
    record({ ...answered, durationMs: 20_000 })
    record({ ...answered, protocol: 'rest', code: 16 })
    const text = formatMetrics(await registry.snapshot())
    assert.match(text, /^# TYPE signet_requests_total counter$/m)
    assert.match(text, /^signet_requests_total\{method="a\.B\/C",protocol="grpc",code="0"\} 2$/m)
    assert.match(text, /_bucket\{method="a\.B\/C",protocol="grpc",code="0",le="0\.0025"\} 0$/m)
    assert.match(text, /_bucket\{method="a\.B\/C",protocol="grpc",code="0",le="0\.005"\} 1$/m)
    assert.match(text, /_bucket\{method="a\.B\/C",protocol="grpc",code="0",le="\+Inf"\} 2$/m)
    assert.match(text, /_count\{method="a\.B\/C",protocol="grpc",code="0"\} 2$/m)
    assert.match(text, /code="16"\} 1$/m)
  })

  test('who is not let in makes no series: refused calls, preflights and unknown paths are one', async () => {
    const registry = new Registry()
    const record = openAccessLog(registry, () => {})
    for (let count = 0; count < 100; count++) {
      record({ ...anonymous, method: `a.B/C${count}`, code: 16 })
      record({ ...anonymous, method: `a.B/C${count}` })
      record({ ...anonymous, method: '', protocol: 'rest', code: 5 })
    }
    assert.deepEqual(seriesOf(formatMetrics(await registry.snapshot()), 'signet_requests_total'), [
      'signet_requests_total{method="other",protocol="grpc",code="16"} 100',
      'signet_requests_total{method="other",protocol="grpc",code="0"} 100',
      'signet_requests_total{method="other",protocol="rest",code="5"} 100',
    ])
  })

  test('pages and methods without a token are counted by name, and timed when they succeed', async () => {
    const registry = new Registry()
    const record = openAccessLog(registry, () => {})
    record({ ...anonymous, method: '/ui/login', protocol: 'page', code: 3 })
    record({ ...anonymous, parts: { authorizeMs: 1 } })
    const text = formatMetrics(await registry.snapshot())
    assert.deepEqual(seriesOf(text, 'signet_requests_total'), [
      'signet_requests_total{method="/ui/login",protocol="page",code="3"} 1',
      'signet_requests_total{method="a.B/C",protocol="grpc",code="0"} 1',
    ])
    assert.deepEqual(seriesOf(text, 'signet_request_duration_seconds_count'), [
      'signet_request_duration_seconds_count{method="other",protocol="page",code="3"} 1',
      'signet_request_duration_seconds_count{method="a.B/C",protocol="grpc",code="0"} 1',
    ])
  })

  test('a metric has no more series than its limit: further ones lose their first label, then all of them', async () => {
    const registry = new Registry()
    const counter = registry.counter('c', 'h', ['method', 'code'])
    const histogram = registry.histogram('s', 'h', ['method', 'code'], [1])
    for (let count = 0; count < 10_000; count++) {
      const labels = [`m${count}`, String(count % 1000)]
      counter.add(labels)
      histogram.observe(labels, 2)
    }
    const families = await registry.snapshot()
    for (const snapshot of [families, mergeSnapshots([families, families])]) {
      const text = formatMetrics(snapshot)
      const processes = snapshot === families ? 1 : 2
      for (const [name, most, firstCode] of [
        ['c', 1601, 500],
        ['s_count', 401, 300],
      ] as const) {
        const lines = seriesOf(text, name)
        assert.equal(lines.length, most)
        assert.ok(lines.some((line) => line.startsWith(`${name}{method="other",code="other"} `)))
        assert.ok(lines.some((line) => line.startsWith(`${name}{method="other",code="${firstCode}"} `)))
        const total = lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
        assert.equal(total, 10_000 * processes)
      }
    }
  })

  test('processes with different series have no more of them together', () => {
    const family = { help: 'h', name: 'c', type: 'counter', merge: 'sum', labels: ['method'] } as const
    const snapshots = Array.from({ length: 8 }, (_, process) => [
      { ...family, samples: Array.from({ length: 1000 }, (_, count) => [`${process}-${count}`, 1] as const) },
    ])
    assert.equal(mergeSnapshots(snapshots)[0]?.samples.length, 1501)
  })

  test('a label cannot forge a line', async () => {
    const registry = new Registry()
    registry.counter('c', 'h', ['l']).add(['x"} 1\nevil 1\\'])
    assert.equal(
      formatMetrics(await registry.snapshot()),
      '# HELP c h\n# TYPE c counter\nc{l="x\\"} 1\\nevil 1\\\\"} 1\n',
    )
  })

  test('a gauge that fails is left out, the others stay', async () => {
    const registry = new Registry()
    registry.gauge('bad', 'h', async () => {
      throw new Error('down')
    })
    registry.gauge('good', 'h', () => 7)
    const text = formatMetrics(await registry.snapshot())
    assert.ok(!text.includes('bad'))
    assert.match(text, /^good 7$/m)
  })

  test('a metric with a label has a line for each of its numbers, and is left out when it fails', async () => {
    const registry = new Registry()
    const shape = { type: 'gauge', merge: 'max', label: 'state' } as const
    registry.add({ ...shape, name: 'mails', help: 'h', read: async () => ({ waiting: 2, parked: 0 }) })
    registry.add({ ...shape, name: 'bad', help: 'h', read: () => Promise.reject(new Error('down')) })
    assert.equal(
      formatMetrics(await registry.snapshot()),
      '# HELP mails h\n# TYPE mails gauge\nmails{state="waiting"} 2\nmails{state="parked"} 0\n',
    )
  })

  test('processes are merged by sum, delays by the largest', async () => {
    const family = { help: 'h', type: 'gauge' } as const
    const one = [
      { ...family, name: 'count', merge: 'sum', samples: [['', 2]] },
      { ...family, name: 'lag', merge: 'max', samples: [['', 2]] },
    ] as const
    assert.deepEqual(
      mergeSnapshots([one, one]).map(({ name, samples }) => [name, samples]),
      [
        ['count', [['', 4]]],
        ['lag', [['', 2]]],
      ],
    )
  })

  test('the process tells its memory and its delay', async () => {
    const registry = new Registry()
    addProcessMetrics(registry)
    const text = formatMetrics(await registry.snapshot())
    assert.match(text, /^process_resident_memory_bytes \d{6,}$/m)
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
  })
})

suite('access log', () => {
  test('a line has who, what and how long, and nothing else', () => {
    const lines: unknown[] = []
    const record = openAccessLog(new Registry(), (members, message) => lines.push([members, message]))
    record({
      method: 'a.B/C',
      protocol: 'rest',
      code: 5,
      status: 404,
      durationMs: 1.23456,
      requestId: 'r1',
      callerId: 'u1',
      client: '192.0.2.1',
    })
    assert.deepEqual(lines, [
      [
        {
          method: 'a.B/C',
          protocol: 'rest',
          code: 5,
          status: 404,
          durationMs: 1.235,
          requestId: 'r1',
          callerId: 'u1',
          client: '192.0.2.1',
        },
        'request',
      ],
    ])
  })

  test('a slow request is reported with its parts, a stream is not, and a refusal says why to the debug log', () => {
    const lines: unknown[] = []
    const keep = (level: string) => (members: object, message: string) => lines.push([level, message, members])
    const options = { slowMs: 1000, warn: keep('warn'), debug: keep('debug') }
    const record = openAccessLog(new Registry(), () => {}, options)
    const request = { method: 'a.B/C', protocol: 'grpc', code: 0, status: 200, requestId: 'r1', client: '192.0.2.1' }
    const parts = { authorizeMs: 1, readMs: 2, handleMs: 1500.00049 }
    record({ ...request, durationMs: 999, parts })
    record({ ...request, durationMs: 2000, parts, isStream: true })
    record({ ...request, durationMs: 1503, parts, traceId: 't1' })
    record({ ...request, durationMs: 1, code: 7, errorId: 'access.forbidden', reason: 'user.read is missing on 1' })
    const { client: _, status: __, ...shown } = request
    const refusal = { method: 'a.B/C', errorId: 'access.forbidden', reason: 'user.read is missing on 1' }
    assert.deepEqual(lines, [
      ['warn', 'slow request', { ...shown, durationMs: 1503, ...parts, handleMs: 1500, traceId: 't1' }],
      ['debug', 'refused', { ...refusal, callerId: undefined, requestId: 'r1' }],
    ])
  })
})
