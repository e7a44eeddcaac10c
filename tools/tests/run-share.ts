/** Runs the test files of one process. A process in which nothing happens for minutes is stopped, and named. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LeftOpen } from './left-open.ts'
import type { Share } from './plan.ts'
import type { TestNews } from './reporter.ts'

export interface RunOptions {
  readonly root: string
  /** A folder for files of this run. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Options of node. */
  readonly options: readonly string[]
  /** A process in which no test begins or ends for this long is stopped. */
  readonly longestSilenceMs: number
  /** A process that does not end this long after its last test is stopped, and what it left open is named. */
  readonly longestAfterTestsMs: number
  /** How many processes want a processor, as the system counts them. */
  readonly load?: () => number
  /** Also writes down what node prints about each test. */
  readonly isDetailed: boolean
}

export interface FileResult {
  readonly file: string
  passed: number
  failed: number
  skipped: number
  milliseconds: number
}

export interface Failure {
  readonly where: string
  readonly name: string
  readonly reason: string
}

/** The result of one process. */
export interface ShareResult {
  readonly files: readonly FileResult[]
  readonly failures: readonly Failure[]
  /** Why tests were skipped, and how many. */
  readonly skips: ReadonlyMap<string, number>
  /** What the process printed. */
  readonly output: string
}

const running = new Set<ChildProcess>()

/** Ends a process of tests, and what it has started. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Ends everything that runs, when the runner itself is ended. */
export function endAll(): void {
  for (const child of running) end(child, 'SIGTERM')
}

/** How long a process has to end what it started. */
const GRACE_MS = 5_000
const reporter = new URL('./reporter.ts', import.meta.url).href

/** How many shares run at once: most tests also wait, for timers and other processes. */
export const PLACES = Math.ceil(3.5 * availableParallelism())

/** How many times slower this machine is now than with these tests alone, as its system counts who waits. */
function slowness(load: number): number {
  return Math.max(1, load / PLACES)
}

let shares = 0

