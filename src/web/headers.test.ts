/** The lock on every page: headers, where forms may come from, and who may look into the development inbox. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MAIL, openHostedPages, RIGHT_CODE } from '../../test/support/hosted-pages.ts'
import { TOKENS } from '../../test/support/paper-account.ts'

const CSP = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
const right = { userId: 'u1', code: RIGHT_CODE }

suite('every hosted page', () => {
  test('carries the same safe headers, whatever its status', async (t) => {
    for (const [url, transport] of [
      ['http://localhost:8080', undefined],
      ['https://id.example.com', 'max-age=31536000'],
    ] as const) {
      const house = await openHostedPages({}, url)
      t.after(() => house.close())
      const paths = [...house.pages.keys()]
      assert.ok(paths.length >= 9)
      const cases = [
        ...paths.map((path) => [path, {}] as const),
        [`/verify-email?userId=u1&code=${RIGHT_CODE}`, {}],
        ['/inbox?mail=none', {}],
        ['/', { method: 'DELETE' }],
        ['/verify-email', { method: 'PUT', form: right }],
        ['/verify-email', { form: right }],
        ['/verify-email', { form: { userId: 'u1', code: 'WRONG7' } }],
        ['/verify-email', { form: { userId: 'u1', code: 'BROKEN' } }],
        ['/verify-email', { form: right, headers: { 'sec-fetch-site': 'cross-site' } }],
        ['/verify-email', { form: '{}', headers: { 'content-type': 'text/plain' } }],
        ...Object.values(TOKENS).flatMap((token) => {
          const headers = { cookie: `signet_session=${token}; __Host-signet_session=${token}`, host: 'localhost' }
          return paths.filter((path) => path.startsWith('/ui/')).map((path) => [path, { headers }] as const)
        }),
        ['/ui/login', { form: { userName: 'ada', password: 'wrong' } }],
        ['/ui/login', { form: { userName: 'ada', password: 'too often' } }],
        ['/ui/login', { form: { userName: 'ada', password: 'broken' } }],
      ] as const
      const statuses = new Set<number>()
      for (const [version, ask] of house.askers) {
        for (const [path, question] of cases) {
          const answer = await ask(path, question)
          const where = `${version} ${path} ${JSON.stringify(question)} ${answer.status}`
          statuses.add(answer.status)
          const isAsset = path.startsWith('/assets/')
          assert.equal(answer.header('content-security-policy'), CSP, where)
          assert.equal(answer.header('x-content-type-options'), 'nosniff', where)
          assert.equal(answer.header('referrer-policy'), 'no-referrer', where)
          assert.equal(answer.header('cross-origin-opener-policy'), 'same-origin', where)
          assert.equal(answer.header('strict-transport-security'), transport, where)
          assert.equal(answer.header('access-control-allow-origin'), undefined, where)
          assert.equal(answer.header('set-cookie'), undefined, where)
          assert.match(answer.header('cache-control') ?? '', isAsset ? /immutable/ : /^no-store$/, where)
          if (isAsset || answer.status === 303) continue
          assert.match(answer.text, /^<!doctype html><html lang="en">/, where)
          assert.doesNotMatch(answer.text, /\sstyle=|<style|\son\w+=|secret of the house/, where)
          assert.doesNotMatch(
            answer.text,
            /<script(?! type="module" src="\/assets\/signet-[0-9a-f]{16}\.js"><\/script>)/,
            where,
          )
          // One page leads elsewhere: where the organization wants people to go after signing in.
          const ours = answer.text.replaceAll('href="https://app.example.com/start?a=1"', '')
          assert.doesNotMatch(ours, /(href|src|action)="(?!\/(?!\/)|#)/, where)
        }
      }
      assert.deepEqual([...statuses].sort(), [200, 303, 400, 403, 404, 405, 415, 422, 429, 500])
      assert.equal(house.faults.length, 4)
    }
  })

  test('is in the log with its path and never with what stands behind it', async (t) => {
    const house = await openHostedPages()
    t.after(() => house.close())
    for (const [, ask] of house.askers) {
      const page = await ask(`/verify-email?userId=u1&code=${RIGHT_CODE}`)
      const last = house.finished.at(-1)
      assert.deepEqual([last?.method, last?.protocol, last?.code, last?.status], ['/verify-email', 'page', 0, 200])
      assert.equal(last?.requestId, page.header('x-request-id'))
      await ask('/inbox?mail=none')
      assert.equal(house.finished.at(-1)?.code, 5)
    }
    assert.doesNotMatch(JSON.stringify(house.finished), new RegExp(`${RIGHT_CODE}|u1`))
  })

  test('says which methods it takes', async (t) => {
    const house = await openHostedPages()
    t.after(() => house.close())
    for (const [, ask] of house.askers) {
      assert.equal((await ask('/', { method: 'POST', form: {} })).header('allow'), 'GET, HEAD')
      assert.equal((await ask('/setup', { method: 'PATCH' })).header('allow'), 'GET, HEAD, POST')
    }
  })
})

suite('a form from another site', () => {
  test('changes nothing; one from our own page does', async (t) => {
    const house = await openHostedPages()
    t.after(() => house.close())
    const own = new URL(house.origin).host
    for (const [version, ask] of house.askers) {
      const tries: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
        [403, { 'sec-fetch-site': 'cross-site', origin: house.origin }],
        [403, { 'sec-fetch-site': 'same-site' }],
        [403, { origin: 'https://evil.example' }],
        [403, { origin: `http://${own}.evil.example` }],
        [403, { origin: 'null' }],
        [403, { origin: 'nonsense' }],
        [200, { 'sec-fetch-site': 'same-origin', origin: 'null' }],
        [200, { origin: house.origin }],
        [200, { origin: 'http://localhost:8080' }],
        [200, {}],
      ]
      for (const [status, headers] of tries) {
        const count = house.deeds.length
        const answer = await ask('/verify-email', { form: right, headers })
        assert.equal(answer.status, status, `${version} ${JSON.stringify(headers)}`)
        assert.equal(house.deeds.length - count, status === 200 ? 1 : 0)
      }
    }
  })

  test('cannot be told by a browser on plain http of another machine, where our own forms hide their origin too', async (t) => {
    const house = await openHostedPages({}, 'http://192.0.2.7:8080')
    t.after(() => house.close())
    const headers = { host: '192.0.2.7:8080', origin: 'null' }
    const [, [, ask]] = house.askers
    assert.equal((await ask('/verify-email', { form: right, headers })).status, 200)
  })
})

suite('the development inbox', () => {
  test('shows its mails, each locked up in a frame of its own', async (t) => {
    const house = await openHostedPages()
    t.after(() => house.close())
    for (const [, ask] of house.askers) {
      const list = await ask('/inbox')
      assert.match(list.text, /href="\/inbox\?mail=mail-1"><strong>Hello &lt;Ada><\/strong>/)
      const mail = await ask('/inbox?mail=mail-1')
      assert.match(mail.text, /<iframe[^>]*src="\/inbox\?mail=mail-1&amp;part=html"[^>]*sandbox="[^"]*"/)
      assert.doesNotMatch(mail.text, /allow-scripts|allow-same-origin/)
      assert.match(mail.text, /<pre class="text">Your code is &lt;b>ABC/)
      const body = await ask('/inbox?mail=mail-1&part=html')
      assert.match(body.text, /<head><base target="_top">/)
      assert.match(
        body.header('content-security-policy') ?? '',
        /^default-src 'none'; .*frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation$/,
      )
      assert.equal((await ask('/inbox?mail=other')).status, 404)
      assert.match((await ask('/')).text, /href="\/inbox"/)
    }
  })

  test('shows a mail without HTML as text', async (t) => {
    const inbox = { isOpen: async () => true, list: async () => [], read: async () => ({ ...MAIL, html: '' }) }
    const house = await openHostedPages({ inbox })
    t.after(() => house.close())
    assert.doesNotMatch((await house.ask('/inbox?mail=mail-1')).text, /<iframe/)
    assert.match((await house.ask('/inbox')).text, /No emails yet/)
  })

  test('is there for this machine only, by whichever of its names', async (t) => {
    const house = await openHostedPages()
    t.after(() => house.close())
    const page = house.pages.get('/inbox')
    assert.ok(typeof page === 'object')
    const statusFor = async (peer: string, host = 'localhost:8080') => {
      const request = { method: 'GET', path: '/inbox', query: new URLSearchParams(), peer }
      const header = (name: string) => (name === 'host' ? host : undefined)
      return (await page.answer({ ...request, header, readForm: () => assert.fail() })).status
    }
    for (const peer of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      assert.equal(await statusFor(peer), 200, peer)
    for (const peer of ['192.168.1.2', '::ffff:10.0.0.1', '2001:db8::1', '127.evil', '']) {
      assert.equal(await statusFor(peer), 404, peer)
    }
    for (const host of ['127.0.0.1', '[::1]:8080', 'app.localhost'])
      assert.equal(await statusFor('::1', host), 200, host)
  })

  test('is not there for a proxy, for a foreign name, for a server of the world, and when mail can be sent', async (t) => {
    const house = await openHostedPages()
    t.after(() => house.close())
    const [, [, ask2]] = house.askers
    const gone = async (headers: Readonly<Record<string, string>>) => {
      assert.equal((await ask2('/inbox', { headers })).status, 404, JSON.stringify(headers))
      assert.equal((await ask2('/inbox?mail=mail-1&part=html', { headers })).status, 404)
      assert.doesNotMatch((await ask2('/', { headers })).text, /href="\/inbox"/)
    }
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host'])
      await gone({ [name]: 'x' })
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.1:80']) await gone({ host })
    const elsewhere = await openHostedPages({}, 'https://id.example.com')
    t.after(() => elsewhere.close())
    assert.equal((await elsewhere.ask('/inbox')).status, 404)
    const inbox = { isOpen: async () => false, list: async () => [MAIL], read: async () => MAIL }
    const closed = await openHostedPages({ inbox })
    t.after(() => closed.close())
    assert.equal((await closed.ask('/inbox?mail=mail-1')).status, 404)
  })
})
