/**
 * `npm run mutants -- <folder>`: turns one operator at a time in the code of a folder and runs the unit tests beside it. A mutant
 * that no test notices is a rule that no test states. Whole-server tests are not run: a rule should not need one. Nothing is
 * written: the changed source is given to the process of the tests alone.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What each operator becomes. Types have none of them between spaces. */
const TURNED: Readonly<Record<string, string>> = {
  ' === ': ' !== ',
  ' !== ': ' === ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' ?? ': ' && ',
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' + ': ' - ',
  ' - ': ' + ',
}
const OPERATORS = new RegExp(
  Object.keys(TURNED)
    .map((one) => one.replace(/[|?+]/g, '\\$&'))
    .join('|'),
  'g',
)
/** As long as the tests of a folder take at most; what takes longer runs in a circle. */
const LONGEST_MS = 60_000

interface Mutant {
  readonly file: string
  readonly at: number
  readonly from: string
  readonly to: string
}

/** The code with comments and texts blanked, each as long as before. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g, (found) => found.replace(/[^\n]/g, '_'))
}

function mutantsOf(file: string): readonly Mutant[] {
  const found = codeOf(readFileSync(file, 'utf8')).matchAll(OPERATORS)
  return [...found].map(({ 0: from, index: at }) => ({ file, at, from, to: TURNED[from] ?? from }))
}

function run(tests: readonly string[], mutant?: Mutant): boolean {
  const words = ['--import', fileURLToPath(new URL('mutate.ts', import.meta.url)), '--test', '--test-isolation=none']
  const env = { ...process.env, ...(mutant && { MUTANT: JSON.stringify(mutant) }) }
  return spawnSync(process.execPath, [...words, ...tests], { env, timeout: LONGEST_MS, stdio: 'ignore' }).status === 0
}

function sentence({ file, at, from, to }: Mutant): string {
  const lines = readFileSync(file, 'utf8').slice(0, at).split('\n')
  const line = readFileSync(file, 'utf8').split('\n')[lines.length - 1]?.trim()
  return `${relative('.', file)}:${lines.length}: “${from.trim()}” as “${to.trim()}” in ${line}`
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('npm run mutants -- <folder>')
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
const tests = files
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(folder, name))
  .filter((name) => !/support\/(?:engines|[\w-]*world)/.test(readFileSync(name, 'utf8')))
const tested = new Set(
  tests.flatMap((name) => [...readFileSync(name, 'utf8').matchAll(/'\.\/([\w-]+\.ts)'/g)].map(([, one]) => one)),
)
const mutants = files.filter((name) => tested.has(basename(name))).flatMap((name) => mutantsOf(resolve(folder, name)))
if (!run(tests)) throw new Error('the tests fail before anything is changed')
const survivors = mutants.filter((mutant) => run(tests, mutant))
for (const mutant of survivors) console.log(sentence(mutant))
console.log(
  `${mutants.length - survivors.length} of ${mutants.length} mutants were noticed by ${tests.length} files of tests`,
)
