/** The real conversation with a real mail server. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { selfSigned } from '../../../test/faults/hostile-support.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { headerOf } from '../../../test/support/parts/mails.ts'
import { type SmtpOptions, startRaw, startSmtp } from '../../../test/support/smtp.ts'
import { instant } from '../../kernel/instant.ts'
import type { MailTransportOptions } from '../../module/app.ts'
import { MailDelayed, MailRejected } from './delivery-failure.ts'
import { type MailServer, type OutgoingMail, openTransport } from './transport.ts'

const mail: OutgoingMail = {
  id: '019a0000-0000-7000-8000-000000000001',
  from: { name: 'The Sender', address: 'mail@signet.example' },
  replyTo: '',
  to: { name: 'Mini Mouse', address: 'mini@mouse.example' },
  subject: 'Hello',
  text: 'Text\n',
  html: '<p>Page</p>',
  date: instant(1_800_000_000_000),
  secrets: [],
}

const plain: MailServer = { hostname: '127.0.0.1', port: 0, tls: false, login: undefined }
const never = new AbortController().signal
// The test server waits before it greets, and the machine may be busy: only tests about waiting are impatient.
const patient = { greetingMilliseconds: 20_000, silenceMilliseconds: 20_000, graceMilliseconds: 50 }
const impatient = { greetingMilliseconds: 300, silenceMilliseconds: 300 }

async function open(t: TestContext, options: SmtpOptions = {}) {
  const server = await startSmtp(options)
  afterwards(t, () => server.close())
  return server
}

async function failureOf(promise: Promise<void>): Promise<MailRejected | MailDelayed> {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof MailRejected || error instanceof MailDelayed, String(error))
    return error
  }
  return assert.fail('the mail left')
}

function sendTo(server: Partial<MailServer>, options: MailTransportOptions = {}, other: Partial<OutgoingMail> = {}) {
  return openTransport({ ...patient, ...options })({ ...plain, ...server }, { ...mail, ...other }, never)
}

async function assertDelayed(promise: Promise<void>, trouble: 'server' | 'mail', says?: RegExp): Promise<void> {
  const failure = await failureOf(promise)
  assert.ok(failure instanceof MailDelayed, failure.message)
  assert.equal(failure.trouble, trouble, failure.message)
  if (says !== undefined) assert.match(failure.message, says)
}

const { key, cert } = selfSigned()
const tls = { key: String(key), cert: String(cert) }
const trusting = { trusted: tls.cert }

suite('sending a mail', () => {
  test('plain, to a server that asks for no name', async (t) => {
    const server = await open(t)
    await sendTo({ port: server.port })
    const [received] = server.mails
    assert.equal(server.mails.length, 1)
    assert.equal(received?.from, 'mail@signet.example')
    assert.deepEqual(received?.to, ['mini@mouse.example'])
    assert.equal(received?.isEncrypted, false)
    const headers = received?.headers ?? []
    assert.equal(headerOf(headers, 'message-id'), `<${mail.id}@signet.example>`)
    assert.equal(headerOf(headers, 'from'), 'The Sender <mail@signet.example>')
    assert.equal(headerOf(headers, 'to'), 'Mini Mouse <mini@mouse.example>')
    assert.equal(headerOf(headers, 'subject'), 'Hello')
    assert.equal(headerOf(headers, 'auto-submitted'), 'auto-generated')
    assert.deepEqual(headers.map(([name]) => name).sort(), [
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
  })

  test('with name and password', async (t) => {
    const login = { user: 'mailer', password: 'correct horse' }
    const server = await open(t, { login })
    await sendTo({ port: server.port, login })
    assert.equal(server.mails[0]?.user, 'mailer')
  })

  test('a wrong password is the trouble of the server, and no answer repeats it', async (t) => {
    const server = await open(t, { login: { user: 'mailer', password: 'right' } })
    const login = { user: 'mailer', password: 'canary-password' }
    const failure = await failureOf(sendTo({ port: server.port, login }))
    assert.match(failure.message, /535/)
    assert.doesNotMatch(failure.message, /canary/)
    assert.ok(failure instanceof MailDelayed && failure.trouble === 'server')
  })

  test('with STARTTLS', async (t) => {
    const server = await open(t, { tls: 'starttls', ...tls })
    await sendTo({ hostname: 'localhost', port: server.port, tls: true }, trusting)
    assert.equal(server.mails[0]?.isEncrypted, true)
  })

  test('with TLS from the first byte', async (t) => {
    const server = await open(t, { tls: 'implicit', ...tls })
    const options = { ...trusting, implicitTlsPort: server.port }
    await sendTo({ hostname: 'localhost', port: server.port, tls: true }, options)
    assert.equal(server.mails[0]?.isEncrypted, true)
  })

  test('a server stripped of STARTTLS gets neither password nor mail', async (t) => {
    const login = { user: 'mailer', password: 'right' }
    const server = await open(t, { login })
    await assertDelayed(sendTo({ port: server.port, tls: true, login }), 'server')
    assert.deepEqual(server.mails, [])
  })

  test('a certificate of an unknown issuer, or of another name, is not trusted', async (t) => {
    const starttls = await open(t, { tls: 'starttls', ...tls })
    const implicit = await open(t, { tls: 'implicit', ...tls })
    await assertDelayed(sendTo({ hostname: 'localhost', port: starttls.port, tls: true }), 'server')
    const options = { implicitTlsPort: implicit.port }
    await assertDelayed(sendTo({ hostname: 'localhost', port: implicit.port, tls: true }, options), 'server')
    await assertDelayed(sendTo({ port: starttls.port, tls: true }, trusting), 'server')
    assert.deepEqual([...starttls.mails, ...implicit.mails], [])
  })

  test('without TLS, STARTTLS is not even tried', async (t) => {
    const server = await open(t, { tls: 'starttls', ...tls })
    await sendTo({ port: server.port })
    assert.equal(server.mails[0]?.isEncrypted, false)
  })

  test('a 5xx to sender, recipient or mail is a permanent no, with what the server said', async (t) => {
    const no = () => [550, '5.1.1 no such mailbox'] as const
    for (const refuse of ['refuseMail', 'refuseRcpt', 'refuseData'] as const) {
      const server = await open(t, { [refuse]: no })
      const failure = await failureOf(sendTo({ port: server.port }))
      assert.ok(failure instanceof MailRejected, refuse)
      assert.match(failure.message, /550 5\.1\.1 no such mailbox/)
    }
  })

  test('a 4xx is for now: of this mail, or of the server when it closes', async (t) => {
    const busy = await open(t, { refuseRcpt: () => [450, 'greylisted'] })
    await assertDelayed(sendTo({ port: busy.port }), 'mail', /450 greylisted/)
    const full = await open(t, { refuseData: () => [452, 'full'] })
    await assertDelayed(sendTo({ port: full.port }), 'mail', /452 full/)
    const closing = await startRaw((socket) => socket.end('421 4.3.2 closing\r\n'))
    afterwards(t, () => closing.close())
    await assertDelayed(sendTo({ port: closing.port }), 'server', /421 4\.3\.2 closing/)
  })

  test('a dead server, one that says nothing, and one that hangs after DATA are left after a while', async (t) => {
    await assertDelayed(sendTo({ port: await freePort() }), 'server', /ECONNREFUSED/)
    const silent = await startRaw(() => {})
    afterwards(t, () => silent.close())
    await assertDelayed(sendTo({ port: silent.port }, impatient), 'server')
    const hanging = await open(t, { afterDot: () => 'hang' })
    await assertDelayed(sendTo({ port: hanging.port }, { silenceMilliseconds: 1000 }), 'server')
  })

  test('a server that drips its greeting without end is cut off', async (t) => {
    const slow = await startRaw((socket) => {
      const drip = setInterval(() => socket.write('220-still here\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    afterwards(t, () => slow.close())
    await assertDelayed(sendTo({ port: slow.port }, { wholeMilliseconds: 500 }), 'server')
  })

  test('what answers without being a mail server is not repeated', async (t) => {
    const other = await startRaw((socket) => socket.end('internal-secret-banner\r\n'))
    afterwards(t, () => other.close())
    const failure = await failureOf(sendTo({ port: other.port }))
    assert.doesNotMatch(failure.message, /internal-secret-banner/)
  })

  test('a mail on its way is given a moment when the process stops, and then cut off', async (t) => {
    const hanging = await open(t, { afterDot: () => 'hang' })
    const stopping = new AbortController()
    const sending = openTransport(patient)({ ...plain, port: hanging.port }, mail, stopping.signal)
    while (hanging.mails.length === 0) await new Promise((later) => setTimeout(later, 5))
    stopping.abort()
    await assertDelayed(sending, 'server')
    await assertDelayed(openTransport()({ ...plain, port: hanging.port }, mail, stopping.signal), 'mail')
  })

  test('codes that a server quotes in its answer are taken out of it', async (t) => {
    const code = 'CANARY42'
    const server = await open(t, {
      refuseData: () => [554, `spam: https://signet.example/?code=${code} ${btoa(code)}`],
    })
    const failure = await failureOf(sendTo({ port: server.port }, {}, { secrets: [code] }))
    assert.doesNotMatch(failure.message, /CANARY42|Q0FOQVJZNDI/)
    assert.match(failure.message, /554 spam/)
  })
})

suite('where mail is sent', () => {
  test('not to metadata services, however the name hides it, and not a byte', async (t) => {
    const canary = await startRaw((socket) => socket.end('220 hello\r\n'))
    afterwards(t, () => canary.close())
    const resolve: MailTransportOptions['resolve'] = (_, done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ])
    await assertDelayed(sendTo({ hostname: 'mixed.example', port: canary.port }, { resolve }), 'server', /not allowed/)
    for (const address of ['169.254.169.254', '::ffff:127.0.0.1', 'fe80::1', '0.0.0.0']) {
      await assertDelayed(sendTo({ hostname: address, port: canary.port }), 'server', /not allowed/)
      const family = address.includes(':') ? 6 : 4
      const rebound: MailTransportOptions['resolve'] = (_, done) => done(null, [{ address, family }])
      const named = { hostname: 'rebound.example', port: canary.port }
      await assertDelayed(sendTo(named, { resolve: rebound }), 'server', /not allowed/)
    }
    assert.equal(canary.connections(), 0)
  })
})

/** What could end a header, a command or an address. */
const nasty = fc
  .array(
    fc.constantFrom(
      ...['\r', '\n', '\r\n', '\0', '"', "'", ',', ';', ':', '<', '>', '(', ')', '@', '\\', '\u2028', '\u2029'],
      ...['\r\nBcc: evil@evil.example\r\n', '\r\n.\r\n', '\r\nRCPT TO:<evil@evil.example>\r\n', '<evil@evil.example>'],
      ...['=?utf-8?q?=0D=0AX: y?=', 'é', '🐭', '\ud800', 'group: evil@evil.example;', ' ', 'a', '\t', '\x85'],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const HEADERS = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'reply-to', 'to']
// Every test server waits a moment before it greets, so several are sent at once.
const AT_ONCE = 10

test('whatever stands in names and subjects, one recipient gets the mail, with the expected headers', async (t) => {
  const server = await open(t)
  const send = openTransport(patient)
  const triples = fc.array(fc.tuple(nasty, nasty, nasty), { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(triples, async (mails) => {
      const before = server.mails.length
      await Promise.all(
        mails.map(([toName, fromName, subject]) => {
          const from = { name: fromName, address: 'mail@signet.example' }
          const to = { name: toName, address: "o'mini+tag@mouse.example" }
          return send({ ...plain, port: server.port }, { ...mail, from, to, subject, replyTo: 'a@b.example' }, never)
        }),
      )
      const received = server.mails.slice(before)
      assert.equal(received.length, AT_ONCE)
      for (const { from, to, headers } of received) {
        assert.deepEqual([from, to], ['mail@signet.example', ["o'mini+tag@mouse.example"]])
        const names = headers.map(([name]) => name)
        // An empty subject has no header; nothing else comes or goes, and nothing is there twice.
        assert.deepEqual(names.filter((name) => name !== 'subject').sort(), HEADERS)
        assert.match(headerOf(headers, 'to'), /^(.* <o'mini\+tag@mouse\.example>|o'mini\+tag@mouse\.example)$/)
        assert.match(headerOf(headers, 'from'), /^(.* <mail@signet\.example>|mail@signet\.example)$/)
        assert.equal(headerOf(headers, 'message-id'), `<${mail.id}@signet.example>`)
        assert.ok(names.filter((name) => name === 'subject').length <= 1)
      }
    }),
    { numRuns: 20 },
  )
})

test('an address that is not one of ours never reaches a server', async (t) => {
  const server = await open(t)
  for (const address of ['a@b.example\r\nDATA', '"a@c.example"@b.example', 'a@b.example,c@d.example', 'a＠b.example']) {
    const failure = await failureOf(sendTo({ port: server.port }, {}, { to: { name: '', address } }))
    assert.ok(failure instanceof MailRejected)
  }
  assert.equal(server.connections, 0)
})

test('an internationalized domain goes over the wire in ASCII', async (t) => {
  const server = await open(t)
  await sendTo({ port: server.port }, {}, { to: { name: '', address: 'mini@bücher.example' } })
  // The test server decodes what it shows of the envelope.
  assert.equal(headerOf(server.mails[0]?.headers ?? [], 'to'), 'mini@xn--bcher-kva.example')
  assert.equal(server.mails[0]?.to.length, 1)
})
