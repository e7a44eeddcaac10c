/** The built server of a checkout, and whether it was built from the sources that are there now. Plain JavaScript. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where `npm ci` writes it. */
export const folder = join(root, 'dist', 'checkout')

const FOLDERS = ['src', 'contract/gen', 'console/dist', 'packages/create']

/**
 * Beside them: what the generated code imports, what npm writes whenever it changes an installed package, and one of the
 * files that a build of the documentation writes anew.
 */
const FILES = ['contract/describe-file.ts', 'node_modules/.package-lock.json', 'docs/dist/index.html']

/** The file in the folder with the state of the sources. */
export const STATE_FILE = 'built-from.txt'

/**
 * The names, sizes and times of all source files, except tests, and of the list of packages, as a digest. Reading the
 * files themselves would take five times as long. Times count in seconds, because container images do not keep more.
 */
export function stateOfSources() {
  let state = ''
  const add = (/** @type {string} */ file) => {
    const stat = statSync(root + file, { throwIfNoEntry: false })
    if (stat?.isFile()) state += `${file} ${stat.size} ${Math.floor(stat.mtimeMs / 1000)}\n`
  }
  for (const name of FOLDERS) {
    for (const file of readdirSync(root + name, { recursive: true, encoding: 'utf8' }).sort())
      if (!file.endsWith('.test.ts')) add(`${name}/${file}`)
  }
  for (const file of FILES) add(file)
  return createHash('sha256').update(state).digest('hex')
}

/** The address of a script of the build; undefined when there is none or a source was changed since. */
export function findBuild(script = 'main') {
  try {
    if (readFileSync(join(folder, STATE_FILE), 'utf8') !== stateOfSources()) return undefined
    return new URL(`../../dist/checkout/${script}.js`, import.meta.url).href
  } catch {
    return undefined
  }
}
