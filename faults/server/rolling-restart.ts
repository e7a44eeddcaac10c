/** Three nodes on one PostgreSQL are restarted one after the other under load: no request fails, and no read is old. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { callApi, type Running, startServerProcess } from '../../test/support/server-process.ts'
import { postgresObstacle } from '../postgres/restart.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const NODES = 3
const CLIENTS = 6
const POLL_MS = 20

interface Node {
  readonly url: string
  readonly dataDir: string
  isReady: boolean
  running: Running | undefined
}

interface Cluster {
  readonly nodes: readonly Node[]
  start(node: Node): Promise<void>
}

async function openCluster(cleanUp: AsyncDisposableStack, delaySeconds: number): Promise<Cluster> {
  const database = await freshDatabase()
  if (database === undefined) throw new Error('PostgreSQL was there a moment ago')
  cleanUp.defer(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'signet-rolling-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const key = randomBytes(32).toString('base64')
  const nodes: Node[] = []
  for (let number = 0; number < NODES; number++) {
    const url = `http://127.0.0.1:${await freePort()}`
    // One folder for all: it only has the token of the administrator.
    nodes.push({ url, dataDir: join(folder, 'data'), isReady: false, running: undefined })
  }
  cleanUp.defer(async () => {
    for (const { running } of nodes) running?.child.kill('SIGKILL')
    await Promise.all(nodes.map(({ running }) => running?.ended))
  })
  const start = async (node: Node): Promise<void> => {
    node.running = await startServerProcess('main', ['start'], {
      SIGNET_DATA_DIR: node.dataDir,
      SIGNET_LISTEN: new URL(node.url).host,
      SIGNET_DATABASE_URL: database.url,
      SIGNET_MASTER_KEY: key,
      SIGNET_LOG_LEVEL: 'error',
      SIGNET_SHUTDOWN_DELAY: String(delaySeconds),
    })
    await node.running.url
    node.isReady = true
  }
  for (const node of nodes) await start(node)
  return { nodes, start }
}

/** Like a load balancer: knows which nodes say that they are ready. */
async function watchReadiness({ nodes }: Cluster, isOver: () => boolean): Promise<void> {
  const watch = async (node: Node): Promise<void> => {
    while (!isOver()) {
      const isReady = await fetch(`${node.url}/readyz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      )
      node.isReady = isReady
      await sleep(POLL_MS)
    }
  }
  await Promise.all(nodes.map(watch))
}

interface Seen {
  calls: number
  /** Failed at first, and succeeded on another node. */
  retried: number
  /** Failed twice. */
  failed: number
  /** A node did not find what another one had acknowledged. */
  stale: number
  badExits: number
}

function pick({ nodes }: Cluster): Node {
  const ready = nodes.filter(({ isReady }) => isReady)
  return ready[Math.floor(Math.random() * ready.length)] ?? (nodes[0] as Node)
}

async function call(cluster: Cluster, seen: Seen, verb: string, path: string, body?: object) {
  for (let attempt = 1; ; attempt++) {
    seen.calls++
    const { url, dataDir } = pick(cluster)
    const answer = await callApi(url, dataDir, verb, path, body).catch(() => undefined)
    if (answer !== undefined && answer.status < 500) return answer
    if (attempt === 2) {
      seen.failed++
      return undefined
    }
    seen.retried++
  }
}

/** Creates a session on one node and reads it on another, again and again. */
async function keepCalling(cluster: Cluster, seen: Seen, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const created = await call(cluster, seen, 'POST', '/v2/sessions', {})
    if (created === undefined) continue
    const read = await call(cluster, seen, 'GET', `/v2/sessions/${created.body.sessionId}`)
    if (read !== undefined && read.status !== 200) seen.stale++
  }
}

async function restartAll(rounds: number, signal: 'SIGTERM' | 'SIGKILL', delaySeconds: number): Promise<Seen> {
  await using cleanUp = new AsyncDisposableStack()
  const cluster = await openCluster(cleanUp, delaySeconds)
  const seen: Seen = { calls: 0, retried: 0, failed: 0, stale: 0, badExits: 0 }
  let isOver = false
  const work = [
    watchReadiness(cluster, () => isOver),
    ...Array.from({ length: CLIENTS }, () => keepCalling(cluster, seen, () => isOver)),
  ]
  for (let round = 0; round < rounds; round++) {
    for (const node of cluster.nodes) {
      await sleep(300)
      node.running?.child.kill(signal)
      if ((await node.running?.ended) !== 0) seen.badExits++
      await cluster.start(node)
    }
  }
  isOver = true
  await Promise.all(work)
  return seen
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 10)
  // The load balancer of a busy machine looks late.
  const seen = await restartAll(rounds, 'SIGTERM', run.isShort ? 2 : 0.5)
  const { calls, retried, failed, stale, badExits } = seen
  return {
    done: `${NODES} nodes on PostgreSQL restarted one after the other under load, ${rounds} ×`,
    figure: `${failed} of ${grouped(calls)} calls failed with one retry, ${retried} needed it; ${stale} old reads; ${badExits} exit codes other than 0`,
    figures: { rounds, ...seen },
    isMet: failed + stale + badExits === 0 && calls > 0 && (run.isShort || retried <= calls / 10_000),
  }
}

async function killAll(): Promise<Caught> {
  const { calls, retried, failed } = await restartAll(1, 'SIGKILL', 0)
  return { figure: `${retried + failed} of ${grouped(calls)} calls failed at first`, isCaught: retried + failed > 0 }
}

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  title: 'three nodes are restarted one after the other: no call fails, and every node reads what another acknowledged',
  required: '0 failed with one retry, at most 0.01 % need it, 0 old reads',
  obstacle: postgresObstacle,
  measure,
  control: { what: 'kill -9 instead of SIGTERM', run: killAll },
}
