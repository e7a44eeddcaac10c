/** Starts Signet as a process of its own, on a free port and a fresh data folder, and watches what it says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
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

async function clean(folder: string) {
  return rm(folder, { recursive: true, force: true })
}

const living = new Set<ChildProcess>()
// A test that failed half-way leaves its server behind.
after(() => {
  for (const child of living) child.kill('SIGKILL')
})

/** `sources`: as `main`, but never from a build. */
const ENTRIES = { main: '../../src/main.js', sources: '../../src/cli/main.js', 'stand-in': './stand-in.ts' }

export async function runServer(
  entry: keyof typeof ENTRIES,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const dataDir = settings.SIGNET_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'signet-run-')))
  const file = fileURLToPath(new URL(ENTRIES[entry], import.meta.url))
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SIGNET_') && name !== 'NODE_TEST_CONTEXT',
  )
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      ...Object.fromEntries(inherited),
      SIGNET_LISTEN: '127.0.0.1:0',
      SIGNET_DATA_DIR: dataDir,
      // Tests share the machine with others: whether the server has enough of it is not what they are about.
      SIGNET_OVERLOAD_TARGET: '0',
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
