/**
 * The process above a single server: starts it again within a second when it dies, for example of a defect in the
 * runtime that no code of ours can catch. It loads nothing of the server, so that nothing is in memory twice. Where
 * several processes share the port, the primary does this; systemd and Kubernetes do it themselves.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import cluster from 'node:cluster'
import { isSea } from 'node:sea'
import { setTimeout as sleep } from 'node:timers/promises'
import { OUTDATED, WRONG_SETTINGS } from '../config/exit-codes.ts'
import { environmentWith, readConfig } from '../config/index.ts'
import { RestartPause } from './restart-pause.ts'
import { receiveSignals } from './stop-signals.ts'

/** Tells a server that it is supervised. */
export const RESTARTS_OPTION = '--restarts'
/** What the server tells this process as soon as it serves. */
export interface Serves {
  /** The next one listens there too, even if the system chose the port. */
  readonly listen: string
}

/** Exit codes that another start would not change. */
const FINAL: readonly (number | null)[] = [0, WRONG_SETTINGS, OUTDATED]

/** Whether these are options of an operator who starts a server, and not those of a supervisor, or a question for help. */
function isPortOnly(options: readonly string[]): boolean {
  const [first, ...others] = options
  if (first === undefined) return true
  return first.startsWith('--port=') ? others.length === 0 : first === '--port' && others.length === 1
}

/** Whether this process is to supervise a server instead of being one. */
export function isSupervisor(words: readonly string[]): boolean {
  const [command, ...options] = words
  if (command !== 'start' || !isPortOnly(options) || cluster.isWorker) return false
  // Wrong settings are reported by the server.
  const { config } = readConfig()
  return config?.supervise === true && config.workers === 1
}

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Where it served; undefined when it did not come that far. */
  readonly listen: string | undefined
  readonly livedMs: number
}

function startServer(
  words: readonly string[],
  listen: string | undefined,
): { readonly child: ChildProcess; readonly ended: Promise<End> } {
  // In the executable file there is no script to name.
  const script = isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...script, 'start', ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environmentWith(listen === undefined ? {} : { SIGNET_LISTEN: listen }),
  })
  let servesAt: string | undefined
  child.on('message', (message: Serves) => {
    servesAt = message.listen
  })
  const ended = new Promise<End>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      const livedMs = performance.now() - startedAt
      const tell = () => resolve({ code, signal, listen: servesAt, livedMs })
      // What it said last may still be on its way.
      if (child.connected) child.once('disconnect', tell)
      else tell()
    })
  })
  return { child, ended }
}

/**
 * Runs servers, one after the other, until one of them ends as it should; ends as that one did. `options` are those of the
 * first; the others listen where it did.
 */
export async function supervise(options: readonly string[]): Promise<never> {
  const pause = new RestartPause()
  let isStopping = false
  let running: ChildProcess | undefined
  receiveSignals((signal) => {
    isStopping = true
    if (running === undefined) process.exit(0)
    running.kill(signal)
  })
  process.on('SIGHUP', () => void running?.kill('SIGHUP'))
  process.on('exit', () => void running?.kill('SIGKILL'))
  let died: string | undefined
  let listen: string | undefined
  for (let restarts = 0; ; restarts++) {
    const { child, ended } = startServer(
      [
        ...(listen === undefined ? options : []),
        RESTARTS_OPTION,
        String(restarts),
        ...(died ? ['--died-of', died] : []),
      ],
      listen,
    )
    running = child
    const end = await ended
    const { code, signal, livedMs } = end
    running = undefined
    listen = end.listen ?? listen
    // One that never served would not serve the next time either.
    if (isStopping || listen === undefined || (signal === null && FINAL.includes(code))) process.exit(code ?? 1)
    died = signal ?? `exit code ${code}`
    await sleep(pause.after(livedMs))
  }
}