/** The file that node runs: the only one, or one that imports them all. */
function entryOf({ files }: Share, { root, folder }: RunOptions): string {
  const [only = ''] = files
  if (files.length === 1) return join(root, only)
  const entry = join(folder, `share-${++shares}.mjs`)
  writeFileSync(entry, files.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`).join(''))
  return entry
}

function start(share: Share, options: RunOptions): ChildProcess {
  const printing = options.isDetailed ? ['--test-reporter=spec', '--test-reporter-destination=stdout'] : []
  const flags = [...printing, `--test-reporter=${reporter}`, '--test-reporter-destination=stderr', ...options.options]
  const child = spawn(process.execPath, [...flags, entryOf(share, options)], {
    cwd: options.root,
    env: { ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own, which can be ended as a whole.
    detached: true,
  })
  running.add(child)
  return child
}

/** What is known about the tests of a process. */
class Watched {
  readonly files = new Map<string, FileResult>()
  readonly failures: Failure[] = []
  readonly skips = new Map<string, number>()
  isComplete = false
  /** The tests that have begun and not ended. */
  readonly #open = new Map<string, string>()
  /** The test whose result comes next, after those around it. */
  readonly #path: string[] = []
  #hasEnded = false
  #leftOpen: readonly LeftOpen[] = []
  readonly #root: string
  readonly #first: FileResult

  constructor({ files: [first = '', ...others] }: Share, root: string) {
    this.#root = root
    this.#first = this.#add(first)
    for (const file of others) this.#add(file)
  }

  #add(file: string): FileResult {
    const result = { file, passed: 0, failed: 0, skipped: 0, milliseconds: 0 }
    this.files.set(file, result)
    return result
  }

  note(news: TestNews): void {
    if (news.type === 'left open') this.#leftOpen = news.open
    if (news.type === 'complete') this.isComplete = true
    if (news.type === 'begun') this.#open.set(`${news.nesting} ${news.line} ${news.name}`, news.name)
    if (news.type === 'ended') {
      this.#open.delete(`${news.nesting} ${news.line} ${news.name}`)
      this.#hasEnded = true
    }
    if (news.type === 'reporting') this.#path.splice(news.nesting, Number.POSITIVE_INFINITY, news.name)
    if (news.type === 'reported') this.#noteResult(news)
  }

  #noteResult(news: TestNews & { readonly type: 'reported' }): void {
    const { name, nesting, file, line, isSuite, milliseconds, result, reason } = news
    const title = [...this.#path.slice(0, nesting), name].join(' › ')
    const path = relative(this.#root, file)
    // Tests that a function of another file declares.
    const results = this.files.get(path) ?? this.#first
    if (nesting === 0) results.milliseconds += milliseconds
    if (!isSuite || result === 'skipped') results[result]++
    if (result === 'skipped') {
      const why = reason ?? 'without a reason'
      this.skips.set(why, (this.skips.get(why) ?? 0) + 1)
    }
    if (result !== 'failed' || reason === undefined) return
    if (isSuite) results.failed++
    this.failures.push({ where: `${path}:${line}`, name: title, reason })
  }

  /** Whether a test is running now. */
  get isBusy(): boolean {
    return this.#open.size > 0
  }

  /** Whether tests have run, and none is running now. */
  get isBetweenTests(): boolean {
    return this.#hasEnded && !this.isBusy
  }

  /** Records that the process did not end after its tests, for each file that left something open. */
  failOpen(seconds: number): void {
    const reason = `The process did not end within ${seconds} s after its last test. It was left open: `
    const named = Map.groupBy(this.#leftOpen, ({ file }) => relative(this.#root, file))
    for (const [path, open] of named) {
      const result = this.files.get(path)
      if (result === undefined && [...named.keys()].some((other) => this.files.has(other))) continue
      const results = result ?? this.#first
      results.failed++
      const what = open.map((one) => (one.file === '' ? one.what : `${one.what}, by ${relative(this.#root, one.file)}`))
      this.failures.push({ where: results.file, name: '', reason: reason + what.join('; ') })
    }
    if (named.size === 0) this.fail(`${reason}nothing that Node knows the name of.`)
  }

  /** Records that the process itself failed. */
  fail(reason: string): void {
    this.#first.failed++
    this.failures.push({ where: [...this.files.keys()].join(', '), name: [...this.#open.values()].join(' › '), reason })
  }
}

/** Runs the tests of a share; never rejects. */
export async function runShare(share: Share, options: RunOptions): Promise<ShareResult> {
  const watched = new Watched(share, options.root)
  const child = start(share, options)
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))

  let stopped: 'silent' | 'open' | undefined
  const stop = (why: 'silent' | 'open'): void => {
    stopped = why
    end(child, 'SIGTERM')
    setTimeout(() => end(child, 'SIGKILL'), GRACE_MS).unref()
  }
  const { longestSilenceMs, longestAfterTestsMs, load = () => loadavg()[0] ?? 0 } = options
  let silence: NodeJS.Timeout | undefined
  /** A machine with more to do than these tests gets more time: what it is asked then is not whether it is quick. */
  const after = (milliseconds: number, act: () => void, since = performance.now()): void => {
    const left = since + milliseconds * slowness(load()) - performance.now()
    silence = setTimeout(() => (left > 0 ? after(milliseconds, act, since) : act()), Math.max(0, left))
  }
  /** After the last test the process is asked what it left open, and stopped when it has answered or cannot. */
  const waitForMore = (): void => {
    if (!watched.isBetweenTests) after(longestSilenceMs, () => stop('silent'))
    else
      after(longestAfterTestsMs, () => {
        if (child.connected) child.send('what is open?', () => {})
        after(GRACE_MS, () => stop('open'))
      })
  }
  waitForMore()
  child.on('message', (news: TestNews) => {
    watched.note(news)
    if (stopped !== undefined) return
    clearTimeout(silence)
    if (news.type === 'left open') stop('open')
    else waitForMore()
  })
  const ended = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code === 0 ? '' : `code ${code ?? signal}`))
  })
  clearTimeout(silence)
  running.delete(child)
  // Servers that the tests forgot to stop would run on.
  end(child, 'SIGKILL')
  const output = Buffer.concat(chunks).toString()
  if (stopped === 'open') watched.failOpen(longestAfterTestsMs / 1000)
  else if (stopped === 'silent') {
    const what = watched.isBusy ? 'no test began or ended' : 'a file is still being loaded'
    watched.fail(`It was stopped after ${longestSilenceMs / 60_000} minutes without progress: ${what}.`)
  } else if (!watched.isComplete || (ended !== '' && watched.failures.length === 0)) {
    watched.fail(`The process ended ${watched.isComplete ? 'after' : 'before'} its tests (${ended || 'code 0'}).`)
  }
  return { files: [...watched.files.values()], failures: watched.failures, skips: watched.skips, output }
}
