/**
 * A power cut without pulling the plug: the database lies on a file system in an image file. The writers are frozen and
 * the image is copied: what was not yet forced to the disk is not in the copy. Then the copy is mounted and checked.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes, crates } from '../../test/support/sample-kind.ts'
import { describeLoss, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { addTo, isSound, judge, newVerdict, type Verdict } from './history.ts'
import { mountNew, mountObstacle, run as runCommand } from './loop-mount.ts'
import { startWriting } from './writing-process.ts'

/** Writes until the cut, and compares what had been said with the file that survived. */
async function cutPower(synchronous: 'FULL' | 'OFF'): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-power-'))
  const [image, copy, mounted] = [join(folder, 'a.img'), join(folder, 'b.img'), join(folder, 'mount')]
  // A journal that by itself waits a minute.
  await mountNew(image, mounted, 'commit=60')
  const file = join(mounted, 'signet.db')
  const writing = startWriting(file, { synchronous })
  try {
    await writing.begin()
    await sleep(300 + Math.random() * 500)
    const history = await writing.freeze()
    await copyFile(image, copy)
    await writing.kill()
    runCommand('umount', mounted)
    runCommand('mount', '-o', 'loop', copy, mounted)
    const store = await openStore(await openSqlite({ file }), [boxes, crates])
    try {
      return await judge(history, store)
    } finally {
      await store.close()
    }
  } finally {
    writing.child.kill('SIGKILL')
    runCommand('umount', '-l', mounted)
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 4, 50)
  const sum = newVerdict()
  for (let round = 1; round <= rounds; round++) {
    addTo(sum, await cutPower('FULL'))
    run.say(`cut ${round} of ${rounds}: ${describeLoss(sum)}`)
  }
  return {
    done: `${rounds} power cuts while 8 clients write to SQLite`,
    figure: describeLoss(sum),
    figures: { cuts: rounds, ...sum },
    isMet: isSound(sum) && sum.acknowledged > rounds,
  }
}

export const powerCut: Scenario = {
  name: 'power-cut',
  title: 'power cuts while clients write to SQLite: nothing acknowledged is lost, and the file opens without repair',
  required: '0 lost, 0 doubled, 0 out of order',
  obstacle: mountObstacle,
  measure,
  control: {
    what: 'one cut without waiting for the disk (synchronous=OFF)',
    async run() {
      const { lost, acknowledged } = await cutPower('OFF')
      return { figure: `${grouped(lost)} lost of ${grouped(acknowledged)}`, isCaught: lost > 0 }
    },
  },
}
