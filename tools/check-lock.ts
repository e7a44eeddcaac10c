/**
 * The lock file does not say which Node a package wants: every package runs with the Node that package.json pins, and npm,
 * which may itself run with an older one, would warn about each of them. `--fix` removes what npm has written.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { reportProblems } from './problems.ts'

const file = new URL('../package-lock.json', import.meta.url)

interface LockFile {
  readonly packages: Record<string, { engines?: unknown }>
}

const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
const found = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && entry.engines !== undefined)

export const problems =
  found.length === 0
    ? []
    : [`package-lock.json has engines in ${found.length} entries: run node tools/check-lock.ts --fix`]

if (import.meta.main && process.argv.includes('--fix')) {
  for (const [, entry] of found) delete entry.engines
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
} else if (import.meta.main) {
  reportProblems(problems)
}
