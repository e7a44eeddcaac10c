/**
 * Two nodes on one PostgreSQL send events to webhooks, while the nodes are killed, PostgreSQL is restarted and the receiver is
 * dead for an hour: every event in the log arrives, in order for each object.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { callApi, type Running, startServerProcess } from '../../test/support/server-process.ts'
import { postgresObstacle } from '../postgres/restart.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { MOVED_CLOCK, openClock } from './clock-file.ts'
import { openReceiver, type Receiver } from './deliveries-receiver.ts'

const NODES = 2
const WRITERS = 8
const OBJECTS = 32
const WEBHOOKS = 10
const TYPE = 'user.machine_changed.v1'
/** For how long nothing may arrive before what is missing counts as lost. */
const PATIENCE_MS = 60_000
const LOOK_MS = 2_000
/** How often a node is started at most until it is ready. */
const STARTS = 5
const QUARTER_MS = 900_000

interface Node {
  readonly url: string
  running: Running | undefined
}

interface Cluster {
  readonly postgres: PostgresServer
  readonly nodes: readonly Node[]
  readonly dataDir: string
  readonly pass: (milliseconds: number) => Promise<void>
  start(node: Node): Promise<void>
  kill(node: Node): Promise<void>
}

async function openCluster(cleanUp: AsyncDisposableStack): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-deliveries-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres()
  cleanUp.defer(() => postgres.remove())
  const clock = await openClock(join(folder, 'clock.json'))
  const key = randomBytes(32).toString('base64')
  const dataDir = join(folder, 'data')
  const nodes: Node[] = []
  for (let number = 0; number < NODES; number++) {
    nodes.push({ url: `http://127.0.0.1:${await freePort()}`, running: undefined })
  }
  const kill = async (node: Node): Promise<void> => {
    node.running?.child.kill('SIGKILL')
    await node.running?.ended
    node.running = undefined
  }
  cleanUp.defer(async () => void (await Promise.all(nodes.map(kill))))
  const start = async (node: Node): Promise<void> => {
    const settings = {
      SIGNET_DATA_DIR: dataDir,
      SIGNET_LISTEN: new URL(node.url).host,
      SIGNET_DATABASE_URL: postgres.url(),
      SIGNET_MASTER_KEY: key,
      SIGNET_LOG_LEVEL: 'error',
      SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
      ...clock.settings,
    }
    // Like a supervisor: on a busy machine PostgreSQL may not answer in time.
    for (let attempt = 1; ; attempt++) {
      node.running = await startServerProcess('main', ['start'], settings, { preload: [MOVED_CLOCK] })
      const problem = await node.running.url.then(
        () => undefined,
        (error: unknown) => error,
      )
      if (problem === undefined) return
      if (attempt === STARTS) throw problem
      await sleep(1000)
    }
  }
  for (const node of nodes) await start(node)
  return { postgres, nodes, dataDir, pass: clock.pass, start, kill }
}

/** Adds webhooks that get every change of some machines, and the machines. Returns the ids of these. */
async function prepare({ nodes, dataDir }: Cluster, receiver: Receiver): Promise<readonly string[]> {
  const url = nodes[0]?.url ?? ''
  for (let number = 0; number < WEBHOOKS; number++) {
    const endpoint = `${receiver.url}/${number}`
    const hook = { name: `Hook ${number}`, endpoint, eventTypes: [TYPE], requestsPerSecond: 1000 }
    await callApi(url, dataDir, 'POST', '/v2/webhooks', hook)
  }
  const ids: string[] = []
  for (let number = 0; number < OBJECTS; number++) {
    const machine = { userName: `robot-${number}`, name: 'Robot' }
    ids.push(String((await callApi(url, dataDir, 'POST', '/management/v1/users/machine', machine)).body.userId))
  }
  return ids
}

interface Progress {
  acknowledged: number
  isOver: boolean
}

/** Changes machines until there are enough events, on whichever node answers. */
async function write(cluster: Cluster, ids: readonly string[], events: number, progress: Progress): Promise<void> {
  const { nodes, dataDir } = cluster
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let round = 0; progress.acknowledged < events && !progress.isOver; round++) {
    const { url } = nodes[round % nodes.length] as Node
    const path = `/management/v1/users/${ids[Math.floor(round / nodes.length) % ids.length]}/machine`
    const body = JSON.stringify({ description: randomBytes(8).toString('hex'), name: 'Robot' })
    const answer = await fetch(url + path, { method: 'PUT', headers, body }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => {})
    if (answer?.status === 200) progress.acknowledged++
    else await sleep(5)
  }
}

/** How many events the log has for each machine: what must arrive. */
async function eventsIn({ postgres }: Cluster): Promise<ReadonlyMap<string, number>> {
  const rows = await postgres.query(`select id, count(*) as number from events where type = '${TYPE}' group by id`)
  return new Map(rows.map(({ id, number }) => [String(id), Number(number)]))
}

