/** Pages as routes: found by path or prefix, asked with the methods they take, logged and given a request id. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { connect } from 'node:http2'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedRequest } from './exchange.ts'
import { documentPage, MAX_FORM_BYTES, type Page, textAnswer, UnreadableForm } from './page.ts'
import { openPort } from './port/listener.ts'
import type { Fault } from './protocols/errors.ts'
import { openRouter } from './router.ts'

async function serve(context: TestContext, pages: Readonly<Record<string, Page>>) {
  const faults: Fault[] = []
  const finished: FinishedRequest[] = []
  const router = openRouter({
    authorize: () => Promise.reject(new Error('there are no methods')),
    pages: new Map(Object.entries(pages)),
    notFoundPage: () => ({ ...textAnswer(404, 'not here'), headers: { vary: 'accept' } }),
    log: (fault) => faults.push(fault),
    onFinish: (request) => finished.push(request),
  })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
  context.after(() => port.close())
  return { origin: `http://127.0.0.1:${port.address.port}`, faults, finished }
}

/** Asks over HTTP/2: status, headers and body. */
async function ask2(origin: string, headers: Readonly<Record<string, string>>, body = '') {
  const session = connect(origin)
  try {
    const stream = session.request(headers, { endStream: false })
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
    stream.on('response', resolve).on('error', reject)
    stream.end(body)
    const received = await promise
    return { received, text: Buffer.concat(await stream.toArray()).toString() }
  } finally {
    session.close()
  }
}

/** Asks over HTTP/1.1 on the connection of an agent. */
function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    }).on('error', reject)
  })
}

const hello = documentPage(() => textAnswer(200, 'hello'))
const echo: Page = { answer: ({ method, path }) => textAnswer(200, `${method} ${path}`) }
const form: Page = {
  async answer(request) {
    try {
      return textAnswer(200, (await request.readForm()).get('name') ?? '')
    } catch (error) {
      if (error instanceof UnreadableForm) return textAnswer(error.status, 'unreadable')
      throw error
    }
  },
}

