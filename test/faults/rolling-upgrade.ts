/**
 * A rolling upgrade under load: two old nodes serve clients, a new one is killed while it builds its documents, two new ones
 * join, the old ones are stopped, and their documents are removed. Every client changes boxes of its own and looks at each change on another node.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { openPostgresSnapshot } from '../../src/store/postgres/transfer.ts'
import { newVerification, verify } from '../../src/store/transfer/index.ts'
import { countedBoxes } from '../support/box-versions.ts'
import { boxes, crates } from '../support/sample-kind.ts'
import type { UpgradeReply } from './upgrade-node.ts'

export interface UpgradeOptions {
  readonly url: string
  readonly documents: number
  readonly clients: number
  /** False shows what happens when commits do not mark what they change. */
  readonly marks: boolean
  /** How many requests are made while both versions serve. */
  readonly requestsBeside: number
  readonly say?: (line: string) => void
}

/** Only old nodes; the new version builds its documents; both serve; the old nodes and their documents leave. */
export type Phase = 'old' | 'building' | 'beside' | 'leaving'

export interface UpgradeFigures {
  readonly requests: number
  readonly refused: readonly string[]
  readonly wrong: readonly string[]
  /** The longest wait of a client in each phase. */
  readonly longestMs: Readonly<Record<Phase, number>>
  /** From the start of the first new node until it was ready. */
  readonly buildMs: number
  /** Requests that were answered during that time. */
  readonly requestsWhileBuilding: number
  /** From the end of the last old node until its documents were gone. */
  readonly removalMs: number
  /** What `signet verify` says at the end. */
  readonly problems: readonly string[]
}

