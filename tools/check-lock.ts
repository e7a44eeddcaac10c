/**
 * The lock files do not say which Node a package wants: every package runs with the Node that package.json pins, and npm,
 * which may itself run with an older one, would warn about each of them. `--fix` removes what npm has written.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { reportProblems } from './problems.ts'

interface LockFile {
  readonly packages: Record<string, { engines?: unknown }>
}

const locks = ['package-lock.json', 'tools/package-lock.json'].map((name) => {
  const file = new URL(`../${name}`, import.meta.url)
  const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
  const found = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && entry.engines !== undefined)
  return { name, file, lock, found }
})

export const problems = locks
  .filter(({ found }) => found.length > 0)
  .map(({ name, found }) => `${name} has engines in ${found.length} entries: run node tools/check-lock.ts --fix`)

if (import.meta.main && process.argv.includes('--fix')) {
  for (const { file, lock, found } of locks) {
    for (const [, entry] of found) delete entry.engines
    if (found.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  }
} else if (import.meta.main) {
  reportProblems(problems)
}
