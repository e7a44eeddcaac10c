/** `kill -9` while a webhook gets events: every event that was acknowledged arrives, in order for each object. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { callApi, type Running, startServerProcess } from '../../test/support/server-process.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const WRITERS = 4
const OBJECTS = 8
/** How long to wait for the last deliveries after the last restart. */
const PATIENCE_MS = 120_000

interface Arrivals {
  readonly url: string
  /** The revisions that arrived, by object, in the order of their first arrival. */
  readonly seen: ReadonlyMap<string, readonly number[]>
  readonly total: () => number
}

/** Counts what arrives. A careless receiver answers before it has stored the event, and loses every tenth. */
async function openReceiver(cleanUp: AsyncDisposableStack, isCareless: boolean): Promise<Arrivals> {
  const seen = new Map<string, number[]>()
  let total = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly data: { readonly object: { readonly id: string; readonly revision: number } }
    }
    const { id, revision } = data.object
    total++
    const known = seen.get(id) ?? []
    if (!known.includes(revision) && !(isCareless && total % 10 === 0)) seen.set(id, [...known, revision])
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.defer(() => void server.close())
  cleanUp.defer(() => server.closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen, total: () => total }
}

/** Changes machines until the server is gone; counts what was acknowledged for each. */
async function write(url: string, dataDir: string, ids: readonly string[], acknowledged: Map<string, number>) {
  for (let round = 0; ; round++) {
    const id = ids[round % ids.length] ?? ''
    try {
      const body = { description: `${Date.now()} ${Math.random()}`, name: 'Robot' }
      const { status } = await callApi(url, dataDir, 'PUT', `/management/v1/users/${id}/machine`, body)
      if (status === 200) acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1)
    } catch {
      return
    }
  }
}

async function killWhileWriting(kills: number, isCareless: boolean, say: Run['say']) {
  await using cleanUp = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-deliveries-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const receiver = await openReceiver(cleanUp, isCareless)
  const dataDir = join(folder, 'data')
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  let server: Running | undefined
  cleanUp.defer(() => void server?.child.kill('SIGKILL'))
  const start = async () => {
    const settings = { SIGNET_DATA_DIR: dataDir, SIGNET_LISTEN: listen, SIGNET_ALLOW_PRIVATE_NETWORK: 'true' }
    server = await startServerProcess('main', ['start'], { ...settings, SIGNET_SUPERVISE: 'false' })
    await server.url
    return server
  }
  let running = await start()
  const hook = {
    name: 'Kill',
    endpoint: receiver.url,
    eventTypes: ['user.machine_changed.v1'],
    requestsPerSecond: 1000,
  }
  await callApi(url, dataDir, 'POST', '/v2/webhooks', hook)
  const ids: string[] = []
  for (let number = 0; number < OBJECTS; number++) {
    const machine = { userName: `robot-${number}`, name: 'Robot' }
    ids.push(String((await callApi(url, dataDir, 'POST', '/management/v1/users/machine', machine)).body.userId))
  }
  const acknowledged = new Map<string, number>()
  for (let kill = 1; kill <= kills; kill++) {
    const mine = Array.from({ length: WRITERS }, (_, writer) => ids.filter((_, at) => at % WRITERS === writer))
    const writers = mine.map((some) => write(url, dataDir, some, acknowledged))
    await sleep(300 + Math.random() * 1500)
    running.child.kill('SIGKILL')
    await running.ended
    await Promise.all(writers)
    running = await start()
    say(`${kill} kills, ${receiver.total()} requests`)
  }
  const arrived = (id: string) => receiver.seen.get(id)?.length ?? 0
  const missing = () => ids.reduce((sum, id) => sum + Math.max(0, (acknowledged.get(id) ?? 0) - arrived(id)), 0)
  const events = [...acknowledged.values()].reduce((sum, count) => sum + count, 0)
  // What a careless receiver lost never comes again.
  const isWaiting = () => (isCareless ? receiver.total() < events : missing() > 0)
  for (let waited = 0; isWaiting() && waited < PATIENCE_MS; waited += 100) await sleep(100)
  running.child.kill('SIGTERM')
  await running.ended
  const misplaced = [...receiver.seen.values()].filter((revisions) =>
    revisions.some((revision, at) => revision < (revisions[at - 1] ?? 0)),
  ).length
  const distinct = [...receiver.seen.values()].reduce((sum, { length }) => sum + length, 0)
  return { events, lost: missing(), misplaced, doubled: receiver.total() - distinct }
}

async function measure(run: Run): Promise<Measured> {
  const kills = roundsOf(run, 3, 20)
  const { events, lost, misplaced, doubled } = await killWhileWriting(kills, false, run.say)
  return {
    done: `${kills} × kill -9 of the server while ${WRITERS} clients write and a webhook gets the events`,
    figure: `${lost} lost, ${misplaced} objects out of order, ${doubled} sent twice of ${grouped(events)}`,
    figures: { kills, events, lost, misplaced, doubled },
    isMet: lost === 0 && misplaced === 0 && events > 0,
  }
}

async function loseSome(run: Run): Promise<Caught> {
  const { lost, events } = await killWhileWriting(1, true, run.say)
  return { figure: `${lost} lost of ${grouped(events)}`, isCaught: lost > 0 }
}

export const killDeliveries: Scenario = {
  name: 'kill-deliveries',
  title: 'kill -9 while a webhook gets events: none is lost',
  required: '0 lost, 0 objects out of order',
  measure,
  control: { what: 'a receiver that answers before it stores, and loses every tenth', run: loseSome },
}
