/**
 * `kill -9` of the command that moves a ZITADEL in, at random moments of the import and while it follows: afterwards there is
 * exactly what an import into an empty instance has that nobody disturbed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { users } from '../../src/features/users/index.ts'
import { systemClock } from '../../src/kernel/instant.ts'
import { peerDatabase } from '../../test/import/zitadel/peer-database.ts'
import { findPostgres } from '../../test/support/postgres.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { BusySource } from './changes.ts'
import { fillSource } from './multiply.ts'
import { type Contents, type EngineName, openTarget, type Target } from './target.ts'
import { readTemplate } from './template.ts'

interface Source {
  readonly url: string
  readonly masterKey: string
  readonly busy: BusySource
}

async function openSource(events: number, say: Run['say'], cleanUp: AsyncDisposableStack): Promise<Source> {
  const database = await peerDatabase()
  if (database === undefined) throw new Error('There is no PostgreSQL on this machine.')
  cleanUp.defer(() => database.drop())
  const template = await readTemplate()
  await fillSource(database, template, { events, say })
  return { url: database.url, masterKey: template.masterKey, busy: new BusySource(database, template) }
}

/** Runs the command to its end. */
async function finish(target: Target, words: readonly string[]): Promise<void> {
  const command = await target.start(words)
  const ended = await command.ended
  // 1: something is not as it is there, which the comparison tells, too.
  if (ended !== 0 && ended !== 1) throw new Error(`the command ended with ${ended}: ${command.stderr()}`)
}

interface Kills {
  readonly importing: number
  readonly following: number
}

/** Kills the command at random moments: half of the times before everything was read once, then while it follows. */
async function killAtRandom(target: Target, { busy }: Source, kills: number, longestMs: number): Promise<Kills> {
  const mark = `zitadel ${busy.instanceId}`
  const count = { importing: 0, following: 0 }
  while (count.importing + count.following < kills) {
    const isImporting = !(await target.isComplete(mark))
    // Once it has to get to the end of the import.
    const isOver = isImporting && count.importing * 2 >= kills
    if (isOver) {
      await finish(target, [])
      continue
    }
    const command = await target.start(['--follow'])
    await sleep(Math.random() * longestMs)
    command.child.kill('SIGKILL')
    const ended = await command.ended
    if (ended !== 'SIGKILL') throw new Error(`the command ended by itself, with ${ended}: ${command.stderr()}`)
    count[isImporting ? 'importing' : 'following']++
  }
  return count
}

interface Difference {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
}

/** Lost: missing, or not as it should be. Doubled: not there in an import that nobody disturbed. */
function compare(wanted: Contents, found: Contents): Difference {
  return {
    lost: [...wanted].filter(([key, text]) => found.get(key) !== text).map(([key]) => key),
    doubled: [...found.keys()].filter((key) => !wanted.has(key)),
  }
}

interface Outcome extends Difference {
  readonly kills: Kills
  readonly objects: number
  readonly changes: number
  readonly problems: number
}

async function disturb(engine: EngineName, run: Run, kills: number, events: number): Promise<Outcome> {
  await using cleanUp = new AsyncDisposableStack()
  const source = await openSource(events, run.say, cleanUp)
  const target = await openTarget(engine, source, cleanUp)
  const ending = new AbortController()
  const busy = source.busy.run(ending.signal, () => sleep(run.isShort ? 20 : 5))
  const killed = await killAtRandom(target, source, kills, run.isShort ? 4_000 : 8_000)
  ending.abort()
  await busy
  await finish(target, ['--cut-over'])
  const undisturbed = await openTarget(engine, source, cleanUp)
  await finish(undisturbed, [])
  const wanted = await undisturbed.contents()
  const difference = compare(wanted, await target.contents())
  const problems = await target.problems()
  const { lost, doubled } = difference
  run.say(`${engine}: ${lost.length} lost, ${doubled.length} doubled of ${wanted.size} after ${kills} kills`)
  for (const key of [...lost, ...doubled].slice(0, 10)) run.say(key)
  return { kills: killed, objects: wanted.size, changes: source.busy.events, problems, ...difference }
}

async function measure(run: Run): Promise<Measured> {
  const kills = roundsOf(run, 2, 20)
  const events = run.isShort ? 800 : 15_000
  const sum = { importing: 0, following: 0, objects: 0, changes: 0, lost: 0, doubled: 0, problems: 0 }
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { kills: killed, lost, doubled, objects, changes, problems } = await disturb(engine, run, kills, events)
    sum.importing += killed.importing
    sum.following += killed.following
    sum.objects += objects
    sum.changes += changes
    sum.lost += lost.length
    sum.doubled += doubled.length
    sum.problems += problems
  }
  const { importing, following, objects, changes, lost, doubled, problems } = sum
  return {
    done: `${importing} × kill -9 while importing and ${following} × while following ${grouped(changes)} changes, on both databases`,
    figure: `${lost} lost, ${doubled} doubled of ${grouped(objects)} objects; ${problems} problems found by verify`,
    figures: sum,
    isMet: lost + doubled + problems === 0 && objects > 0,
  }
}

/** A user is removed from the instance behind the command's back. */
async function loseOne(run: Run): Promise<Caught> {
  await using cleanUp = new AsyncDisposableStack()
  const source = await openSource(200, run.say, cleanUp)
  const target = await openTarget('sqlite', source, cleanUp)
  await finish(target, [])
  const wanted = await target.contents()
  await target.use(async (store) => {
    const key = [...wanted.keys()].find((one) => one.startsWith('user 5') || one.startsWith('user 4'))
    const id = key?.slice('user '.length) ?? ''
    await store.write({ actor: 'server', at: systemClock() }, (work) => work.decide(users, id, { type: 'remove' }))
  })
  const { lost } = compare(wanted, await target.contents())
  return { figure: `${lost.length} lost`, isCaught: lost.length > 0 }
}

export const followImport: Scenario = {
  name: 'follow-import',
  title: 'kill -9 while a ZITADEL moves in and is followed: everything is there once',
  required: '0 lost, 0 doubled',
  obstacle: () => (findPostgres() ? undefined : 'there is no PostgreSQL on this machine'),
  measure,
  control: { what: 'a user who was removed from the instance', run: loseOne },
}
