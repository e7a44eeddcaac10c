/** A disk that answers late stops writers, who wait for it, and no readers. One that fails is believed. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes } from '../../test/support/sample-kind.ts'
import { type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const CHILD = join(import.meta.dirname, 'troubled-disk-child.ts')
const runFile = promisify(execFile)
const COMMIT_MS = 400

type Mode = 'waiting' | 'blocking' | 'steady' | 'failing' | 'early'

interface Seen {
  readonly reads: number
  readonly commits: number
  readonly commitMilliseconds: number
  readonly p50: number
  readonly p99: number
  readonly acknowledged: readonly string[]
  readonly refusals: number
  readonly isReady: boolean
  readonly canRead: boolean
}

function obstacle(): string | undefined {
  const tried = spawnSync('strace', ['-f', '-e', 'trace=none', process.execPath, '-e', '0'], { encoding: 'utf8' })
  if (tried.error !== undefined) return 'strace is not installed'
  return tried.status === 0 ? undefined : 'strace may not watch processes here'
}

/** Runs the child with something injected into every fsync. */
async function runWith(injection: string, mode: Mode, file: string): Promise<Seen> {
  const inject = `inject=fsync,fdatasync:${injection}`
  const watch = ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', inject]
  const { stdout } = await runFile('strace', [...watch, process.execPath, CHILD, file, mode])
  return JSON.parse(stdout) as Seen
}

async function inFolder<Value>(act: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-slow-'))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function readDuringCommit(mode: 'waiting' | 'blocking'): Promise<Seen> {
  return inFolder((folder) => runWith(`delay_enter=${COMMIT_MS * 1000}`, mode, join(folder, 'signet.db')))
}

async function measureSlow(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 10)
  const commits: Seen[] = []
  for (let round = 0; round < rounds; round++) commits.push(await readDuringCommit('waiting'))
  const reads = Math.min(...commits.map((one) => one.reads))
  const commitMs = Math.round(Math.min(...commits.map((one) => one.commitMilliseconds)))
  const steady = await inFolder((folder) => runWith('delay_enter=5000', 'steady', join(folder, 'signet.db')))
  const p99 = Number(steady.p99.toFixed(2))
  return {
    done: `SQLite on a disk whose fsync takes ${COMMIT_MS} ms, ${rounds} ×, and 5 ms with 200 commits a second`,
    figure: `${reads} reads during one commit of ${commitMs} ms; p99 of reads ${p99} ms with 5 ms for each fsync`,
    figures: { rounds, reads, commitMs, p99, commits: steady.commits },
    isMet: reads >= 20 && commitMs >= COMMIT_MS && steady.commits > 0 && steady.reads > 0,
  }
}

/** The first twenty calls of fsync succeed, all others fail. */
async function failDisk(mode: 'failing' | 'early') {
  return inFolder(async (folder) => {
    const file = join(folder, 'signet.db')
    const { acknowledged, refusals, isReady, canRead } = await runWith('error=EIO:when=21+', mode, file)
    const store = await openStore(await openSqlite({ file }), [boxes])
    try {
      let lost = 0
      for (const id of acknowledged) if ((await store.get(boxes, id))?.revision !== 1) lost++
      const events = await store.events({ limit: 1000 })
      const gaps = events.filter(({ sequence }, index) => sequence !== index + 1).length
      return { acknowledged: acknowledged.length, refusals, isReady, canRead, lost, gaps }
    } finally {
      await store.close()
    }
  })
}

async function measureFailing(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 10)
  const sum = { acknowledged: 0, refusals: 0, lost: 0, gaps: 0, ready: 0, unreadable: 0 }
  for (let round = 0; round < rounds; round++) {
    const seen = await failDisk('failing')
    sum.acknowledged += seen.acknowledged
    sum.refusals += seen.refusals
    sum.lost += seen.lost
    sum.gaps += seen.gaps
    if (seen.isReady) sum.ready++
    if (!seen.canRead) sum.unreadable++
  }
  const { acknowledged, refusals, lost, gaps, ready, unreadable } = sum
  return {
    done: `SQLite on a disk whose fsync fails (EIO) after a while, ${rounds} ×`,
    figure: `${lost} lost, ${gaps} gaps of ${acknowledged} acknowledged, ${refusals} refused; ready ${ready} ×, unreadable ${unreadable} ×`,
    figures: { rounds, ...sum },
    isMet: lost + gaps + ready + unreadable === 0 && acknowledged > rounds && refusals > 0,
  }
}

export const slowDisk: Scenario = {
  name: 'slow-disk',
  title: 'reads continue while a commit waits for a slow disk',
  required: 'at least 20 reads during the commit, which is acknowledged only after the disk answered',
  obstacle,
  measure: measureSlow,
  control: {
    what: 'the commit on the thread of the readers',
    async run() {
      const { reads, commitMilliseconds } = await readDuringCommit('blocking')
      return { figure: `${reads} reads in ${commitMilliseconds.toFixed(0)} ms`, isCaught: reads < 20 }
    },
  },
}

export const failingDisk: Scenario = {
  name: 'failing-disk',
  title: 'nothing is acknowledged after a failed fsync, and what was acknowledged is there after a restart',
  required: '0 lost, 0 gaps; not ready, and readable',
  obstacle,
  measure: measureFailing,
  control: {
    what: 'a server that acknowledges before it writes',
    async run() {
      const { lost, acknowledged } = await failDisk('early')
      return { figure: `${lost} lost of ${acknowledged}`, isCaught: lost > 0 }
    },
  },
}
