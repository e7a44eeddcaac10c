/**
 * A file system that becomes read-only, as ext4 does after an error of the disk: writes are refused as unavailable, reads
 * continue, and after it is mounted again everything acknowledged is there.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes } from '../../test/support/sample-kind.ts'
import { type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { mountNew, mountObstacle, run as runCommand } from './loop-mount.ts'
import { countUnreadable, isLogOf, isUnavailable, tryPack } from './refusing-disk.ts'

const BEFORE = 20
const DURING = 20

interface Seen {
  readonly acknowledged: number
  readonly acceptedWhileReadOnly: number
  readonly unreadable: number
  readonly wasReady: boolean
  readonly lost: number
}

function openIt(folder: string) {
  return openSqlite({ file: join(folder, 'signet.db') }).then((engine) => openStore(engine, [boxes]))
}

/** Makes the file system read-only under an open store. With `countsRefused`, a refused write counts as acknowledged. */
async function makeReadOnly(countsRefused: boolean): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-read-only-'))
  const [image, mounted] = [join(folder, 'image'), join(folder, 'mount')]
  await mountNew(image, mounted, 'errors=remount-ro')
  try {
    const device = basename(runCommand('findmnt', '-no', 'SOURCE', mounted).trim())
    const store = await openIt(mounted)
    const kept: string[] = []
    for (let count = 0; count < BEFORE; count++) kept.push((await tryPack(store)) ?? '')
    await writeFile(`/sys/fs/ext4/${device}/trigger_fs_error`, '1')
    let acceptedWhileReadOnly = 0
    for (let count = 0; count < DURING; count++) if ((await tryPack(store)) !== undefined) acceptedWhileReadOnly++
    if (countsRefused) kept.push('refused, but counted')
    const unreadable = await countUnreadable(store, kept)
    const wasReady = await store.ping().then(
      () => true,
      (error) => !isUnavailable(error),
    )
    // It cannot write its last page either.
    await store.close().catch(() => {})
    runCommand('umount', mounted)
    runCommand('mount', '-o', 'loop', image, mounted)
    const again = await openIt(mounted)
    const id = await tryPack(again)
    const isSound = await isLogOf(again, [...kept, id ?? ''])
    const lost = isSound ? 0 : await countUnreadable(again, kept)
    await again.close()
    return {
      acknowledged: kept.length,
      acceptedWhileReadOnly,
      unreadable,
      wasReady,
      lost: isSound ? 0 : Math.max(lost, 1),
    }
  } finally {
    runCommand('umount', '-l', mounted)
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 20)
  const sum = { acknowledged: 0, acceptedWhileReadOnly: 0, unreadable: 0, ready: 0, lost: 0 }
  for (let round = 0; round < rounds; round++) {
    const { wasReady, ...seen } = await makeReadOnly(false)
    sum.acknowledged += seen.acknowledged
    sum.acceptedWhileReadOnly += seen.acceptedWhileReadOnly
    sum.unreadable += seen.unreadable
    sum.lost += seen.lost
    if (wasReady) sum.ready++
  }
  const { acknowledged, acceptedWhileReadOnly, unreadable, ready, lost } = sum
  return {
    done: `SQLite on a file system that becomes read-only, ${rounds} ×`,
    figure: `${lost} lost and ${unreadable} unreadable of ${acknowledged}, ${acceptedWhileReadOnly} accepted meanwhile, ready ${ready} ×`,
    figures: { rounds, ...sum },
    isMet: lost + unreadable + acceptedWhileReadOnly + ready === 0 && acknowledged === rounds * BEFORE,
  }
}

export const readOnlyDisk: Scenario = {
  name: 'read-only-disk',
  title: 'a disk that becomes read-only: writes fail as unavailable, reads continue, nothing acknowledged is lost',
  required: '0 lost, 0 unreadable, 0 accepted meanwhile, not ready',
  obstacle: mountObstacle,
  measure,
  control: {
    what: 'a client that takes a refused write for acknowledged',
    async run() {
      const { lost, unreadable } = await makeReadOnly(true)
      return { figure: `${lost} lost, ${unreadable} unreadable`, isCaught: lost === 1 && unreadable === 1 }
    },
  },
}
