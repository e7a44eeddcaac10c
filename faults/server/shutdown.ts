/** SIGTERM under load: a load balancer that watches readiness sees no failed request, and the process ends with 0. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callApi, startServerProcess } from '../../test/support/server-process.ts'
import { grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const CLIENTS = 8
const POLL_MS = 20

interface Seen {
  served: number
  failed: number
  /** Ends with another code than 0. */
  badExits: number
  longestMs: number
}

/** Like a load balancer: sends requests only while the server says that it is ready. */
async function watchReadiness(url: string, readiness: { isReady: boolean }): Promise<void> {
  while (readiness.isReady) {
    const isReady = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isReady) readiness.isReady = false
    await sleep(POLL_MS)
  }
}

async function stopUnderLoad(signal: NodeJS.Signals, delaySeconds: number, seen: Seen): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-stop-'))
  try {
    const settings = { SIGNET_DATA_DIR: folder, SIGNET_LOG_LEVEL: 'error', SIGNET_SHUTDOWN_DELAY: String(delaySeconds) }
    const server = await startServerProcess('main', ['start'], settings)
    const url = await server.url
    const readiness = { isReady: true }
    const watching = watchReadiness(url, readiness)
    const keepCalling = async () => {
      while (readiness.isReady) {
        const answer = await callApi(url, folder, 'POST', '/v2/sessions', {}).catch(() => undefined)
        if (answer?.status === 201) seen.served++
        else seen.failed++
      }
    }
    const clients = Array.from({ length: CLIENTS }, keepCalling)
    await sleep(200 + Math.random() * 400)
    const began = performance.now()
    server.child.kill(signal)
    const code = await server.ended
    seen.longestMs = Math.max(seen.longestMs, performance.now() - began)
    if (code !== 0) seen.badExits++
    await Promise.all([watching, ...clients])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 2, 100)
  const seen: Seen = { served: 0, failed: 0, badExits: 0, longestMs: 0 }
  for (let round = 1; round <= rounds; round++) {
    // The load balancer of a busy machine looks late.
    await stopUnderLoad('SIGTERM', run.isShort ? 2 : 0.5, seen)
    if (round % 20 === 0) run.say(`${round} stops, ${seen.failed} of ${seen.served + seen.failed} requests failed`)
  }
  const { served, failed, badExits } = seen
  const longestMs = Math.round(seen.longestMs)
  return {
    done: `${rounds} × SIGTERM while ${CLIENTS} clients call, behind a load balancer that watches readiness`,
    figure: `${failed} of ${grouped(served + failed)} requests failed, ${badExits} exit codes other than 0, longest stop ${grouped(longestMs)} ms`,
    figures: { rounds, served, failed, badExits, longestMs },
    isMet: failed === 0 && badExits === 0 && served > 0,
  }
}

export const shutdown: Scenario = {
  name: 'shutdown',
  title: 'SIGTERM under load: no request fails, and the exit code is 0',
  required: '0 failed, 0 exit codes other than 0',
  measure,
  control: {
    what: 'kill -9 instead of SIGTERM',
    async run() {
      const seen: Seen = { served: 0, failed: 0, badExits: 0, longestMs: 0 }
      for (let round = 0; round < 3 && seen.failed === 0; round++) await stopUnderLoad('SIGKILL', 0, seen)
      return { figure: `${seen.failed} of ${grouped(seen.served + seen.failed)} failed`, isCaught: seen.failed > 0 }
    },
  },
}