function countMissing(receiver: Receiver, events: ReadonlyMap<string, number>): number {
  let missing = 0
  for (let number = 0; number < WEBHOOKS; number++) {
    for (const [id, count] of events) missing += receiver.missing(`/${number}`, id, count)
  }
  return missing
}

/** The receiver is dead for an hour of the clock, in which it is tried again and again. */
async function anHourDead({ pass }: Cluster, receiver: Receiver): Promise<void> {
  await receiver.die()
  for (let quarter = 0; quarter < 4; quarter++) {
    await sleep(1500)
    await pass(QUARTER_MS)
  }
  await receiver.live()
}

async function restartPostgres({ postgres }: Cluster, round: number): Promise<void> {
  await (round === 0 ? postgres.stop() : postgres.kill())
  await sleep(500)
  await postgres.start()
}

/** Waits until something is so, or until nothing has arrived for too long. */
async function untilSo(isSo: () => boolean, receiver: Receiver, patienceMs: number, look: () => void): Promise<void> {
  let before = -1
  for (let quietMs = 0; !isSo() && quietMs < patienceMs; quietMs += LOOK_MS) {
    if (receiver.total() > before) quietMs = 0
    before = receiver.total()
    look()
    await sleep(LOOK_MS)
  }
}

interface Faults {
  readonly kills: number
  readonly events: number
  readonly isCareless?: boolean
  readonly patienceMs?: number
}

async function deliverThrough(faults: Faults, say: Run['say']) {
  const { kills, events, isCareless = false, patienceMs = PATIENCE_MS } = faults
  await using cleanUp = new AsyncDisposableStack()
  const receiver = await openReceiver(cleanUp, isCareless)
  const cluster = await openCluster(cleanUp)
  const ids = await prepare(cluster, receiver)
  const progress: Progress = { acknowledged: 0, isOver: false }
  const share = (writer: number) => ids.filter((_, at) => at % WRITERS === writer)
  const wanted = Math.ceil(events / WEBHOOKS)
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(cluster, share(writer), wanted, progress))
  cleanUp.defer(async () => {
    progress.isOver = true
    await Promise.all(writers)
  })
  for (let kill = 0; kill < kills; kill++) {
    // Spread over the whole run, however long it takes.
    const due = (events * kill) / (kills + 1)
    await untilSo(
      () => receiver.distinct() >= due,
      receiver,
      patienceMs,
      () => {},
    )
    await sleep(300 + Math.random() * 1500)
    const node = cluster.nodes[kill % NODES] as Node
    await cluster.kill(node)
    if (kill === 1) await anHourDead(cluster, receiver)
    if (kill === 0 || kill === Math.floor(kills / 2)) await restartPostgres(cluster, kill)
    await cluster.start(node)
    say(`${kill + 1} kills, ${grouped(progress.acknowledged)} events, ${grouped(receiver.distinct())} arrived`)
  }
  await Promise.all(writers)
  const inLog = await eventsIn(cluster)
  const hasAll = () => countMissing(receiver, inLog) === 0
  await untilSo(hasAll, receiver, patienceMs, () => say(`${grouped(receiver.distinct())} arrived`))
  const number = [...inLog.values()].reduce((sum, count) => sum + count, 0) * WEBHOOKS
  const lost = countMissing(receiver, inLog)
  return { events: number, lost, misplaced: receiver.misplaced(), doubled: receiver.doubled() }
}

async function measure(run: Run): Promise<Measured> {
  const kills = run.isShort ? 3 : 20
  const { events, lost, misplaced, doubled } = await deliverThrough(
    { kills, events: roundsOf(run, 2_000, 200_000) },
    run.say,
  )
  return {
    done: `${kills} × kill -9 of one of ${NODES} nodes, 2 restarts of PostgreSQL and a receiver that is dead for an hour, ${WEBHOOKS} webhooks`,
    figure: `${lost} lost, ${misplaced} objects out of order, ${grouped(doubled)} sent twice of ${grouped(events)}`,
    figures: { kills, events, lost, misplaced, doubled },
    isMet: lost === 0 && misplaced === 0 && events > 0,
  }
}

async function loseSome(run: Run): Promise<Caught> {
  const { lost, events } = await deliverThrough(
    { kills: 1, events: 1_000, isCareless: true, patienceMs: 10_000 },
    run.say,
  )
  return { figure: `${lost} lost of ${grouped(events)}`, isCaught: lost > 0 }
}

export const killDeliveries: Scenario = {
  name: 'kill-deliveries',
  title: 'nodes are killed, PostgreSQL restarts and a receiver is dead while webhooks get events: none is lost',
  required: '0 lost, 0 objects out of order',
  obstacle: postgresObstacle,
  measure,
  control: { what: 'a receiver that answers before it stores, and loses every tenth', run: loseSome },
}
