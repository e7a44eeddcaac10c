/**
 * `npm test`: finds every test, starts PostgreSQL once for all of them and runs them with the Node that runs this.
 * Words after the command select files by part of their path; options (`--test-name-pattern=…`) go to node.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findPostgres, type PostgresServer, serverVariable, startPostgres } from '../test/support/postgres.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const LIMIT_MINUTES = 40

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

async function startForTests(): Promise<PostgresServer | undefined> {
  if (!findPostgres()) installPostgres()
  if (findPostgres()) return await startPostgres()
  const isCi = process.env.CI === 'true'
  console.error(`
  ****************************************************************
  *  PostgreSQL is not installed: every test of that engine is   *
  *  SKIPPED. Install it (Debian: apt-get install postgresql).   *
  ****************************************************************
`)
  if (isCi) {
    console.error('CI=true: not testing PostgreSQL is a failure.')
    process.exit(1)
  }
  return undefined
}

function selectFiles(words: readonly string[]): readonly string[] {
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'], {
    cwd: root,
  }).sort()
  if (words.length === 0) return all
  return all.filter((file) => words.some((word) => file.includes(word.replace(/^\.\//, ''))))
}

/** So many files of tests share a process. */
const FILES_OF_A_PROCESS = 10

/**
 * Replaces the tests of modules by files that import ten of them. Every process loads a thousand modules and runs them
 * for the first time, which takes longer than most of these tests. Each test has a database or a folder of its own.
 */
function shareProcesses(chosen: readonly string[], folder: string): readonly string[] {
  const ofModules = chosen.filter((file) => file.startsWith('src/'))
  const count = Math.ceil(ofModules.length / FILES_OF_A_PROCESS)
  if (count < 2) return chosen
  const shared = Array.from({ length: count }, (_, group) => {
    const file = join(folder, `tests-${group + 1}.mjs`)
    const imported = ofModules.filter((_, index) => index % count === group)
    const lines = imported.map((one) => `import ${JSON.stringify(pathToFileURL(join(root, one)).href)}\n`)
    writeFileSync(file, lines.join(''))
    return file
  })
  return [...shared, ...chosen.filter((file) => !ofModules.includes(file))]
}

const words = process.argv.slice(2)
const options = words.filter((word) => word.startsWith('-'))
const files = selectFiles(words.filter((word) => !word.startsWith('-')))
if (files.length === 0) {
  console.error('No test file matches.')
  process.exit(1)
}

const folder = makeTemporaryFolder()
process.env.TMPDIR = folder
// Hundreds of processes load the same files: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'tests')
const given = process.env[serverVariable]
const server = given ? undefined : await startForTests()

let running: ChildProcess | undefined
process.on('exit', () => running?.kill())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
// A file whose process does not end after its tests would hold everything up without a word.
setTimeout(() => {
  console.error(`The tests did not end within ${LIMIT_MINUTES} minutes: a test left something open.`)
  process.exit(1)
}, LIMIT_MINUTES * 60_000).unref()

/** Runs test files, so many at once. Resolves with whether all passed. */
function run(chosen: readonly string[], atOnce: number): Promise<boolean> {
  if (chosen.length === 0) return Promise.resolve(true)
  const flags = [`--test-concurrency=${atOnce}`, '--test-timeout=900000', ...options]
  const env = { ...process.env, [serverVariable]: given ?? server?.url() ?? 'none' }
  running = spawn(process.execPath, ['--test', ...flags, ...chosen], { cwd: root, stdio: 'inherit', env })
  return new Promise((resolve) => running?.on('exit', (code) => resolve(code === 0)))
}

// Most tests also wait, for timers and other processes. A browser keeps the processors busy by itself.
const needsBrowser = (file: string) => file.includes('e2e/')
const passed = [
  await run(
    shareProcesses(
      files.filter((file) => !needsBrowser(file)),
      folder,
    ),
    2 * availableParallelism(),
  ),
  await run(files.filter(needsBrowser), availableParallelism()),
]
await server?.remove()
process.exit(passed.every(Boolean) ? 0 : 1)
