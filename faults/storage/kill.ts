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

/** A database is checked after this many kills, and the next ones get a new one: a check reads the whole log. */
const KILLS_PER_FILE = 10

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
  /** A random time up to this passes before each kill. */
  readonly longestMs: number
}

/** Kills the writers of one file again and again. Returns what they were told. */
async function killWriters({ file, clients, longestMs }: Kills): Promise<History> {
  const history: History = { invoked: new Set(), acknowledged: new Map() }
  let next = startWriting(file, { clients })
  try {
    for (let kills = 0; kills < KILLS_PER_FILE; kills++) {
      const current = next
      // The next one loads its code meanwhile; it does not touch the file before it is told.
      next = startWriting(file, { clients })
      await current.begin()
      await sleep(Math.random() * longestMs)
      addHistory(history, await current.kill())
    }
  } finally {
    // A process that still waits would keep this one alive.
    next.child.kill('SIGKILL')
  }
  return history
}

/** More clients have more commits in one batch. */
const SHORT = { clients: 8, longestMs: 250, leastPerKill: 1 }
const FULL = { clients: 32, longestMs: 2_400, leastPerKill: 5_000 }

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 50, 200)
  const { clients, longestMs, leastPerKill } = run.isShort ? SHORT : FULL
  const least = rounds * leastPerKill
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-'))
  const sum = newVerdict()
  let kills = 0
  try {
    while (kills < rounds || sum.acknowledged < least) {
      const file = join(folder, `${kills}.db`)
      const history = await killWriters({ file, clients, longestMs })
      kills += KILLS_PER_FILE
      addTo(sum, await judgeFile(file, history, kills === KILLS_PER_FILE))
      for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
      run.say(`${kills} kills, ${describeLoss(sum)}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return {
    done: `${kills} × kill -9 while ${clients} clients write to SQLite`,
    figure: describeLoss(sum),
    figures: { kills, ...sum },
    isMet: isSound(sum),
  }
}

/** Kills writers that acknowledge before they write, until something is lost. */
async function killEarlyWriters(): Promise<{ figure: string; isCaught: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-'))
  const sum = newVerdict()
  try {
    for (let round = 0; round < 10 && sum.lost === 0; round++) {
      const file = join(folder, `early-${round}.db`)
      const writing = startWriting(file, { acknowledgesEarly: true })
      await writing.begin()
      await sleep(Math.random() * 50)
      addTo(sum, await judgeFile(file, await writing.kill()))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { figure: `${sum.lost} lost of ${grouped(sum.acknowledged)}`, isCaught: sum.lost > 0 }
}

export const kill: Scenario = {
  name: 'kill',
  title: 'kill -9 while clients write to SQLite: nothing acknowledged is lost, doubled or out of order',
  required: '0 lost, 0 doubled, 0 out of order; at full size of at least 1 000 000',
  measure,
  control: { what: 'a server that acknowledges before it writes', run: killEarlyWriters },
}
