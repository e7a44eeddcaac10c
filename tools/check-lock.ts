/**
 * The lock file does not say which Node a package wants: every package runs with the Node that package.json pins, and npm,
 * which may itself run with an older one, would warn about each of them. `--fix` removes what npm has written.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)

interface LockFile {
  readonly packages: Record<string, { engines?: unknown }>
}

const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
const found = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && entry.engines !== undefined)

if (process.argv.includes('--fix')) {
  for (const [, entry] of found) delete entry.engines
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
} else if (found.length > 0) {
  console.error(`package-lock.json has engines in ${found.length} entries: run node tools/check-lock.ts --fix`)
  process.exitCode = 1
}
