/**
 * `npm test`: starts PostgreSQL once for all tests and runs them with the Node that runs this. `--all` runs everything on
 * both engines, `--long` the files that `npm test` left out. Words select files by part of their path, and run them on both
 * engines. `--repeat`, `--beside` and `--cores` look for tests that fail now and then, see tests/options.ts.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from '../test/support/browser.ts'
import {
  engineVariable,
  findPostgres,
  type PostgresServer,
  serverVariable,
  startPostgres,
} from '../test/support/postgres.ts'
import { templatesVariable } from '../test/support/templates.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { readOptions, type TestOptions, USAGE } from './tests/options.ts'
import { planTests, type Share } from './tests/plan.ts'
import { keepOutput, printRepeated, printShare, printSummary, type RunResult } from './tests/print.ts'
import { endAll, PLACES, runShare, type ShareResult } from './tests/run-share.ts'

const LONGEST_SILENCE_MS = 10 * 60_000
const LONGEST_AFTER_TESTS_MS = 30_000

const root = fileURLToPath(new URL('..', import.meta.url))

function installPostgres(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  if (spawnSync('apt-get', ['--version']).status !== 0) return
  console.error('PostgreSQL is missing: installing it with apt-get.')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  if (install().status === 0) return
  spawnSync('apt-get', ['update'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  install()
}

function warn(...lines: readonly string[]): void {
  const frame = '*'.repeat(66)
  console.error(`\n  ${frame}\n${lines.map((line) => `  *  ${line.padEnd(62)}*\n`).join('')}  ${frame}\n`)
}

async function startForTests(): Promise<PostgresServer | undefined> {
  if (!findPostgres()) installPostgres()
  // No test of this server cuts its power; those that stop one start their own.
  if (findPostgres()) return await startPostgres('fsync=off')
  warn(
    'PostgreSQL is not installed: every test of that engine is',
    'SKIPPED. Install it (Debian: apt-get install postgresql).',
  )
  if (process.env.CI === 'true') {
    console.error('CI=true: not testing PostgreSQL is a failure.')
    process.exit(1)
  }
  return undefined
}

function selectFiles(words: readonly string[]): readonly string[] {
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'], {
    cwd: root,
    exclude: ['**/node_modules'],
  }).sort()
  if (words.length === 0) return all
  return all.filter((file) => words.some((word) => file.includes(word.replace(/^\.\//, ''))))
}

function needsBrowser({ files }: Share): boolean {
  return files.some((file) => file.startsWith('test/e2e/'))
}

/** The processor time of all processes of tests that have ended, as Linux counts it; 0 elsewhere. */
function processorMilliseconds(): number {
  const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'utf8') : ''
  // proc_pid_stat(5): fields 16 and 17, in ticks of 10 ms. The name in parentheses can contain spaces.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number)
  return (user + system) * 10
}

/** A browser keeps a processor busy by itself. */
function placesOf(share: Share): number {
  return needsBrowser(share) ? 2 : 1
}

/** Runs the shares, several at once: always the first one that there is room for. */
async function runAll(shares: readonly Share[], run: (share: Share) => Promise<ShareResult>) {
  const results: ShareResult[] = []
  const running = new Set<Promise<void>>()
  let free = PLACES
  const waiting = [...shares]
  while (waiting.length > 0) {
    const next = waiting.findIndex((share) => placesOf(share) <= free)
    const [share] = next === -1 ? [] : waiting.splice(next, 1)
    if (share === undefined) {
      await Promise.race(running)
      continue
    }
    const places = placesOf(share)
    free -= places
    const ended: Promise<void> = run(share).then((result) => {
      results.push(result)
      running.delete(ended)
      free += places
    })
    running.add(ended)
  }
  await Promise.all(running)
  return results
}

function readGiven(): TestOptions {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(1)
  }
}

/** Runs all of this once more, on as many processors as it may use. */
function runOnCores(cores: number): never {
  const others = process.argv
    .slice(2)
    .filter((word, index, all) => !/^--cores/.test(word) && all[index - 1] !== '--cores')
  const words = ['-c', `0-${cores - 1}`, process.execPath, import.meta.filename, ...others]
  const { status, error } = spawnSync('taskset', words, { stdio: 'inherit' })
  if (error !== undefined) console.error(`--cores needs the program taskset: ${error.message}`)
  process.exit(status ?? 1)
}

const { words, extent, repeat, beside, cores, ofNode } = readGiven()
if (cores !== undefined) runOnCores(cores)
const files = selectFiles(words)
if (files.length === 0) {
  console.error('No test file matches.')
  process.exit(1)
}

const lasting = tmpdir()
const folder = makeTemporaryFolder()
process.env.TMPDIR = folder
process.env[templatesVariable] = mkdtempSync(join(folder, 'templates-'))
// Hundreds of processes load the same files: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'tests')
const server = process.env[serverVariable] ? undefined : await startForTests()
const serverUrl = process.env[serverVariable] ?? server?.url() ?? 'none'

const busy: readonly ChildProcess[] = Array.from({ length: beside }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
process.on('exit', () => {
  endAll()
  for (const one of busy) one.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

const shares = planTests(files, { extent, hasPostgres: serverUrl !== 'none' })
if (shares.some(needsBrowser) && findBrowser() === undefined) {
  warn(
    'There is no Chromium: every test in a browser is SKIPPED.',
    'Install it (Debian: apt-get install chromium-headless-shell).',
  )
}

const isDetailed = words.length > 0
const runShares = (outputs: string) =>
  runAll(shares, async (share) => {
    const result = await runShare(share, {
      root,
      folder,
      environment: { ...process.env, [serverVariable]: serverUrl, [engineVariable]: share.engine },
      options: ofNode,
      longestSilenceMs: LONGEST_SILENCE_MS,
      longestAfterTestsMs: LONGEST_AFTER_TESTS_MS,
      isDetailed,
    })
    printShare(result, isDetailed)
    if (outputs !== '') keepOutput(outputs, result)
    return result
  })

// What failures printed stays when the folder of the run is gone.
const outputs = repeat > 1 ? mkdtempSync(join(lasting, 'signet-failures-')) : ''
const runs: RunResult[] = []
for (let run = 0; run < repeat; run++) {
  const [began, used] = [performance.now(), processorMilliseconds()]
  const shares = await runShares(outputs)
  const result = {
    shares,
    milliseconds: performance.now() - began,
    processorMilliseconds: processorMilliseconds() - used,
  }
  runs.push(result)
  printSummary(result)
}
await server?.remove()
if (repeat > 1) printRepeated(runs, outputs)
process.exit(runs.some(({ shares }) => shares.some(({ failures }) => failures.length > 0)) ? 1 : 0)