suite('pages', () => {
  test('a document is served on both protocols, for GET and HEAD only; other methods are refused in the shape of the contract', async (t) => {
    const { origin } = await serve(t, { '/page': hello })
    assert.equal(await (await fetch(`${origin}/page?x=1`)).text(), 'hello\n')
    const head = await fetch(`${origin}/page`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '6', ''])
    const head2 = await ask2(origin, { ':method': 'HEAD', ':path': '/page' })
    assert.deepEqual([head2.received[':status'], head2.received['content-length'], head2.text], [200, '6', ''])
    const refusal = await fetch(`${origin}/page`, { method: 'POST', body: 'x' })
    assert.equal(refusal.status, 405)
    assert.equal(refusal.headers.get('allow'), 'GET, HEAD')
    assert.equal(refusal.headers.get('content-type'), 'application/json')
    const problem = (await refusal.json()) as { code: number; details: { id: string }[] }
    assert.deepEqual([problem.code, problem.details[0]?.id], [12, 'route.method_not_allowed'])
    const refusal2 = await ask2(origin, { ':method': 'POST', ':path': '/page' }, 'x')
    assert.deepEqual(JSON.parse(refusal2.text), problem)
  })

  test('a path that ends with a star stands for all below it, an exact one goes before, the longest wins', async (t) => {
    const { origin, finished } = await serve(t, {
      '/ui/*': echo,
      '/ui/console/*': hello,
      '/ui/console/exact': echo,
    })
    for (const [path, text] of [
      ['/ui/', 'GET /ui/\n'],
      ['/ui/a/b', 'GET /ui/a/b\n'],
      ['/ui/console/', 'hello\n'],
      ['/ui/console/a.js?v=1', 'hello\n'],
      ['/ui/console/exact', 'GET /ui/console/exact\n'],
    ] as const) {
      assert.equal(await (await fetch(origin + path)).text(), text, path)
    }
    assert.equal((await fetch(`${origin}/ui`)).status, 404)
    assert.equal((await fetch(`${origin}/uia`)).status, 404)
    const posted = await fetch(`${origin}/ui/x`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
      body: '{}',
    })
    assert.equal(await posted.text(), 'POST /ui/x\n')
    const names = finished.filter(({ protocol }) => protocol === 'page').map(({ method }) => method)
    assert.deepEqual([...new Set(names)], ['/ui/*', '/ui/console/*', '/ui/console/exact'])
  })

  test('is logged with its path, and answered with a request id: its own, or that of the caller', async (t) => {
    const { origin, finished } = await serve(t, { '/page': hello, '/gone': { answer: () => textAnswer(503, 'gone') } })
    const answer = await fetch(`${origin}/page?secret=1`, { headers: { 'x-request-id': 'given-by-caller' } })
    assert.equal(answer.headers.get('x-request-id'), 'given-by-caller')
    assert.equal((await fetch(`${origin}/gone`)).headers.get('x-request-id')?.length, finished[1]?.requestId.length)
    await ask2(origin, { ':path': '/page' })
    const lines = finished.map(({ method, protocol, code, status }) => [method, protocol, code, status])
    assert.deepEqual(lines, [
      ['/page', 'page', 0, 200],
      ['/gone', 'page', 14, 503],
      ['/page', 'page', 0, 200],
    ])
    assert.equal(finished[0]?.requestId, 'given-by-caller')
  })

  test('has the usual headers unless it brings its own, and opens itself to no other origin', async (t) => {
    const kept: Page = { answer: () => ({ ...textAnswer(200, 'kept'), headers: { 'cache-control': 'max-age=9' } }) }
    const { origin } = await serve(t, { '/page': hello, '/kept': kept })
    for (const [path, cache] of [
      ['/page', 'no-store'],
      ['/kept', 'max-age=9'],
    ]) {
      const { headers } = await fetch(origin + path, { headers: { origin: 'https://other.example' } })
      assert.equal(headers.get('cache-control'), cache)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
  })

  test('that were asked for together continue together, so that one check of the cache serves all of them', async (t) => {
    let turn = {}
    const turns = new Set<object>()
    const page: Page = {
      answer() {
        const current = turn
        turns.add(current)
        // As the store does: what it has checked is valid until the callbacks of this turn have ended.
        process.nextTick(() => {
          if (turn === current) turn = {}
        })
        return textAnswer(200, 'ok')
      },
    }
    const { origin } = await serve(t, { '/page': page })
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    t.after(() => {
      for (const agent of agents) agent.destroy()
    })
    const askAll = () => Promise.all(agents.map((agent) => statusOf(`${origin}/page`, agent)))
    await askAll()
    turns.clear()
    assert.deepEqual(new Set(await askAll()), new Set([200]))
    assert.ok(turns.size <= 2, `${turns.size} checks for 8 requests`)
  })

  test('that throws is answered with 500 and logged with its request id', async (t) => {
    const broken = documentPage(() => Promise.reject(new Error('secret of the server')))
    const { origin, faults } = await serve(t, { '/broken': broken })
    const answer = await fetch(`${origin}/broken`)
    assert.deepEqual([answer.status, await answer.text()], [500, 'internal error\n'])
    assert.equal(faults[0]?.requestId, answer.headers.get('x-request-id'))
    assert.equal(faults[0]?.method, '/broken')
    assert.equal(faults.length, 1)
  })

  test('reads a form of at most 16 KiB, and nothing else', async (t) => {
    const { origin } = await serve(t, { '/form': form })
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const statuses = async (headers: Readonly<Record<string, string>>, body: string) => {
      const first = await fetch(`${origin}/form`, { method: 'POST', headers, body })
      const { received, text } = await ask2(origin, { ':method': 'POST', ':path': '/form', ...headers }, body)
      return [first.status, await first.text(), received[':status'], text]
    }
    assert.deepEqual(await statuses(type, 'name=Zo%C3%AB'), [200, 'Zoë\n', 200, 'Zoë\n'])
    const unreadable = (status: number) => [status, 'unreadable\n', status, 'unreadable\n']
    assert.deepEqual(await statuses(type, `name=${'x'.repeat(MAX_FORM_BYTES)}`), unreadable(413))
    assert.deepEqual(await statuses({ 'content-type': 'text/plain' }, 'name=x'), unreadable(415))
  })

  test('reads a form that arrived long ago, with or without a body', async (t) => {
    const late: Page = {
      async answer(request) {
        // Pause: the form is to arrive before it is read.
        await sleep(30)
        return form.answer(request)
      },
    }
    const { origin } = await serve(t, { '/form': late })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const [body, text] of [
      ['name=Ann', 'Ann\n'],
      ['', '\n'],
    ] as const) {
      assert.equal(await (await fetch(`${origin}/form`, { method: 'POST', headers, body })).text(), text)
      assert.equal((await ask2(origin, { ':method': 'POST', ':path': '/form', ...headers }, body)).text, text)
    }
    // The headers end the stream.
    const session = connect(origin)
    t.after(() => session.close())
    const stream = session.request({ ':method': 'POST', ':path': '/form', ...headers }, { endStream: true })
    assert.equal(Buffer.concat(await stream.toArray()).toString(), '\n')
  })

  test('where there is nothing, browsers get the page for that and programs the error of the contract', async (t) => {
    const { origin, finished } = await serve(t, {})
    const page = await fetch(`${origin}/nothing`, { headers: { accept: 'text/html,*/*' } })
    assert.deepEqual([page.status, await page.text(), page.headers.get('vary')], [404, 'not here\n', 'accept'])
    const problem = (await (await fetch(`${origin}/nothing`)).json()) as { code: number }
    assert.equal(problem.code, 5)
    assert.deepEqual(
      finished.map(({ method, code }) => [method, code]),
      [
        ['', 5],
        ['', 5],
      ],
    )
  })
})
