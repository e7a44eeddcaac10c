/**
 * `node test/adoption/run.ts [row …]`: each row of the list of frameworks from an empty folder to signed in and out in a real
 * Chromium, by its printed lines, and how long that takes: with empty caches, and once more with what the first run left
 * there. Without names, all rows that run in a browser. The exit code is 1 when one does not work.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FRAMEWORK_NAMES, FRAMEWORKS, type FrameworkName } from '../../packages/create/frameworks/index.ts'
import { addPersonWithPassword, startPublicly } from '../e2e/signing-in.ts'
import { freePort } from '../support/free-port.ts'
import { signInAndOut } from './in-browser.ts'
import { runRow, withoutProgram } from './row.ts'

/** What a row may take with warm caches, on two cores with nothing else to do. */
const LIMIT_S = 60

const runnable = FRAMEWORK_NAMES.filter((name) => FRAMEWORKS[name].runs === 'in a browser')
const words = process.argv.slice(2)
const unknown = words.filter((word) => !runnable.some((name) => name === word))
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')} that runs in a browser. Rows: ${runnable.join(', ')}.`)
  process.exit(2)
}

/** Where each program keeps what it has downloaded and built. */
function cachesIn(folder: string): Readonly<Record<string, string>> {
  return {
    HOME: folder,
    npm_config_cache: join(folder, 'npm'),
    PIP_CACHE_DIR: join(folder, 'pip'),
    GOPATH: join(folder, 'go'),
    GOCACHE: join(folder, 'go-build'),
    // Otherwise nothing could remove it.
    GOFLAGS: '-modcacherw',
    MAVEN_ARGS: `-Dmaven.repo.local=${join(folder, 'maven')}`,
  }
}

const people = await startPublicly()
await addPersonWithPassword(people, 'ada')

/** Seconds from the first line to signed out. */
async function timed(name: FrameworkName, caches: Readonly<Record<string, string>>): Promise<number> {
  const began = performance.now()
  const row = await runRow(people, name, `http://localhost:${await freePort()}`, caches)
  try {
    await signInAndOut(people, row.address)
    return (performance.now() - began) / 1000
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${row.output()}`)
  } finally {
    await row.close()
  }
}

for (const name of runnable.filter((one) => words.length === 0 || words.includes(one))) {
  const { label } = FRAMEWORKS[name]
  const missing = withoutProgram(name)
  if (missing !== false) {
    console.log(`${label}: skipped, ${missing}`)
    continue
  }
  const folder = await mkdtemp(join(tmpdir(), 'signet-caches-'))
  try {
    const [cold, warm] = [await timed(name, cachesIn(folder)), await timed(name, cachesIn(folder))]
    const verdict = warm < LIMIT_S ? '' : `, longer than ${LIMIT_S} s`
    console.log(`${label}: ${warm.toFixed(1)} s${verdict}; with empty caches ${cold.toFixed(1)} s`)
  } catch (error) {
    console.log(`${label}: FAILED\n${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
await people.close()
