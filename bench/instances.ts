/**
 * Whether several sequences write as many times as much as one: 1, 2, 4 and 8 instances, each a schema of one PostgreSQL with its own
 * pool and 16 writers, while every commit waits for 10 ms, as for a standby. The processor time of a commit must not grow.
 */

import { openStore, type Store } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { findPostgres, startPostgres } from '../test/support/postgres.ts'
import { boxes, by } from '../test/support/sample-kind.ts'
import { processorSecondsOf } from './processor-time.ts'
import { perSecond, type Row } from './table.ts'

const COUNTS = [1, 2, 4, 8]
const WRITERS = 16
const WARM_UP_MS = 1_000
const MEASURED_MS = 6_000

interface Measured {
  readonly rate: number
  /** Milliseconds of processor time for a commit: in PostgreSQL, and here. */
  readonly databaseMs: number
  readonly ownMs: number
}

async function writeTo(store: Store, writer: number, isOver: () => boolean, done: () => void): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const id = `${writer}-${n}`
    await store.write(by('bench'), (work) => work.begin(boxes, id, { type: 'pack', label: id }, 'org-1'))
    done()
  }
}

async function measure(stores: readonly Store[], databaseSeconds: () => number): Promise<Measured> {
  let commits = 0
  let isOver = false
  const writing = stores.flatMap((store) =>
    Array.from({ length: WRITERS }, (_, writer) =>
      writeTo(
        store,
        writer,
        () => isOver,
        () => void commits++,
      ),
    ),
  )
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await pause(WARM_UP_MS)
  const before = { at: performance.now(), commits, database: databaseSeconds(), own: process.cpuUsage() }
  await pause(MEASURED_MS)
  const [seconds, written] = [(performance.now() - before.at) / 1_000, commits - before.commits]
  const [database, own] = [databaseSeconds() - before.database, process.cpuUsage(before.own)]
  isOver = true
  await Promise.all(writing)
  return {
    rate: written / seconds,
    databaseMs: (database * 1_000) / written,
    ownMs: (own.user + own.system) / 1_000 / written,
  }
}

/** The rows of 1, 2, 4 and 8 instances. */
export async function benchInstances(): Promise<Row[]> {
  if (findPostgres() === undefined) return [{ what: 'instances', figure: '', note: 'no PostgreSQL on this machine' }]
  const server = await startPostgres('commit_delay=10000', 'commit_siblings=0', 'max_connections=200')
  const databaseSeconds = () => server.processes('').reduce((sum, pid) => sum + processorSecondsOf(pid), 0)
  const rows: Row[] = []
  let one: Measured | undefined
  for (const count of COUNTS) {
    const stores: Store[] = []
    for (let index = 0; index < count; index++) {
      const schema = `instances_${count}_${index}`
      await server.query(`create schema ${schema}`)
      const url = `${server.url()}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
      stores.push(await openStore(await openPostgres({ url, poolSize: 2 }), [boxes]))
    }
    const { rate, databaseMs, ownMs } = await measure(stores, databaseSeconds)
    for (const store of stores) await store.close()
    one ??= { rate, databaseMs, ownMs }
    rows.push({
      what: `${count} instances, ${WRITERS} writers each, 10 ms a commit`,
      figure: perSecond(rate),
      ratio: rate / (count * one.rate),
      of: `${count} × one instance`,
      aim: '≥ 90 %',
      note: `${databaseMs.toFixed(2)} ms of PostgreSQL, ${ownMs.toFixed(2)} ms here a commit`,
    })
  }
  await server.remove()
  return rows
}
