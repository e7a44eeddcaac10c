/** Floods over HTTP/2 against a running server: the attackers are cut off, and an honest client is served. */
import { execFile } from 'node:child_process'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { residentMegabytes } from '../../bench/signet.ts'
import { flood as floodPeer, frame, meet2, PING } from '../../test/faults/raw-http2.ts'
import { startServerProcess } from '../../test/support/server-process.ts'
import { type Caught, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { floods } from './floods.ts'
import { compareCalm, HONEST_REQUIRED, keepAsking } from './honest-client.ts'

const CHILD = join(import.meta.dirname, 'flood-child.ts')
const MOST_MEGABYTES = 50
const SETTLE_MS = 60_000
/** The short form does not wait for the usual limits. */
const SHORT_LIMITS = { SIGNET_HEADER_TIMEOUT: '2', SIGNET_REQUEST_TIMEOUT: '2', SIGNET_IDLE_TIMEOUT: '5' }

interface Attacked {
  readonly attacks: number
  /** The attackers who were not cut off. */
  readonly left: readonly string[]
}

async function attack(port: number, repetitions: number): Promise<Attacked> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, String(port), String(repetitions)])
  return JSON.parse(stdout) as Attacked
}

async function measure(run: Run): Promise<Measured> {
  const repetitions = roundsOf(run, 1, 3)
  await using cleanUp = new AsyncDisposableStack()
  const server = await startServerProcess('main', ['start'], {
    SIGNET_LOG_LEVEL: 'error',
    ...(run.isShort && SHORT_LIMITS),
  })
  cleanUp.defer(() => void server.child.kill('SIGKILL'))
  const url = await server.url
  const calmUntil = performance.now() + (run.isShort ? 500 : 5_000)
  const calm = await keepAsking(url, () => performance.now() > calmUntil)
  const port = Number(new URL(url).port)
  // The first floods compile code and grow the heap; later ones must not add to that.
  if (!run.isShort) await attack(port, 1)
  const memoryBefore = await residentMegabytes(server.child.pid ?? 0)
  let isOver = false
  const asking = keepAsking(url, () => isOver)
  const { attacks, left } = await attack(port, repetitions)
  for (const name of new Set(left)) run.say(`not cut off: ${name}`)
  isOver = true
  const { factor, text, isAcceptable } = compareCalm(run, calm, await asking)
  // Memory is given back within a minute.
  if (!run.isShort) await sleep(SETTLE_MS)
  const grownMegabytes = Math.round((await residentMegabytes(server.child.pid ?? 0)) - memoryBefore)
  server.child.kill('SIGTERM')
  const exitCode = await server.ended
  return {
    done: `${attacks} floods and broken frames of ${Object.keys(floods).length} kinds over HTTP/2`,
    figure: `${left.length} attackers not cut off, exit code ${exitCode}; ${text}; memory +${grownMegabytes} MB`,
    figures: { attacks, left: left.length, factor, grownMegabytes, exitCode: Number(exitCode) },
    isMet:
      attacks > 0 &&
      left.length === 0 &&
      exitCode === 0 &&
      isAcceptable &&
      (run.isShort || grownMegabytes < MOST_MEGABYTES),
  }
}

/** Node's own HTTP/2 server answers every PING of a flood. */
async function meetBareServer(): Promise<Caught> {
  const server = createHttp2Server((_, response) => response.end('hello'))
  server.on('sessionError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const peer = meet2((server.address() as AddressInfo).port)
  await floodPeer(peer, 20_000, () => frame(PING, 0, 0, Buffer.alloc(8)))
  await sleep(500)
  const isOpen = !peer.isClosed
  peer.socket.destroy()
  server.close()
  return { figure: `${isOpen ? 1 : 0} attackers not cut off`, isCaught: isOpen }
}

export const flood: Scenario = {
  name: 'flood',
  title: 'floods over HTTP/2 are cut off, and an honest client is served meanwhile',
  required: `0 attackers not cut off, exit code 0; ${HONEST_REQUIRED}; memory below +${MOST_MEGABYTES} MB a minute later`,
  measure,
  control: { what: 'a flood of PING on the bare server of Node', run: meetBareServer },
}
