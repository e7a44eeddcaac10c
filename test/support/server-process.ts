/** Starts Signet as a process of its own, on a free port and a fresh data folder, and watches what it says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Running {
  readonly child: ChildProcess
  readonly dataDir: string
  stdout(): string
  stderr(): string
  /** Where it listens; rejects when it ends before it is ready. */
  readonly url: Promise<string>
  /** Code or signal with which it ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

export interface ProcessOptions {
  /** Modules that the process loads before the server. */
  readonly preload?: readonly URL[]
  /** A command that runs the server, such as one that changes its surroundings first. */
  readonly wrapper?: readonly string[]
}

const living = new Set<ChildProcess>()

/** Kills every server that still runs. */
export function killServers(): void {
  for (const child of living) child.kill('SIGKILL')
}
process.on('exit', killServers)

async function clean(folder: string) {
  return rm(folder, { recursive: true, force: true })
}

const ENTRIES = {
  main: '../../src/main.js',
  // As `main`, but never from a build.
  sources: '../../src/cli/main.js',
  'stand-in': '../faults/stand-in.ts',
}

/** `main` is the real thing; the stand-in has two more pages. */
export type Entry = keyof typeof ENTRIES

/** Starts the server, or runs a command of it. */
export async function startServerProcess(
  entry: Entry,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  { preload = [], wrapper = [] }: ProcessOptions = {},
): Promise<Running> {
  const dataDir = settings.SIGNET_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'signet-run-')))
  const file = fileURLToPath(new URL(ENTRIES[entry], import.meta.url))
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SIGNET_') && name !== 'NODE_TEST_CONTEXT',
  )
  const imports = preload.map(({ href }) => `--import=${href}`)
  const [command = '', ...words] = [...wrapper, process.execPath, ...imports, file, ...args]
  const child = spawn(command, words, {
    env: {
      ...Object.fromEntries(inherited),
      SIGNET_LISTEN: '127.0.0.1:0',
      SIGNET_DATA_DIR: dataDir,
      // Tests share the machine with others: whether the server has enough of it is not what they are about.
      SIGNET_OVERLOAD_TARGET: '0',
      // What a test kills or signals is the server itself.
      SIGNET_SUPERVISE: 'false',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  living.add(child)
  let stdout = ''
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => {})
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
    const url = /ready at (\S+)\n/.exec(stdout)?.[1]
    if (url) ready.resolve(url)
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => {
      living.delete(child)
      ready.reject(new Error(`ended before it was ready (${code ?? signal}): ${stderr}`))
      const removed = settings.SIGNET_DATA_DIR === undefined ? clean(dataDir) : Promise.resolve()
      void removed.then(() => resolve(code ?? signal))
    })
  })
  return { child, dataDir, stdout: () => stdout, stderr: () => stderr, url: ready.promise, ended }
}

export interface ApiAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Calls a method of a running server as its machine administrator. Rejects when there is no answer. */
export async function callApi(
  url: string,
  dataDir: string,
  verb: string,
  path: string,
  body?: object,
): Promise<ApiAnswer> {
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
  const answer = await fetch(`${url}${path}`, {
    method: verb,
    // A connection that is kept would lead to a process that was killed meanwhile.
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
}
