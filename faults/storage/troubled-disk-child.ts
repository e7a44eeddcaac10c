/**
 * Reads and writes on SQLite while `strace` delays or fails calls to the disk, and prints what it saw as one line of JSON.
 * Arguments: file, and `waiting` (how many reads end while one commit waits for the disk), `blocking` (the same with a
 * commit on the event loop), `steady` (how long reads take while 200 commits are asked for each second), `failing` (which
 * of 60 commits were acknowledged) or `early` (the same, acknowledged before they are written).
 */
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/kernel/id.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes, by } from '../../test/support/sample-kind.ts'

const [file = '', mode] = process.argv.slice(2)
const store = await openStore(await openSqlite({ file }), [boxes])
function pack() {
  return store.write(by('child'), (work) => work.decide(boxes, newId(), { type: 'pack', label: newId() }, 'org-1'))
}
const { value } = await pack()

async function countReadsDuringOneCommit() {
  const started = performance.now()
  let commitMilliseconds = 0
  const commit = pack().then(() => {
    commitMilliseconds = performance.now() - started
  })
  let reads = 0
  while (commitMilliseconds === 0) {
    const found = await store.get(boxes, value.id)
    if (found !== undefined) reads++
    await nextTurn()
  }
  await commit
  return { reads, commitMilliseconds }
}

/** What readers would see if the commit ran on their thread. */
async function countReadsDuringBlockingCommit() {
  const database = new DatabaseSync(`${file}.blocking`)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table one (value integer)')
  const started = performance.now()
  let reads = 0
  let commitMilliseconds = 0
  const commit = nextTurn().then(() => {
    database.exec('insert into one values (1)')
    commitMilliseconds = performance.now() - started
  })
  while (commitMilliseconds === 0) {
    await nextTurn()
    if (commitMilliseconds === 0 && (await store.get(boxes, value.id)) !== undefined) reads++
  }
  await commit
  return { reads, commitMilliseconds }
}

async function measureReads(seconds: number) {
  const latencies: number[] = []
  const commits: Promise<unknown>[] = []
  const started = performance.now()
  for (let now = started; now < started + seconds * 1000; now = performance.now()) {
    if (now - started >= commits.length * 5) commits.push(pack())
    // With a turn of the event loop: a request would have to wait for it too.
    await nextTurn()
    await store.get(boxes, value.id)
    latencies.push(performance.now() - now)
    await sleep(1)
  }
  await Promise.all(commits)
  latencies.sort((one, other) => one - other)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { reads: latencies.length, commits: commits.length, p50: percentile(0.5), p99: percentile(0.99) }
}

async function writeThroughFailures(isEarly: boolean) {
  const acknowledged: string[] = [value.id]
  let refusals = 0
  for (let round = 0; round < 60; round++) {
    try {
      if (isEarly) acknowledged.push(`early ${round}`)
      const { id } = (await pack()).value
      if (isEarly) acknowledged[acknowledged.length - 1] = id
      else acknowledged.push(id)
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'store.unavailable') throw error
      refusals++
    }
  }
  const isReady = await store.ping().then(
    () => true,
    () => false,
  )
  const canRead = (await store.get(boxes, value.id)) !== undefined
  return { acknowledged, refusals, isReady, canRead }
}

const modes = {
  waiting: countReadsDuringOneCommit,
  blocking: countReadsDuringBlockingCommit,
  steady: () => measureReads(2),
  failing: () => writeThroughFailures(false),
  early: () => writeThroughFailures(true),
}
const seen = await modes[mode as keyof typeof modes]()
console.log(JSON.stringify(seen))
// Without closing: a disk that fails would fail that too.
process.exit(0)
