/** Whether a server process survives what is done to it, with honest clients beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { residentMegabytes } from '../../bench/signet.ts'
import { startServerProcess } from '../../test/support/server-process.ts'
import { grouped, type Run } from '../scenario.ts'
import { type Asked, keepAskingInAllWays } from './honest-client.ts'

const COLLECTING = new URL('collecting.ts', import.meta.url)
const BARE = fileURLToPath(new URL('bare-server.ts', import.meta.url))

/** A server that is being watched. */
export interface Watched {
  readonly url: string
  readonly port: number
  readonly child: ChildProcess
  readonly ended: Promise<number | NodeJS.Signals | null>
  stderr(): string
}

export interface WatchedSignet extends Watched {
  readonly dataDir: string
}

/** Signet itself, with nobody who would start it again: its process id is that of the process that serves. */
export async function watchSignet(cleanUp: AsyncDisposableStack): Promise<WatchedSignet> {
  const settings = { SIGNET_LOG_LEVEL: 'error', SIGNET_SUPERVISE: 'false' }
  const server = await startServerProcess('main', ['start'], settings, { preload: [COLLECTING] })
  cleanUp.defer(() => void server.child.kill('SIGKILL'))
  const url = await server.url
  return { ...server, url, port: Number(new URL(url).port) }
}

/** A server of Node without the protection that is named. */
export async function watchBare(cleanUp: AsyncDisposableStack, lacking: 'throws' | 'frees'): Promise<Watched> {
  const child = spawn(process.execPath, [`--import=${COLLECTING.href}`, BARE, lacking], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanUp.defer(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => resolve(String(chunk).replace('ready at ', '').trim()))
    child.on('close', () => reject(new Error(`ended before it was ready: ${stderr}`)))
  })
  return { url, port: Number(new URL(url).port), child, ended, stderr: () => stderr }
}

export interface Survival<Outcome> {
  readonly outcome: Outcome
  readonly honest: Asked
  /** The code or signal with which the process ended, before it was told to. */
  readonly death: number | NodeJS.Signals | undefined
  /** Megabytes before, right after, and when what was not needed had been given back. */
  readonly memory: readonly [number, number, number]
}

export const MOST_MEGABYTES = 50
const SETTLE_MS = 60_000

/** Zero for a process that has ended. */
async function memoryOf({ child }: Watched): Promise<number> {
  return Math.round(await residentMegabytes(child.pid ?? 0).catch(() => 0))
}

async function deathOf({ ended }: Watched): Promise<number | NodeJS.Signals | undefined> {
  return Promise.race([ended.then((how) => how ?? undefined), sleep(100, undefined)])
}

/** Does it while honest clients ask. */
export async function surviving<Outcome>(
  run: Run,
  server: Watched,
  attack: () => Promise<Outcome>,
): Promise<Survival<Outcome>> {
  const before = await memoryOf(server)
  let isOver = false
  const asking = keepAskingInAllWays(server.url, () => isOver)
  const outcome = await attack()
  isOver = true
  const honest = await asking
  const after = await memoryOf(server)
  const until = performance.now() + (run.isShort ? 0 : SETTLE_MS)
  let settled = after
  while (settled - before >= MOST_MEGABYTES && performance.now() < until) {
    await sleep(1_000)
    settled = await memoryOf(server)
  }
  const death = await deathOf(server)
  if (death !== undefined) run.say(`the server ended with ${death}: ${server.stderr().slice(0, 1_000)}`)
  return { outcome, honest, death, memory: [before, after, settled] }
}

/** `the server 1234 lives; 0 of 5 000 honest requests failed; memory 150 MB, 210 MB after, 160 MB later` */
export function describeSurvival({ child }: Watched, { honest, death, memory }: Survival<unknown>): string {
  const [before, after, settled] = memory
  const fate = death === undefined ? `process ${child.pid} still serves` : `process ${child.pid} ended with ${death}`
  const asked = honest.times.length + honest.failed
  return `${fate}; ${honest.failed} of ${grouped(asked)} honest requests failed; memory ${before} MB before, ${after} MB after, ${settled} MB later`
}

/** Whether nothing happened to the process and to honest clients. Memory counts in the long form, after a first attack. */
export function hasSurvived({ isShort }: Run, { honest, death, memory }: Survival<unknown>): boolean {
  const [before, , settled] = memory
  const isServed = honest.failed === 0 && honest.times.length > 0
  return death === undefined && isServed && (isShort || settled - before < MOST_MEGABYTES)
}

/** For programs. */
export function figuresOf({ honest, death, memory }: Survival<unknown>): Record<string, number> {
  const [memoryBefore, memoryAfter, memoryLater] = memory
  return {
    deaths: death === undefined ? 0 : 1,
    honest: honest.times.length + honest.failed,
    failed: honest.failed,
    memoryBefore,
    memoryAfter,
    memoryLater,
  }
}
