/**
 * Names what keeps a process of tests alive after its last test: servers, sockets, other processes and timers, each with the
 * file that opened it.
 */
import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Something that is still open. */
export interface LeftOpen {
  /** `a server on 127.0.0.1:41234` */
  readonly what: string
  /** The file that opened it, a test if one called it; empty when it is not known. */
  readonly file: string
}

// biome-ignore lint/suspicious/noExplicitAny: methods of Node with any arguments are passed on as they are
type AnyFunction = (...given: any[]) => any

const openers = new WeakMap<object, string>()
/** Timers are not among the handles that Node lists. A short one is over before anybody asks. */
const timers = new Set<WeakRef<NodeJS.Timeout>>()
const LONG_MS = 20_000

/** The file that called: the innermost test, or the innermost file outside of node_modules. */
function caller(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const stack = new Error('who opened it').stack ?? ''
  Error.stackTraceLimit = limit
  const files = [...stack.matchAll(/(file:\/\/[^\s)]+?):\d+:\d+/g)].map(([, url = '']) => fileURLToPath(url))
  const own = files.filter((file) => file !== import.meta.filename && !file.includes('node_modules'))
  return own.find((file) => /\.test\.m?[jt]s$/.test(file)) ?? own[0] ?? ''
}

/** Remembers who calls a method of a class. */
function watch(target: object, method: string): void {
  const methods = target as Record<string, AnyFunction>
  const original = methods[method] as AnyFunction
  methods[method] = function watched(this: object, ...given: unknown[]) {
    if (!openers.has(this)) openers.set(this, caller())
    return original.apply(this, given)
  }
}

function watchTimer(name: 'setTimeout' | 'setInterval', isLong: (milliseconds: number) => boolean): void {
  const original = globalThis[name] as AnyFunction
  const watched = (run: AnyFunction, milliseconds = 0, ...given: unknown[]) => {
    const timer: NodeJS.Timeout = original(run, milliseconds, ...given)
    if (isLong(milliseconds)) {
      openers.set(timer, caller())
      timers.add(new WeakRef(timer))
    }
    return timer
  }
  globalThis[name] = Object.assign(watched, original) as never
}

/** Begins to remember who opens what. */
export function watchOpening(): void {
  watch(Server.prototype, 'listen')
  watch(Socket.prototype, 'connect')
  watch(ChildProcess.prototype, 'spawn')
  watchTimer('setInterval', () => true)
  watchTimer('setTimeout', (milliseconds) => milliseconds >= LONG_MS)
}

function describe(handle: object): string {
  if (handle instanceof Server) {
    const address = handle.address()
    if (address === null || typeof address === 'string') return `a server on ${address ?? 'no address'}`
    return `a server on ${address.address}:${address.port}`
  }
  if (handle instanceof Socket) return `a connection to ${handle.remoteAddress ?? 'nobody'}:${handle.remotePort ?? ''}`
  if (handle instanceof ChildProcess) return `a process: ${handle.spawnargs.join(' ').slice(0, 200)}`
  return `a ${handle.constructor.name}`
}

/** What keeps this process alive. */
export function findLeftOpen(): readonly LeftOpen[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): readonly object[] }
  const standard = new Set<object>([process.stdin, process.stdout, process.stderr])
  const open = handles().filter((handle) => !standard.has(handle) && handle !== process.channel)
  const running = [...timers].map((one) => one.deref()).filter((timer) => timer?.hasRef() && !isOver(timer))
  return [
    ...open.map((handle) => ({ what: describe(handle), file: openers.get(handle) ?? '' })),
    ...running.map((timer) => ({ what: 'a timer', file: openers.get(timer as object) ?? '' })),
  ]
}

/** Whether a timer was cleared or has run. */
function isOver(timer: NodeJS.Timeout): boolean {
  return (timer as unknown as { readonly _destroyed: boolean })._destroyed
}
