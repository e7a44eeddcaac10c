/** What protects every page: headers, where forms may come from, and who may look into the development inbox. */
import assert from 'node:assert/strict'
import { after, before, suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import {
  APPLICATION,
  type HostedPages,
  openHostedPages,
  type ServedPages,
  signInToEachStep,
} from '../../test/support/hosted-pages.ts'
import { type Ask, leadsTo, type Question, says } from '../../test/support/page-client.ts'
import { INBOX_KEY } from '../../test/support/world.ts'
import { inboxMails } from '../features/mail/index.ts'
import { textsIn } from './language.ts'

const en = textsIn('en')

const CSP = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
const SECRET = 'the secret of the server'

let world: HostedPages
before(async () => {
  world = await openHostedPages()
})
after(() => world.close())

/** A new code for an e-mail address, which counts once. */
async function newCode() {
  const { userId, emailCode: code } = await world.addUser({ isVerified: false })
  return { userId, code }
}

type Case = readonly [path: string, question: Question, served?: ServedPages]

suite('every hosted page', () => {
  test('carries the same safe headers, whatever its status', async () => {
    const tokens = await signInToEachStep(world)
    const { loginName: userName } = await world.addUser()
    const wrong = { userName, password: 'wrong' }
    for (const [url, transport] of [
      ['http://localhost:8080', undefined],
      ['https://id.example.com', 'max-age=31536000'],
    ] as const) {
      const pages = await world.serve({ externalUrl: url })
      const broken = await world.serveFailing(new Error(SECRET), 'write', { externalUrl: url })
      const [, send] = pages.clients[0] ?? assert.fail()
      for (let tries = 0; tries < 4; tries++) await send('/ui/login', { form: wrong })
      const paths = [...pages.pages.keys()].filter((path) => !path.endsWith('/*'))
      assert.ok(paths.length >= 9)
      const right = await newCode()
      const casesFor = async (): Promise<readonly Case[]> => [
        ...paths.map((path) => [path, {}] as const),
        [`/verify-email?${new URLSearchParams(right)}`, {}],
        ['/inbox?mail=none', { headers: UNLOCKED }],
        ['/', { method: 'DELETE' }],
        ['/verify-email', { method: 'PUT', form: right }],
        ['/verify-email', { form: await newCode() }],
        ['/verify-email', { form: { ...right, code: 'WRONG7' } }],
        ['/verify-email', { form: right }, broken],
        ['/verify-email', { form: right, headers: { 'sec-fetch-site': 'cross-site' } }],
        ['/verify-email', { form: '{}', headers: { 'content-type': 'text/plain' } }],
        ...Object.values(tokens).flatMap((token) => {
          const headers = { cookie: `signet_session=${token}; __Host-signet_session=${token}`, host: 'localhost' }
          return paths.filter((path) => path.startsWith('/ui/')).map((path) => [path, { headers }] as const)
        }),
        // The fifth wrong password in a row is compared, the sixth is not.
        ['/ui/login', { form: wrong }],
        ['/ui/login', { form: { userName: 'unknown', password: 'wrong' } }],
        ['/ui/login', { form: wrong }, broken],
      ]
      const statuses = new Set<number>()
      for (const index of [0, 1]) {
        for (const [path, question, served = pages] of await casesFor()) {
          const [version, ask] = served.clients[index] ?? assert.fail()
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
          assert.doesNotMatch(answer.text, /\sstyle=|<style|\son\w+=/, where)
          assert.ok(!answer.text.includes(SECRET), where)
          assert.doesNotMatch(
            answer.text,
            /<script(?! type="module" src="\/assets\/signet-[0-9a-f]{16}\.js"><\/script>)/,
            where,
          )
          // One page leads elsewhere: where the organization wants people to go after signing in.
          const ours = answer.text.replaceAll(`href="${APPLICATION}"`, '')
          assert.doesNotMatch(ours, /(href|src|action)="(?!\/(?!\/)|#)/, where)
        }
      }
      assert.deepEqual([...statuses].sort(), [200, 303, 400, 403, 404, 405, 415, 422, 429, 500])
      assert.deepEqual([pages.faults.length, broken.faults.length], [0, 4])
    }
  })

  test('is in the log with its path and never with what stands behind it', async () => {
    const { userId, code } = await newCode()
    for (const [, ask] of world.clients) {
      const page = await ask(`/verify-email?userId=${userId}&code=${code}`)
      const last = world.finished.at(-1)
      assert.deepEqual([last?.method, last?.protocol, last?.code, last?.status], ['/verify-email', 'page', 0, 200])
      assert.equal(last?.requestId, page.header('x-request-id'))
      await ask('/inbox?mail=none', { headers: UNLOCKED })
      assert.equal(world.finished.at(-1)?.code, 5)
    }
    assert.doesNotMatch(JSON.stringify(world.finished), new RegExp(`${code}|${userId}`))
  })

  test('says which methods it takes', async () => {
    for (const [, ask] of world.clients) {
      assert.equal((await ask('/', { method: 'POST', form: {} })).header('allow'), 'GET, HEAD')
      assert.equal((await ask('/setup', { method: 'PATCH' })).header('allow'), 'GET, HEAD, POST')
    }
  })
})

suite('a page inside a page of another site', () => {
  test('is shown only by the origins that the security settings allow', async () => {
    const { setSecuritySettings } = SettingsService.method
    const policyFor = async (embeddedIframe: { enabled?: boolean; allowedOrigins?: string[] }) => {
      await world.call(setSecuritySettings, { embeddedIframe }, world.owner)
      const policies = new Set<string | undefined>()
      for (const [, ask] of world.clients) {
        for (const path of ['/', '/ui/login', '/verify-email?userId=x&code=y']) {
          policies.add((await ask(path)).header('content-security-policy'))
        }
      }
      return [...policies]
    }
    const allowedOrigins = ['https://app.example.com', '*.example.org:8443']
    assert.deepEqual(await policyFor({ enabled: true, allowedOrigins }), [
      CSP.replace("'none'; form", "'self' https://app.example.com *.example.org:8443; form"),
    ])
    assert.deepEqual(await policyFor({ enabled: true }), [CSP])
    assert.deepEqual(await policyFor({ allowedOrigins }), [CSP])
    assert.deepEqual(await policyFor({}), [CSP])
  })
})

suite('a form from another site', () => {
  test('changes nothing; one from our own page does', async () => {
    const own = new URL(world.url).host
    for (const [version, ask] of world.clients) {
      const tries: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
        [403, { 'sec-fetch-site': 'cross-site', origin: world.url }],
        [403, { 'sec-fetch-site': 'same-site' }],
        [403, { origin: 'https://evil.example' }],
        [403, { origin: `http://${own}.evil.example` }],
        [403, { origin: 'null' }],
        [403, { origin: 'nonsense' }],
        [200, { 'sec-fetch-site': 'same-origin', origin: 'null' }],
        [200, { origin: world.url }],
        [200, { origin: 'http://localhost:8080' }],
        [200, {}],
      ]
      for (const [status, headers] of tries) {
        const right = await newCode()
        const mark = await world.mark()
        const answer = await ask('/verify-email', { form: right, headers })
        assert.equal(answer.status, status, `${version} ${JSON.stringify(headers)}`)
        assert.equal((await world.eventsSince(mark)).includes('user.email_verified.v1'), status === 200)
        if (status !== 200) assert.deepEqual(await world.eventsSince(mark), [])
      }
    }
  })

  test('cannot be told by a browser on plain http of another machine, where our own forms hide their origin too', async () => {
    const { askHttp2 } = await world.serve({ externalUrl: 'http://192.0.2.7:8080' })
    const headers = { host: '192.0.2.7:8080', origin: 'null' }
    assert.equal((await askHttp2('/verify-email', { form: await newCode(), headers })).status, 200)
  })
})

const MAIL = {
  id: 'mail-1',
  to: 'ada@example.com',
  subject: 'Hello <Ada>',
  text: 'Your code is <b>ABC</b>.',
  html: '<!doctype html><html><head><title>x</title></head><body><p style="color:green">Your code</p></body></html>',
}

/** Puts a mail into the development inbox until the test is over. */
async function putIntoInbox(t: TestContext, { id, to, ...content }: typeof MAIL): Promise<void> {
  const { app, store } = world
  const place = { kind: inboxMails.name, id, member: 'content' }
  await store.write(world.origin(), async (work) => {
    const sealed = await app.vault.seal(work, place, JSON.stringify(content))
    const command = { type: 'deliver', to, of: 'verify_email', content: sealed } as const
    await work.decide(inboxMails, id, command, world.instanceId)
  })
  t.after(() => store.write(world.origin(), (work) => work.decide(inboxMails, id, { type: 'remove' })))
}

/** A browser that has opened the link to the inbox. */
const UNLOCKED = { cookie: `signet_inbox=${INBOX_KEY}` }

suite('the development inbox', () => {
  test('shows its mails, each locked up in a frame of its own', async (t) => {
    await putIntoInbox(t, MAIL)
    for (const [, ask] of world.clients) {
      const askFor: Ask = (path, question = {}) =>
        ask(path, { ...question, headers: { ...UNLOCKED, ...question.headers } })
      const list = await askFor('/inbox')
      assert.match(list.text, /href="\/inbox\?mail=mail-1"><strong>Hello &lt;Ada><\/strong>/)
      const mail = await askFor('/inbox?mail=mail-1')
      assert.match(mail.text, /<iframe[^>]*src="\/inbox\?mail=mail-1&amp;part=html"[^>]*sandbox="[^"]*"/)
      assert.doesNotMatch(mail.text, /allow-scripts|allow-same-origin/)
      assert.match(mail.text, /<pre class="text">Your code is &lt;b>ABC/)
      const body = await askFor('/inbox?mail=mail-1&part=html')
      assert.match(body.text, /<head><base target="_top">/)
      assert.match(
        body.header('content-security-policy') ?? '',
        /^default-src 'none'; .*frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation$/,
      )
      assert.equal((await askFor('/inbox?mail=other')).status, 404)
      assert.match((await ask('/')).text, /href="\/inbox"/)
    }
  })

  test('asks for the key of the data folder, once, and keeps it out of the address', async (t) => {
    await putIntoInbox(t, { ...MAIL, id: 'mail-4' })
    for (const [, ask] of world.clients) {
      for (const path of [
        '/inbox',
        '/inbox?mail=mail-4',
        '/inbox?mail=mail-4&part=html',
        '/inbox?key=wrong',
        '/inbox?key=',
      ]) {
        for (const headers of [{}, { cookie: 'signet_inbox=wrong' }, { cookie: 'signet_inbox=' }]) {
          const locked = await ask(path, { headers: headers as Record<string, string> })
          assert.equal(locked.status, 403, path)
          says(locked, en.inbox.locked)
          assert.doesNotMatch(locked.text, /ABC/)
        }
      }
      const opened = await ask(`/inbox?key=${INBOX_KEY}&mail=mail-4&lang=de`)
      leadsTo(opened, '/inbox?mail=mail-4&lang=de')
      const cookie = opened.header('set-cookie') ?? ''
      assert.equal(cookie, `signet_inbox=${INBOX_KEY}; Path=/inbox; HttpOnly; SameSite=Lax`)
      assert.equal((await ask('/inbox?mail=mail-4', { headers: UNLOCKED })).status, 200)
      assert.equal((await ask(`/inbox?key=${INBOX_KEY}`, { headers: { forwarded: 'for=1' } })).status, 404)
    }
    const locked = await world.serve({ config: { ...world.app.config, inboxKeyHash: '' } })
    assert.equal((await locked.ask('/inbox?key=')).status, 403)
  })

  test('shows a mail without HTML as text', async (t) => {
    says(await world.ask('/inbox', { headers: UNLOCKED }), en.inbox.empty)
    await putIntoInbox(t, { ...MAIL, id: 'mail-2', html: '' })
    const mail = await world.ask('/inbox?mail=mail-2', { headers: UNLOCKED })
    assert.match(mail.text, /<pre class="text">Your code is &lt;b>ABC/)
    assert.doesNotMatch(mail.text, /<iframe/)
  })

  test('is there for this machine only, by whichever of its names', async () => {
    const page = world.pages.get('/inbox')
    assert.ok(typeof page === 'object')
    const statusFor = async (peer: string, host = 'localhost:8080') => {
      const { signal } = new AbortController()
      const request = {
        method: 'GET',
        path: '/inbox',
        query: new URLSearchParams(),
        peer,
        client: peer,
        requestId: 'test',
        signal,
      }
      const headers: Readonly<Record<string, string>> = { host, ...UNLOCKED }
      const read = { header: (name: string) => headers[name], headerNames: Object.keys(headers) }
      return (
        await page.answer({
          ...request,
          ...read,
          rawQuery: '',
          readForm: () => assert.fail(),
          readJson: () => assert.fail(),
          readBytes: () => assert.fail(),
          readUpload: () => assert.fail(),
        })
      ).status
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
    await putIntoInbox(t, { ...MAIL, id: 'mail-3' })
    const gone = async ({ askHttp2: ask }: ServedPages, others: Readonly<Record<string, string>> = {}) => {
      const headers = { ...UNLOCKED, ...others }
      assert.equal((await ask('/inbox', { headers })).status, 404, JSON.stringify(headers))
      assert.equal((await ask('/inbox?mail=mail-3&part=html', { headers })).status, 404)
      assert.doesNotMatch((await ask('/', { headers })).text, /href="\/inbox"/)
    }
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host'])
      await gone(world, { [name]: 'x' })
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.1:80']) await gone(world, { host })
    await gone(await world.serve({ externalUrl: 'https://id.example.com' }))
    assert.equal((await world.ask('/inbox?mail=mail-3&part=html', { headers: UNLOCKED })).status, 200)
    const server = { senderAddress: 'a@b.example', senderName: 'A', host: 'mail.example:587' }
    await world.call(AdminService.method.addSMTPConfig, server, world.owner)
    await gone(world)
  })
})
