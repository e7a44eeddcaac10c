/** Thousands of slow and silent clients on a running server: honest ones are served, and the others are dropped in time. */
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes } from '../../bench/signet.ts'
import { END_STREAM, frame, getSlash, HEADERS, meet, meet2, type Peer, PREFACE } from '../../test/faults/raw-http2.ts'
import { startServerProcess } from '../../test/support/server-process.ts'
import { type Caught, grouped, isInTime, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { compareCalm, HONEST_REQUIRED, keepAsking } from './honest-client.ts'

type Attack = (port: number) => Peer

const ATTACKS: Readonly<Record<string, Attack>> = {
  'says nothing': (port) => meet(port),
  'part of the HTTP/2 preface': (port) => meet(port, PREFACE.subarray(0, 10)),
  'unfinished HTTP/1.1 header': (port) => meet(port, 'GET / HTTP/1.1\r\nhost: a\r\nx-slow: '),
  'HTTP/1.1 header, a byte at a time': (port) => {
    const peer = meet(port, 'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ')
    const timer = setInterval(() => peer.socket.write('x'), 500)
    void peer.closed.then(() => clearInterval(timer))
    return peer
  },
  'HTTP/1.1 body that does not come': (port) =>
    meet(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc'),
  'HTTP/2 without a request': (port) => meet2(port),
  'HTTP/2 HEADERS without an end': unfinishedHeaders,
}

function unfinishedHeaders(port: number): Peer {
  const peer = meet2(port)
  peer.socket.write(frame(HEADERS, END_STREAM, 1, getSlash))
  return peer
}

interface Size {
  readonly peers: number
  /** The limits of the server; the short form does not wait for the usual ones. */
  readonly settings: Readonly<Record<string, string>>
  readonly droppedWithinMs: number
}

const SHORT_LIMITS = { SIGNET_HEADER_TIMEOUT: '1', SIGNET_REQUEST_TIMEOUT: '1', SIGNET_IDLE_TIMEOUT: '2' }
/** The longest limit that applies, 30 s for a request, and the time to notice. */
const DROPPED_MS = 35_000

/** How long a connection was open. */
async function lifetimeOf({ socket, closed }: Peer): Promise<number> {
  let openedAt = performance.now()
  socket.once('connect', () => {
    openedAt = performance.now()
  })
  await closed
  return performance.now() - openedAt
}

async function measure(run: Run): Promise<Measured> {
  const peers = roundsOf(run, 70, 2_100)
  const size: Size = { peers, settings: run.isShort ? SHORT_LIMITS : {}, droppedWithinMs: DROPPED_MS }
  await using cleanUp = new AsyncDisposableStack()
  const server = await startServerProcess('main', ['start'], { SIGNET_LOG_LEVEL: 'error', ...size.settings })
  cleanUp.defer(async () => {
    server.child.kill('SIGTERM')
    await server.ended
  })
  const url = await server.url
  const port = Number(new URL(url).port)
  const memory = () => residentMegabytes(server.child.pid ?? 0)
  const calmUntil = performance.now() + (run.isShort ? 500 : 5_000)
  const calm = await keepAsking(url, () => performance.now() > calmUntil)
  const memoryBefore = await memory()
  const attacks = Object.values(ATTACKS)
  const met = Array.from({ length: peers }, (_, index) => attacks[index % attacks.length]?.(port) as Peer)
  let isOver = false
  const asking = keepAsking(url, () => isOver)
  const droppedMs = Math.round(Math.max(...(await Promise.all(met.map(lifetimeOf)))))
  isOver = true
  const during = await asking
  const grownMegabytes = Math.round((await memory()) - memoryBefore)
  const { factor, text, isAcceptable } = compareCalm(run, calm, during)
  return {
    done: `${grouped(peers)} slow and silent clients of ${attacks.length} kinds at once`,
    figure: `all dropped, the last after ${grouped(droppedMs)} ms; ${text}; memory +${grownMegabytes} MB`,
    figures: { peers, droppedMs, factor, honest: during.times.length, grownMegabytes },
    isMet: isInTime(run, droppedMs, size.droppedWithinMs) && isAcceptable,
  }
}

/** Node's own HTTP/2 server keeps a session whose headers do not end. */
async function meetBareServer(run: Run): Promise<Caught> {
  const server = createHttp2Server((_, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const peers = Array.from({ length: 20 }, () => unfinishedHeaders(port))
  await sleep(run.isShort ? 3_000 : DROPPED_MS)
  const open = peers.filter(({ isClosed }) => !isClosed).length
  for (const { socket } of peers) socket.destroy()
  server.close()
  return { figure: `${open} of ${peers.length} still open`, isCaught: open > 0 }
}

export const slowClients: Scenario = {
  name: 'slow-clients',
  title: 'slow and silent clients are dropped, and honest ones are served meanwhile',
  required: `each dropped within ${grouped(DROPPED_MS)} ms; ${HONEST_REQUIRED}`,
  measure,
  control: { what: 'HTTP/2 HEADERS without an end on the bare server of Node', run: meetBareServer },
}
