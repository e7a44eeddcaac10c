/** Random HTTP/2 frames and HTTP/1.1 bytes against a running server: it lives, and honest clients are served. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { callApi } from '../../test/support/server-process.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import type { Attack } from './hostile-child.ts'
import {
  describeSurvival,
  figuresOf,
  hasSurvived,
  MOST_MEGABYTES,
  type Survival,
  surviving,
  type Watched,
  type WatchedSignet,
  watchBare,
  watchSignet,
} from './survival.ts'

const CHILD = fileURLToPath(new URL('hostile-child.ts', import.meta.url))
/** The first attack compiles code and grows the heap; a later one must not add to that. */
const WARM_UP_SECONDS = 15
/** What the server reports when it contained an error, or a request failed by its own fault. */
const FAULT = /unexpected error outside of a request|request failed/

async function attack({ port }: Watched, seed: number, seconds: number, large: string): Promise<Attack> {
  const words = [CHILD, port, seed, Math.round(seconds * 1_000), large].map(String)
  const { stdout } = await promisify(execFile)(process.execPath, words)
  return JSON.parse(stdout) as Attack
}

/** A logo, which anybody may ask for: the largest answer that every server has. */
async function uploadLarge({ url, dataDir }: WatchedSignet): Promise<string> {
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
  const form = new FormData()
  form.set('file', new Blob([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500 * 1024)]), 'logo')
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${url}/assets/v1/instance/policy/label/logo`, { method: 'POST', body: form, headers })
  const draft = JSON.stringify((await callApi(url, dataDir, 'GET', '/admin/v1/policies/label/_preview')).body)
  const path = /\/assets\/v1\/\w+\/\w+\.png/.exec(draft)?.[0]
  if (path === undefined) throw new Error(`there is no logo: ${draft}`)
  return path
}

/** The lines of the log about errors that were the server's own. */
function faultsOf({ stderr }: Watched): readonly string[] {
  return stderr()
    .split('\n')
    .filter((line) => FAULT.test(line))
}

function sayHowToRepeat(run: Run, { outcome: { seed, suspects } }: Survival<Attack>, large: string): void {
  const first = Math.min(...(suspects ?? [0]))
  run.say(`repeat it with: node faults/network/hostile-child.ts PORT ${seed} 60000 ${large} ${first}`)
}

async function measure(run: Run): Promise<Measured> {
  const seconds = roundsOf(run, 4, 60)
  // A test tries the same connections each time.
  const seed = run.isShort ? 1 : Math.floor(Math.random() * 2 ** 31)
  run.say(`seed ${seed}`)
  await using cleanUp = new AsyncDisposableStack()
  const server = await watchSignet(cleanUp)
  const large = await uploadLarge(server)
  if (!run.isShort) await attack(server, seed + 1, WARM_UP_SECONDS, large)
  const survival = await surviving(run, server, () => attack(server, seed, seconds, large))
  const faults = faultsOf(server)
  for (const line of faults.slice(0, 5)) run.say(line)
  server.child.kill('SIGTERM')
  const exitCode = await server.ended
  const isMet = hasSurvived(run, survival) && faults.length === 0 && exitCode === 0
  if (!isMet) sayHowToRepeat(run, survival, large)
  const { connections, http2, unread, http1, frames, writes, megabytes } = survival.outcome
  return {
    done: `${grouped(connections)} hostile connections in ${seconds} s: ${grouped(http2)} over HTTP/2, ${grouped(unread)} that read no answer, ${grouped(http1)} over HTTP/1.1; ${grouped(frames)} frames, ${grouped(megabytes)} MB, seed ${seed}`,
    figure: `${describeSurvival(server, survival)}; ${faults.length} errors in the log, exit code ${exitCode}`,
    figures: {
      ...figuresOf(survival),
      connections,
      http2,
      unread,
      http1,
      frames,
      writes,
      megabytes,
      seed,
      faults: faults.length,
    },
    isMet,
  }
}

/** The same generator must end servers that lack one of the two protections. */
async function attackBareServers(run: Run): Promise<Caught> {
  const fates: string[] = []
  let caught = 0
  for (const lacking of ['throws', 'frees'] as const) {
    await using cleanUp = new AsyncDisposableStack()
    const server = await watchBare(cleanUp, lacking)
    const quiet = { ...run, say: () => {} }
    const survival = await surviving(quiet, server, () => attack(server, 1, 60, '/'))
    if (survival.death !== undefined && !hasSurvived(run, survival)) caught++
    fates.push(`${lacking}: ${survival.death ?? 'lives'} after ${grouped(survival.outcome.connections)} connections`)
  }
  return { figure: fates.join(', '), isCaught: caught === fates.length }
}

export const hostile: Scenario = {
  name: 'hostile',
  title: 'random HTTP/2 frames and HTTP/1.1 bytes end no process, and no request of an honest client',
  required: `the process still serves, 0 honest requests failed, 0 errors in the log, exit code 0; memory below +${MOST_MEGABYTES} MB`,
  measure,
  control: {
    what: "Node's own HTTP/2 with a listener that throws, and with sessions that are freed before their streams",
    run: attackBareServers,
  },
}
