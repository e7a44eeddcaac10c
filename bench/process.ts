/** Time to ready on a first start and memory when idle, beside a bare HTTP server of the same runtime. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findBuild } from '../src/config/checkout-build.js'
import { sleep } from './load.ts'
import { alternate } from './rounds.ts'
import { residentMegabytes, startSignet } from './signet.ts'
import { median, spread } from './statistics.ts'
import type { Row } from './table.ts'

const BARE = `require('node:http').createServer((q, s) => s.end('ok')).listen(0, () => console.log('ready'))`
const ROUNDS = 5
/** Until then, everything is loaded that is loaded after the start. */
const IDLE_MS = 2_000

interface Start {
  readonly readyMs: number
  readonly megabytes: number
}

async function startBare(): Promise<Start> {
  const began = performance.now()
  const bare = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(bare.stdout, 'data')
  const readyMs = performance.now() - began
  await sleep(IDLE_MS)
  const megabytes = await residentMegabytes(bare.pid as number)
  bare.kill()
  return { readyMs, megabytes }
}

async function startServer(): Promise<Start> {
  const server = await startSignet()
  await sleep(IDLE_MS)
  const megabytes = await server.residentMegabytes()
  await server.stop()
  return { readyMs: server.readyAfterMs, megabytes }
}

export async function benchProcess(): Promise<Row[]> {
  const { bare, ours } = await alternate({ bare: startBare, ours: startServer }, ROUNDS)
  const rowOf = (what: string, starts: readonly Start[], member: keyof Start): Row => {
    const samples = starts.map((start) => start[member])
    const unit = member === 'readyMs' ? 'ms' : 'MB'
    return { what, figure: `${median(samples).toFixed(0)} ${unit}`, spread: spread(samples), isBare: starts === bare }
  }
  const comparison = (member: keyof Start) => ({
    ratio: median(ours.map((start) => start[member])) / median(bare.map((start) => start[member])),
    of: 'bare runtime',
    note: findBuild() === undefined ? 'from the sources; npm ci makes a build, which starts faster' : 'from the build',
  })
  return [
    rowOf('time to ready, bare runtime', bare, 'readyMs'),
    { ...rowOf('time to ready, first start, SQLite', ours, 'readyMs'), ...comparison('readyMs'), aim: '< 700 ms' },
    rowOf('memory when idle, bare runtime', bare, 'megabytes'),
    { ...rowOf('memory when idle, SQLite', ours, 'megabytes'), ...comparison('megabytes'), aim: '< 110 MB' },
  ]
}
