/** Whatever a receiver does: it is an answer, soon, of bounded size, and nothing internal is reached. */
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { type GuardOptions, openGuardedFetch } from '../../outbound/fetch.ts'
import { type Answer, send } from './send.ts'

const TIMEOUT_MS = 1_500
const NOW = instant(1_800_000_000_000)

type Talk = (socket: Socket) => void

/** What each hostile receiver writes, and what it comes to. */
interface Case {
  readonly name: string
  readonly talk: Talk
  readonly outcome: Answer['outcome'] | 'any'
  readonly reason?: string
  readonly body?: RegExp
  readonly waitMs?: number
}

function says(...texts: readonly (string | Buffer)[]): Talk {
  return (socket) => {
    for (const text of texts) socket.write(text)
    socket.end()
  }
}

function repeats(first: string, again: string, everyMs: number): Talk {
  return (socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(again), everyMs)
    socket.on('close', () => clearInterval(timer))
  }
}

function answers(status: string, headers: readonly string[] = [], body = ''): Talk {
  const length = Buffer.byteLength(body)
  return says(`HTTP/1.1 ${status}\r\n${[...headers, `content-length: ${length}`].join('\r\n')}\r\n\r\n${body}`)
}

let canary: Server
let touched = 0
const canaryUrl = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}/admin`

/** A redirect to something internal. */
function redirects(status: string, location: () => string): Talk {
  return (socket) => answers(status, [`location: ${location()}`])(socket)
}

// biome-ignore format: it is a table
const CASES: readonly Case[] = [
  { name: '301 to loopback', talk: redirects('301 Moved', canaryUrl), outcome: 'failed', reason: 'HTTP 301' },
  { name: '302 to loopback', talk: redirects('302 Found', canaryUrl), outcome: 'failed', reason: 'HTTP 302' },
  { name: '307 that keeps method and body', talk: redirects('307 Again', canaryUrl), outcome: 'failed', reason: 'HTTP 307' },
  { name: '308 to the metadata service', talk: redirects('308 There', () => 'http://169.254.169.254/'), outcome: 'failed', reason: 'HTTP 308' },
  { name: 'a meta refresh in the body', talk: answers('200 OK', [], `<meta http-equiv=refresh content="0;url=${'x'}">`), outcome: 'delivered' },
  { name: 'silence', talk: () => {}, outcome: 'failed', reason: 'too_slow' },
  { name: 'slow headers', talk: repeats('HTTP/1.1 200 OK\r\n', 'x', 100), outcome: 'failed', reason: 'too_slow' },
  { name: 'endless headers', talk: repeats('HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(2_000), 5), outcome: 'failed', reason: 'unreachable' },
  { name: 'one huge header', talk: says(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`), outcome: 'failed', reason: 'unreachable' },
  { name: 'endless early hints', talk: repeats('', 'HTTP/1.1 103 Early\r\n\r\n', 20), outcome: 'failed', reason: 'too_slow' },
  { name: 'endless 100 Continue', talk: repeats('', 'HTTP/1.1 100 Continue\r\n\r\n', 20), outcome: 'failed', reason: 'too_slow' },
  { name: 'another protocol', talk: says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), outcome: 'failed', reason: 'unreachable' },
  { name: 'an endless body', talk: repeats('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(100_000), 2), outcome: 'delivered', body: /^x{1024}$/ },
  { name: 'a body that never comes', talk: (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'), outcome: 'delivered', body: /^$/ },
  { name: 'a body that trickles', talk: repeats('HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n', 'x', 50), outcome: 'delivered', body: /^x+$/ },
  { name: 'a body that is cut', talk: says('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'), outcome: 'delivered', body: /^abc$/ },
  { name: 'a huge error page', talk: answers('500 No', [], 'x'.repeat(1_000_000)), outcome: 'failed', reason: 'HTTP 500', body: /^x{1024}$/ },
  { name: 'closing at once', talk: (socket) => void socket.end(), outcome: 'failed', reason: 'unreachable' },
  { name: 'a reset', talk: (socket) => void socket.resetAndDestroy(), outcome: 'failed', reason: 'unreachable' },
  { name: 'not HTTP', talk: says('SSH-2.0-OpenSSH_9.9\r\n'), outcome: 'failed', reason: 'unreachable' },
  { name: 'a status of letters', talk: says('HTTP/1.1 abc OK\r\n\r\n'), outcome: 'failed', reason: 'unreachable' },
  { name: 'status 999', talk: answers('999 What'), outcome: 'failed', reason: 'unreachable' },
  { name: 'status 600', talk: answers('600 What'), outcome: 'failed', reason: 'unreachable' },
  { name: 'two lengths', talk: says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'), outcome: 'failed', reason: 'unreachable' },
  { name: 'length and chunks', talk: says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'), outcome: 'failed', reason: 'unreachable' },
  { name: 'a wrong chunk', talk: says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n'), outcome: 'any' },
  { name: 'a second answer nobody asked for', talk: says('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n'), outcome: 'delivered' },
  { name: 'a compressed bomb', talk: says('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n', gzipSync(Buffer.alloc(50_000_000))), outcome: 'delivered', body: /^$/ },
  { name: 'escape sequences', talk: answers('400 No', [], '\u001b[2J\u0000<script>'), outcome: 'refused', body: /^\ufffd\[2J\ufffd<script>$/ },
  { name: 'bytes that are no text', talk: says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n', Buffer.from([0xff, 0xfe])), outcome: 'delivered', body: /^\ufffd+$/ },
  { name: 'a wait of years', talk: answers('503 No', ['retry-after: 999999999']), outcome: 'failed', waitMs: 3_600_000 },
  { name: 'a wait in the past', talk: answers('429 No', ['retry-after: Thu, 01 Jan 1970 00:00:00 GMT']), outcome: 'failed', waitMs: 0 },
  { name: 'a wait that is no number', talk: answers('429 No', ['retry-after: -1e99']), outcome: 'failed', waitMs: 0 },
  { name: 'an answer with headers of the platform', talk: answers('200 OK', ['set-cookie: a=b', 'strict-transport-security: max-age=1', 'clear-site-data: "*"']), outcome: 'delivered' },
]

function appWith(options: Partial<GuardOptions> = {}): App {
  const fetchOutside = openGuardedFetch({ allowsPrivate: true, ...options })
  return { fetchOutside, clock: () => NOW } as unknown as App
}

const REQUEST = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ type: 'x' }) }

suite('hostile receivers', { concurrency: 8 }, () => {
  before(async () => {
    canary = createServer((socket) => {
      touched++
      socket.destroy()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    assert.equal(touched, 0)
    canary.close()
  })

  for (const { name, talk, outcome, reason, body, waitMs } of CASES) {
    test(name, async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('data', () => talk(socket))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      try {
        const answer = await send(appWith(), { url, ...REQUEST }, { timeoutMs: TIMEOUT_MS })
        if (outcome !== 'any') assert.equal(answer.outcome, outcome, answer.reason)
        if (reason !== undefined) assert.equal(answer.reason, reason)
        if (body !== undefined) assert.match(answer.body, body)
        if (waitMs !== undefined) assert.equal(answer.waitMs, waitMs)
        assert.ok(answer.body.length <= 1024)
        assert.equal(sockets.size, 1)
      } finally {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
    })
  }

  const internal = [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://[fd00:ec2::254]/',
    'http://93.184.216.34/',
    'https://user:password@93.184.216.34/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ]
  for (const url of internal) {
    test(`${url} is not reached`, async () => {
      const answer = await send(appWith({ allowsPrivate: false }), { url, ...REQUEST }, { timeoutMs: TIMEOUT_MS })
      assert.equal(answer.reason, 'address_forbidden')
    })
  }

  test('a name that is public at first and internal afterwards is not reached', async () => {
    const addresses = ['127.0.0.1', '169.254.169.254', '10.1.2.3']
    let asked = 0
    const resolve: NonNullable<GuardOptions['resolve']> = (_, done) => {
      done(null, [{ address: addresses[asked++ % addresses.length] ?? '', family: 4 }])
    }
    const app = appWith({ allowsPrivate: false, resolve })
    for (let round = 0; round < 3; round++) {
      const answer = await send(
        app,
        { url: canaryUrl().replace('http://127.0.0.1', 'https://rebind.example'), ...REQUEST },
        { timeoutMs: TIMEOUT_MS },
      )
      assert.equal(answer.reason, 'address_forbidden')
    }
    assert.equal(asked, 3)
  })

  test('TLS that is none is a failure like any other', async () => {
    const url = canaryUrl()
      .replace('http://', 'https://')
      .replace(/:\d+\//, ':1/')
    const answer = await send(appWith(), { url, ...REQUEST }, { timeoutMs: TIMEOUT_MS })
    assert.equal(answer.outcome, 'failed')
  })
})
