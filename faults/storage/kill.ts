/** `kill -9` while clients write to SQLite: what was acknowledged is there after the restart, once, in order. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes, crates } from '../../test/support/sample-kind.ts'
import { describeLoss, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { addHistory, addTo, type History, isSound, judge, newVerdict, type Verdict } from './history.ts'
import { startWriting } from './writing-process.ts'

/** A database is checked after so many kills, and the next ones get a new one: a check reads the whole log. */
const KILLS_PER_FILE = 10
const LEAST_PER_ROUND = 5000

async function judgeFile(file: string, history: History, rebuilds = false): Promise<Verdict> {
  const store = await openStore(await openSqlite({ file }), [boxes, crates])
  try {
    return await judge(history, store, { rebuilds })
  } finally {
    await store.close()
  }
}

interface Kills {
  readonly file: string
  readonly clients: number
  readonly count: number
  /** A random time up to this passes before each kill. */
  readonly longestMs: number
  /** Goes on until so many writes were acknowledged. */
  readonly least: number
}

/** Kills the writers of one file again and again. Returns how often, and what they were told. */
async function killWriters({
  file,
  clients,
  count,
  longestMs,
  least,
}: Kills): Promise<{ kills: number; history: History }> {
  const history: History = { invoked: new Set(), acknowledged: new Map() }
  let next = startWriting(file, { clients })
  let kills = 0
  try {
    while (kills < count || history.acknowledged.size < least) {
      const current = next
      // The next one loads its code meanwhile; it does not touch the file before it is told.
      next = startWriting(file, { clients })
      await current.begin()
      await sleep(Math.random() * longestMs)
      addHistory(history, await current.kill())
      kills++
    }
  } finally {
    // A process that still waits would keep this one alive.
    next.child.kill('SIGKILL')
  }
  return { kills, history }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 50, 200)
  const least = run.isShort ? 0 : LEAST_PER_ROUND
  // More of them have more commits in one batch.
  const clients = run.isShort ? 8 : 32
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-'))
  const sum = newVerdict()
  let done = 0
  try {
    for (let number = 1; done < rounds; number++) {
      const file = join(folder, `${number}.db`)
      const count = Math.min(KILLS_PER_FILE, rounds - done)
      const longestMs = run.isShort ? 250 : 1200
      const { kills, history } = await killWriters({ file, clients, count, longestMs, least: count * least })
      done += kills
      addTo(sum, await judgeFile(file, history, done >= rounds))
      for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
      run.say(`${done} kills, ${describeLoss(sum)}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return {
    done: `${done} × kill -9 while ${clients} clients write to SQLite`,
    figure: describeLoss(sum),
    figures: { kills: done, ...sum },
    isMet: isSound(sum) && sum.acknowledged >= rounds * Math.max(least, 1),
  }
}

/** Kills writers that acknowledge before they write, until one was caught lying. */
async function catchLiar(): Promise<{ figure: string; isCaught: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-'))
  const sum = newVerdict()
  try {
    for (let round = 0; round < 10 && sum.lost === 0; round++) {
      const file = join(folder, `lied-${round}.db`)
      const liar = startWriting(file, { honesty: 'lying' })
      await liar.begin()
      await sleep(Math.random() * 50)
      addTo(sum, await judgeFile(file, await liar.kill()))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { figure: `${sum.lost} lost of ${grouped(sum.acknowledged)}`, isCaught: sum.lost > 0 }
}

export const kill: Scenario = {
  name: 'kill',
  title: 'kill -9 while clients write to SQLite: nothing acknowledged is lost, doubled or out of order',
  required: '0 lost, 0 doubled, 0 out of order of at least 1 000 000 (5 000 per kill)',
  measure,
  control: { what: 'a server that acknowledges before it writes', run: catchLiar },
}
