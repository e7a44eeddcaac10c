/** A disk without room: writes are refused as unavailable, reads continue, and with room again everything does. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, openStore, type Store } from '../../src/store/index.ts'
import { boxes } from '../../test/support/sample-kind.ts'
import { type Caught, isInTime, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { countUnreadable, isLogOf, pack, tryPack } from './refusing-disk.ts'

/** A file system of four megabytes. */
async function mountSmall(): Promise<{ folder: string; unmount(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'signet-full-'))
  const folder = join(parent, 'small')
  await mkdir(folder)
  const removed = () => rm(parent, { recursive: true, force: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    await removed()
    throw error
  }
  const unmount = async () => {
    execFileSync('umount', ['-l', folder])
    await removed()
  }
  return { folder, unmount }
}

async function obstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting needs root on Linux'
  try {
    await (await mountSmall()).unmount()
    return undefined
  } catch {
    return 'no file system may be mounted here'
  }
}

interface Seen {
  readonly acknowledged: number
  /** Acknowledged, but not readable while the disk was full. */
  readonly unreadable: number
  readonly isLogSound: boolean
  /** From the moment when there was room until a write was acknowledged. */
  readonly resumedMs: number
}

/** Fills the disk and makes room again. With `countsRefused`, a refused write counts as acknowledged. */
async function fillDisk(countsRefused: boolean): Promise<Seen> {
  const { folder, unmount } = await mountSmall()
  let store: Store | undefined
  try {
    const ballast = join(folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(1_500_000))
    store = await openStore(await openSqlite({ file: join(folder, 'signet.db') }), [boxes])
    const kept: string[] = []
    for (let id = await tryPack(store); id !== undefined; id = await tryPack(store)) kept.push(id)
    if (countsRefused) kept.push('refused, but counted')
    const unreadable = await countUnreadable(store, kept)
    await rm(ballast)
    const roomAt = performance.now()
    await store.ping()
    kept.push(await pack(store))
    const resumedMs = performance.now() - roomAt
    return { acknowledged: kept.length, unreadable, isLogSound: await isLogOf(store, kept), resumedMs }
  } finally {
    await store?.close()
    await unmount()
  }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 20)
  const seen: Seen[] = []
  for (let round = 0; round < rounds; round++) seen.push(await fillDisk(false))
  const acknowledged = seen.reduce((sum, one) => sum + one.acknowledged, 0)
  const unreadable = seen.reduce((sum, one) => sum + one.unreadable, 0)
  const unsound = seen.filter(({ isLogSound }) => !isLogSound).length
  const resumedMs = Math.round(Math.max(...seen.map((one) => one.resumedMs)))
  return {
    done: `SQLite on a disk that runs full, then has room again, ${rounds} ×`,
    figure: `${unreadable} of ${acknowledged} acknowledged unreadable, ${unsound} wrong logs, writes after ${resumedMs} ms`,
    figures: { rounds, acknowledged, unreadable, unsound, resumedMs },
    isMet: unreadable === 0 && unsound === 0 && acknowledged > rounds && isInTime(run, resumedMs, 5_000),
  }
}

export const fullDisk: Scenario = {
  name: 'full-disk',
  title: 'a full disk: writes fail as unavailable, reads continue, and both work again when there is room',
  required: '0 unreadable, 0 wrong logs, writes within 5 000 ms; other writes refused as unavailable',
  obstacle,
  measure,
  control: {
    what: 'a client that takes the refused write for acknowledged',
    async run(): Promise<Caught> {
      const { unreadable, isLogSound } = await fillDisk(true)
      return { figure: `${unreadable} unreadable, wrong log`, isCaught: unreadable === 1 && !isLogSound }
    },
  },
}
