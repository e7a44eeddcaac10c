/**
 * The event stream: what 1,000 subscribers of one node notice of 5,000 events a second that another process commits. The lag
 * is the time from the beginning of a write to the arrival of its event, so that it includes the commit. In the first round
 * each subscriber follows one organization; in the second, some follow everything.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askChild } from './child.ts'
import { sleep } from './load.ts'
import { addAdministrator, type Signet, startSignet, UNLIMITED } from './signet.ts'
import { percentile } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

const SUBSCRIBERS = 1_000
const EVENTS_PER_SECOND = 5_000
/** Of those who follow everything. */
const GREEDY = 20
const STREAMS_OF_A_CALLER = 50
const WARM_UP_MS = 5_000
const SECONDS = 15
/** Every tenth lag is kept. */
const SAMPLED = 10

const CREATED = /"creationDate":"([^"]+)"/g

/** Subscribers over HTTP/1.1, and what they have received. */
class Subscribers {
  readonly #sockets: Socket[] = []
  events = 0
  lags: number[] = []

  async add(port: number, token: string, query: string): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    this.#sockets.push(socket)
    socket.write(`GET /v2/events/stream?${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    if (!head.toString().startsWith('HTTP/1.1 200')) throw new Error(head.toString())
    socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')))
  }

  #take(text: string): void {
    const now = Date.now()
    for (const [, created = ''] of text.matchAll(CREATED)) {
      if (this.events++ % SAMPLED === 0) this.lags.push(now - Date.parse(created))
    }
  }

  reset(): void {
    this.events = 0
    this.lags = []
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

async function startWriter(dataFolder: string, organizations: number) {
  const args = [dataFolder, String(organizations), String(EVENTS_PER_SECOND)]
  const child = fork(new URL('stream-writer.ts', import.meta.url), args)
  await once(child, 'message')
  return {
    /** Begins to write, or tells how many events were written. */
    ask: (question: 'start' | 'written') => askChild(child, question) as Promise<number>,
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

interface Figures {
  readonly written: number
  readonly received: number
  readonly p50: number
  readonly p99: number
  readonly processors: number
  readonly megabytes: number
  readonly idleMegabytes: number
}

async function measure(count: number, greedy: number): Promise<Figures> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signet-stream-'))
  const server: Signet = await startSignet(undefined, { dataFolder, environment: UNLIMITED })
  const subscribers = new Subscribers()
  try {
    const tokens: string[] = []
    for (let caller = 0; caller < count / STREAMS_OF_A_CALLER; caller++) {
      tokens.push(await addAdministrator(server, `subscriber-${caller}`))
    }
    const writer = await startWriter(dataFolder, count)
    const idleMegabytes = await server.residentMegabytes()
    for (let index = 0; index < count; index++) {
      const query = index < greedy ? '' : `organizationId=streamed-${index}`
      await subscribers.add(server.port, tokens[Math.floor(index / STREAMS_OF_A_CALLER)] ?? '', query)
    }
    await writer.ask('start')
    await sleep(WARM_UP_MS)
    subscribers.reset()
    const [before, processor, began] = [await writer.ask('written'), await server.processorSeconds(), performance.now()]
    await sleep(SECONDS * 1000)
    const seconds = (performance.now() - began) / 1000
    const { events, lags } = subscribers
    const figures = {
      written: ((await writer.ask('written')) - before) / seconds,
      received: events / seconds,
      p50: percentile(lags, 0.5),
      p99: percentile(lags, 0.99),
      processors: ((await server.processorSeconds()) - processor) / seconds,
      megabytes: await server.residentMegabytes(),
      idleMegabytes,
    }
    await writer.stop()
    return figures
  } finally {
    subscribers.close()
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

function rowsOf(what: string, figures: Figures): Row[] {
  const { written, received, p50, p99, processors, megabytes, idleMegabytes } = figures
  return [
    {
      what: `${what}: lag p99`,
      figure: `${p99.toFixed(0)} ms`,
      note: `p50 ${p50.toFixed(0)} ms; ${perSecond(written)} committed, ${perSecond(received)} received`,
    },
    {
      what: `${what}: processor time of the node`,
      figure: `${processors.toFixed(2)} s/s`,
      note: `${megabytes.toFixed(0)} MB, ${idleMegabytes.toFixed(0)} MB before`,
    },
  ]
}

export async function benchStream(count = SUBSCRIBERS): Promise<Row[]> {
  return [
    ...rowsOf(`${count} streams of one organization each`, await measure(count, 0)),
    ...rowsOf(`${count} streams, ${GREEDY} of them of everything`, await measure(count, GREEDY)),
  ]
}