class Node {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: string) => void>()
  #last = 0

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Starts a node and kills it as soon as it says how far its build is. */
  static async startAndKill(arguments_: readonly string[]): Promise<void> {
    const child = fork(fileURLToPath(new URL('upgrade-node.ts', import.meta.url)), arguments_)
    child.on('message', () => child.kill('SIGKILL'))
    await new Promise((resolve) => child.once('exit', resolve))
  }

  static async start(arguments_: readonly string[], onProgress: (text: string) => void): Promise<Node> {
    const file = fileURLToPath(new URL('upgrade-node.ts', import.meta.url))
    const child = fork(file, arguments_)
    const node = new Node(child)
    const ready = new Promise<void>((resolve, reject) => {
      node.#waiting.set(0, () => resolve())
      child.once('exit', (code) => reject(new Error(`a node ended with ${code}`)))
    })
    child.on('message', ({ number, answer }: UpgradeReply) => {
      if (number < 0) onProgress(answer)
      node.#waiting.get(number)?.(answer)
      node.#waiting.delete(number)
    })
    child.on('exit', () => {
      for (const resolve of node.#waiting.values()) resolve('node.gone')
    })
    await ready
    return node
  }

  ask(request: object): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.set(++this.#last, resolve)
      this.#child.send({ ...request, number: this.#last })
    })
  }

  get busy(): number {
    return this.#waiting.size
  }

  async stop(): Promise<void> {
    while (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    await this.ask({ type: 'close' })
    this.#child.disconnect()
    await ended
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Boxes that were packed before, written by SQL: events, documents and claims. */
async function fill(url: string, documents: number): Promise<void> {
  await (await openStore(await openPostgres({ url, poolSize: 1 }), [boxes, crates])).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into events select 1, n, 'box', 'old ' || n, 1, 'box.packed.v1', json_build_object('label', 'label ' || n), 'tester', 'org-1', n
      from generate_series(1, ${documents}) n;
    insert into documents select 1, 'box', 'old ' || n, 'org-1', jsonb_build_object('status', 'packed', 'label', 'label ' || n,
      'search', jsonb_build_object('label', 'label ' || n)), false, 1, n, n, n from generate_series(1, ${documents}) n;
    insert into claims select 1, 'label', 'label ' || n, 'old ' || n, 'box' from generate_series(1, ${documents}) n;
    update instances set sequence = ${documents} where id = 1;
    analyze events; analyze documents; analyze claims`)
  await client.end()
}

/** The clients and what they saw. */
class Load {
  requests = 0
  phase: Phase = 'old'
  readonly longestMs: Record<Phase, number> = { old: 0, building: 0, beside: 0, leaving: 0 }
  readonly refused: string[] = []
  readonly wrong: string[] = []
  nodes: readonly Node[] = []
  isOver = false
  readonly #documents: number

  constructor(documents: number) {
    this.#documents = documents
  }

  async #ask(request: object): Promise<string> {
    const nodes = this.nodes
    const node = nodes[Math.floor(Math.random() * nodes.length)]
    const began = performance.now()
    const answer = (await node?.ask(request)) ?? 'node.gone'
    this.longestMs[this.phase] = Math.max(this.longestMs[this.phase], performance.now() - began)
    this.requests += 1
    return answer
  }

  /** Changes the boxes `old n` with its own numbers, and new ones, until it is over. */
  async runClient(client: number, clients: number): Promise<void> {
    const changes = new Map<string, number>()
    const size = Math.floor(this.#documents / clients)
    for (let round = 0; !this.isOver; round += 1) {
      const isNew = round % 10 === 9
      const number = client + clients * Math.floor(Math.random() * size) + 1
      const id = isNew ? `new ${client} ${round}` : `old ${number}`
      const label = `${client} ${round}`
      const known = isNew ? 0 : (changes.get(id) ?? 1)
      const written = await this.#ask({ type: isNew ? 'pack' : 'relabel', id, label })
      if (written !== 'ok') {
        this.refused.push(written)
        continue
      }
      changes.set(id, known + 1)
      const seen = await this.#ask({ type: 'look', id, label, changes: known + 1 })
      if (seen === 'ok') continue
      if (/^[a-z]+\.[a-z_]+$/.test(seen)) this.refused.push(seen)
      else this.wrong.push(`${id}: ${seen}`)
    }
  }
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function checkAll(url: string): Promise<readonly string[]> {
  const snapshot = await openPostgresSnapshot(url)
  const found = newVerification()
  await verify(snapshot, [countedBoxes, crates], found).finally(() => snapshot.close())
  return found.problems
}

/** Runs the whole upgrade and returns what clients saw. */
export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeFigures> {
  const { url, documents, clients, marks, requestsBeside, say = () => {} } = options
  await fill(url, documents)
  say(`${documents} documents written`)
  const started: Node[] = []
  const argumentsOf = (version: 1 | 2, retireAfterMs = 600_000): readonly string[] => {
    return [url, String(version), marks ? 'yes' : 'no', String(retireAfterMs)]
  }
  const start = async (version: 1 | 2, retireAfterMs?: number): Promise<Node> => {
    const node = await Node.start(argumentsOf(version, retireAfterMs), (text) => say(`building: ${text}`))
    started.push(node)
    return node
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const old = [await start(1), await start(1)]
    const load = new Load(documents)
    load.nodes = old
    const running = Promise.all(Array.from({ length: clients }, (_, index) => load.runClient(index, clients)))
    const more = async (count: number) => {
      const end = load.requests + count
      await until(() => load.requests >= end)
    }
    await more(options.requestsBeside / 5)

    say('starting the new version')
    load.phase = 'building'
    const began = performance.now()
    const before = load.requests
    await Node.startAndKill(argumentsOf(2))
    say('killed during the build, and started again')
    const first = await start(2)
    const buildMs = performance.now() - began
    const requestsWhileBuilding = load.requests - before
    say(`built in ${(buildMs / 1000).toFixed(1)} s, ${requestsWhileBuilding} requests meanwhile`)
    load.phase = 'beside'
    load.nodes = [...old, first]
    const second = await start(2)
    load.nodes = [...old, first, second]
    await more(requestsBeside)

    say('stopping the old nodes')
    load.phase = 'leaving'
    for (const node of old) {
      load.nodes = load.nodes.filter((one) => one !== node)
      await node.stop()
      await more(50)
    }
    const stopped = performance.now()
    // No old node is left; this one does not wait ten minutes to be sure.
    const third = await start(2, 300)
    load.nodes = [first, second, third]
    await until(async () => (await client.query(`select from documents where kind = 'box' limit 1`)).rows.length === 0)
    const removalMs = performance.now() - stopped
    await more(50)
    load.isOver = true
    await running
    await Promise.all(load.nodes.map((node) => node.stop()))
    const { requests, refused, wrong, longestMs } = load
    const { rows } = await client.query('select deadlocks from pg_stat_database where datname = current_database()')
    say(`deadlocks: ${rows[0]?.deadlocks}; checking every document`)
    const problems = await checkAll(url)
    return { requests, refused, wrong, longestMs, buildMs, requestsWhileBuilding, removalMs, problems }
  } finally {
    for (const node of started) node.kill()
    await client.end()
  }
}
