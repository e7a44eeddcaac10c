/**
 * Attacks a port with random HTTP/2 frames and HTTP/1.1 bytes, from a process of its own. Arguments: the port, the seed, for
 * how many milliseconds, the path of a large answer, and, to repeat a part, the number of the first connection. A
 * connection depends only on the seed and its number. Prints what it did as one line of JSON.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostileBytes } from './hostile-bytes.ts'
import { countFrames, hostileFrames } from './hostile-frames.ts'
import { Random } from './mutations.ts'
import { unreadAnswers } from './unread-answers.ts'

/** What was done to the server. */
export interface Attack {
  readonly seed: number
  readonly connections: number
  /** Connections by what was written on them. */
  readonly http2: number
  readonly unread: number
  readonly http1: number
  /** Of HTTP/2, in all. */
  readonly frames: number
  /** Writes, each of several frames or requests. */
  readonly writes: number
  readonly megabytes: number
  /** The connections that were open when the server refused one: undefined when it never did. */
  readonly suspects?: readonly number[]
}

const AT_ONCE = 32
const KINDS = [...Array(6).fill('http2'), ...Array(5).fill('http1'), 'unread'] as readonly (
  | 'http2'
  | 'http1'
  | 'unread'
)[]
const LONGEST_WAIT_MS = 3_000
/** For an end that the other side does not make. */
const PATIENCE_MS = 50
const [port, seed, milliseconds] = process.argv.slice(2, 5).map(Number)
const large = process.argv[5] ?? '/'
let next = Number(process.argv[6] ?? 0)
const isOver = AbortSignal.timeout(milliseconds ?? 1_000)
const did = { connections: 0, http2: 0, unread: 0, http1: 0, frames: 0, writes: 0, written: 0 }
const open = new Set<number>()
let suspects: readonly number[] | undefined

/** A connection, and when it is closed. */
function meet(): { readonly socket: Socket; readonly closed: Promise<void> } {
  const socket = connect(port ?? 0, '127.0.0.1').setNoDelay(true)
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') suspects ??= [...open]
  })
  return { socket, closed: new Promise((resolve) => socket.on('close', () => resolve())) }
}

function write(socket: Socket, piece: Buffer): void {
  did.writes++
  did.written += piece.length
  socket.write(piece)
}

async function writeAll(socket: Socket, pieces: readonly Buffer[], random: Random): Promise<void> {
  // All in one write is what the library reads in one turn.
  if (random.below(2) === 0) {
    write(socket, Buffer.concat(pieces))
    return
  }
  for (const piece of pieces) {
    write(socket, piece)
    if (random.below(3) === 0) await sleep(random.pick([0, 0, 1, 3]))
  }
}

async function leave(socket: Socket, closed: Promise<void>, random: Random): Promise<void> {
  const wait = random.pick([0, 0, 1, 5, 20])
  if (wait > 0) await Promise.race([closed, sleep(wait)])
  random.pick([() => socket.end(), () => socket.resetAndDestroy(), () => socket.destroy(), () => {}])()
  await Promise.race([closed, sleep(PATIENCE_MS)])
}

/** Reads nothing, but waits for the answers to begin: how long that takes depends on how busy the server is. */
async function leaveUnread(socket: Socket, closed: Promise<void>, random: Random): Promise<void> {
  const [requests, rest] = unreadAnswers(random, large)
  const begun = new Promise<void>((resolve) => socket.once('readable', () => resolve()))
  did.frames += countFrames(requests) + countFrames(rest)
  write(socket, requests)
  await Promise.race([closed, begun, sleep(LONGEST_WAIT_MS)])
  // The server reads nothing for a second when it answers before the end of a request.
  await Promise.race([closed, sleep(random.pick([20, 1_100, 1_100]) + random.below(300))])
  write(socket, rest)
  await Promise.race([closed, sleep(random.pick([10, 200, 500]))])
  socket.resetAndDestroy()
}

async function attack(number: number): Promise<void> {
  // Seeds that are neighbours do not share connections.
  const random = new Random(Math.imul(seed ?? 0, 0x9e3779b1) + number)
  const { socket, closed } = meet()
  const kind = random.pick(KINDS)
  did[kind]++
  if (kind === 'unread') {
    await leaveUnread(socket, closed, random)
  } else {
    if (random.below(4) !== 0) socket.resume()
    const pieces = kind === 'http2' ? hostileFrames(random) : hostileBytes(random)
    if (kind === 'http2') did.frames += countFrames(Buffer.concat(pieces))
    await writeAll(socket, pieces, random)
    await leave(socket, closed, random)
  }
  socket.destroy()
  await closed
}

async function keepAttacking(): Promise<void> {
  while (!isOver.aborted && suspects === undefined) {
    const number = next++
    open.add(number)
    await attack(number)
    open.delete(number)
    did.connections++
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, keepAttacking))
const { written, ...counts } = did
const done: Attack = {
  seed: seed ?? 0,
  ...counts,
  megabytes: Math.round(written / 1e6),
  ...(suspects !== undefined && { suspects }),
}
console.log(JSON.stringify(done))
process.exit(0)
