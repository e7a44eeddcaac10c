/**
 * `npm run check`: format, lint, types, and every rule that a script can prove, at once. Prints what failed and what
 * it said; the exit code is 1 then. Formatter and compiler look only at what changed since they last passed.
 */
import '../src/config/compile-cache.js'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GeneratedFile } from './generated-file.ts'
import { problemsOf } from './generated-file.ts'
import { digestOf, readPassed, writePassed } from './passed-before.ts'
import { programs } from './programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Check {
  readonly name: string
  /** What is wrong, in lines; nothing when it passes. */
  run(): Promise<readonly string[]>
}

function runBinary(
  name: string,
  words: readonly string[],
  { env = {}, folder = join(root, 'node_modules/.bin') }: { env?: NodeJS.ProcessEnv; folder?: string } = {},
): Promise<readonly string[]> {
  const file = join(folder, name)
  const options = { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, ...env } }
  return new Promise((resolve) => {
    execFile(file, words, options, (error, stdout, stderr) => {
      resolve(error ? [`${stdout}${stderr}`.trimEnd() || error.message] : [])
    })
  })
}

/** Format and lint of the code; prose is formatted by those who write it. Every rule looks at one file by itself. */
async function checkFormat(): Promise<readonly string[]> {
  const files = globSync(
    ['{src,test,bench,faults,tools,examples,packages,console,docs/.vitepress}/**/*.*', 'package.json'],
    {
      cwd: root,
      exclude: ['**/node_modules', '**/dist'],
    },
  )
  const rules = digestOf(['biome.json', 'tools/package-lock.json'])
  const digests = new Map(files.map((file) => [file, `${rules} ${digestOf([file])}`]))
  const passed = readPassed('biome')
  const changed = files.filter((file) => !passed.has(digests.get(file) ?? ''))
  if (changed.length === 0) return []
  const words = ['ci', '--colors=off', '--files-ignore-unknown=true', '--no-errors-on-unmatched', ...changed]
  const problems = await runBinary('biome', words, { folder: programs() })
  if (problems.length === 0) writePassed('biome', digests.values())
  return problems
}

/**
 * One checker instead of four, which would each work out the types they share, and no collection of memory that is free
 * again in seconds: together half of the processor time.
 */
function checkTypes(project: string): Promise<readonly string[]> {
  const words = ['--project', project, '--pretty', 'false', '--checkers', '1']
  return runBinary('tsc', words, { env: { GOGC: 'off', GOMEMLIMIT: '3GiB' } })
}

/** The scripts that export their problems. All are loaded here, so that the code they look at is loaded once. */
function rule(file: string): Check {
  return {
    name: basename(file, '.ts'),
    async run() {
      const { problems }: { problems?: readonly string[] } = await import(`./${file}`)
      if (problems === undefined) throw new Error(`tools/${file} exports no problems`)
      return problems
    },
  }
}

/** The scripts that export a page. */
function reference(file: string): Check {
  return {
    name: basename(file, '.ts'),
    async run() {
      const { page }: { page: GeneratedFile } = await import(`./${file}`)
      return problemsOf(page)
    },
  }
}

const tools: readonly Check[] = [
  { name: 'biome', run: checkFormat },
  { name: 'tsc', run: () => checkTypes(root) },
  { name: 'tsc console', run: () => checkTypes(join(root, 'console')) },
]
const scripts: readonly Check[] = [
  ...globSync('check-*.ts', { cwd: import.meta.dirname })
    .sort()
    .map(rule),
  ...globSync('*-reference.ts', { cwd: import.meta.dirname })
    .sort()
    .map(reference),
]

async function passes({ name, run }: Check): Promise<boolean> {
  const problems = await run().catch((error: Error) => [error.stack ?? error.message])
  console.log(`${problems.length > 0 ? '✖' : '✔'} ${name}`)
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '    '))
  return problems.length === 0
}

const running = tools.map(passes)
const ended: boolean[] = []
for (const script of scripts) ended.push(await passes(script))
ended.push(...(await Promise.all(running)))
const failures = ended.filter((one) => !one).length
if (failures > 0) {
  console.log(`${failures} of ${ended.length} checks failed`)
  process.exitCode = 1
}
