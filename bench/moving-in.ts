/**
 * A large ZITADEL moves in: `node bench/moving-in.ts [EVENTS] [sqlite|postgres]`. Prints how fast it is, how much memory the
 * command needs, and how long a cut-over takes after a few changes. The source is made by multiplying a small log, or the
 * exported one in the folder that `SIGNET_PEER_SAMPLE` names.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { BusySource } from '../faults/import/changes.ts'
import { fillSource } from '../faults/import/multiply.ts'
import { type EngineName, openTarget, type Target } from '../faults/import/target.ts'
import { readTemplate } from '../faults/import/template.ts'
import type { MoveSummary } from '../src/cli/import/report.ts'
import { peerDatabase } from '../test/import/zitadel/peer-database.ts'

const [, , events = '1000000', engine = 'sqlite'] = process.argv
const CHANGES = 1_000

interface Ran {
  readonly seconds: number
  readonly megabytes: number
  readonly summary: MoveSummary
}

/** The most memory that a process has had, in MB; 0 where that cannot be told. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

/** Runs the command to its end and watches its memory. */
async function run(target: Target, words: readonly string[]): Promise<Ran> {
  const startedAt = performance.now()
  const command = await target.start(words)
  let megabytes = 0
  const watching = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(command.child.pid))
  }, 200)
  const ended = await command.ended
  clearInterval(watching)
  if (ended !== 0 && ended !== 1) throw new Error(`the command ended with ${ended}: ${command.stderr()}`)
  const summary = JSON.parse(command.stdout()) as MoveSummary
  return { seconds: (performance.now() - startedAt) / 1000, megabytes, summary }
}

function carried({ kinds }: MoveSummary): number {
  return Object.values(kinds).reduce((sum, counts) => sum + counts.carried, 0)
}

await using cleanUp = new AsyncDisposableStack()
const database = await peerDatabase()
if (database === undefined) throw new Error('There is no PostgreSQL on this machine.')
cleanUp.defer(() => database.drop())
const template = await readTemplate()
const filled = await fillSource(database, template, { events: Number(events), say: console.log })
const target = await openTarget(engine as EngineName, { url: database.url, masterKey: template.masterKey }, cleanUp)
const moved = await run(target, [])
const objects = carried(moved.summary)
console.log(`${objects} objects of ${filled} events were moved in ${moved.seconds.toFixed(0)} s`)
const busy = new BusySource(database, template)
for (let change = 0; change < CHANGES; change++) await busy.step()
const first = await run(target, ['--cut-over'])
await sleep(1_000)
const second = await run(target, ['--cut-over'])
console.table({
  database: engine,
  'events in the source': filled,
  'objects carried': objects,
  'import, s': Number(moved.seconds.toFixed(1)),
  'events a second': Math.round(filled / moved.seconds),
  'objects a second': Math.round(objects / moved.seconds),
  'peak memory of the import, MB': Math.round(moved.megabytes),
  [`cut-over after ${CHANGES} changes, s`]: Number((first.summary.follow?.pauseSeconds ?? 0).toFixed(2)),
  'the whole command, s': Number(first.seconds.toFixed(2)),
  'peak memory of the cut-over, MB': Math.round(first.megabytes),
  'another cut-over without changes, s': Number((second.summary.follow?.pauseSeconds ?? 0).toFixed(2)),
})
await cleanUp.disposeAsync()
// The server of the test support ends with this process.
process.exit(0)
