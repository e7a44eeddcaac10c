/**
 * A power cut without pulling the plug: the database lies on a file system in an image file. The writers are frozen
 * and the image copied: what was not yet forced to the disk is not in the copy. Then the copy is mounted and judged.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes, crates } from '../support/sample-kind.ts'
import { checkDocuments, checkHistory, type History, lostOf, readEvents } from './history.ts'
import { startWriting } from './writing-process.ts'

const ROUNDS = 4
const IMAGE_BYTES = 64 * 1024 * 1024

function run(command: string, ...parameters: string[]): void {
  execFileSync(command, parameters, { stdio: 'pipe' })
}

/** A new file system in an image, mounted with a journal that by itself waits a minute. */
async function mountNew(image: string, at: string): Promise<void> {
  await mkdir(at, { recursive: true })
  await writeFile(image, '')
  await truncate(image, IMAGE_BYTES)
  run('mkfs.ext4', '-q', '-F', image)
  run('mount', '-o', 'loop,commit=60', image, at)
}

/** Why this machine cannot do it; undefined when it can. */
async function obstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting an image needs root on Linux'
  const folder = await mkdtemp(join(tmpdir(), 'signet-mount-'))
  try {
    await mountNew(join(folder, 'image'), join(folder, 'mount'))
    run('umount', join(folder, 'mount'))
    return undefined
  } catch (error) {
    return `no loop mount here: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes until the cut and gives what had been said to `judge`, together with the file that survived. */
async function cutPower(
  synchronous: 'FULL' | 'OFF',
  judge: (history: History, file: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-power-'))
  const [image, copy, mounted] = [join(folder, 'a.img'), join(folder, 'b.img'), join(folder, 'mount')]
  await mountNew(image, mounted)
  const writing = startWriting(join(mounted, 'signet.db'), { synchronous })
  try {
    await writing.begin()
    await sleep(300 + Math.random() * 500)
    const history = await writing.freeze()
    await copyFile(image, copy)
    await writing.kill()
    run('umount', mounted)
    run('mount', '-o', 'loop', copy, mounted)
    await judge(history, join(mounted, 'signet.db'))
  } finally {
    writing.child.kill('SIGKILL')
    run('umount', '-l', mounted)
    await rm(folder, { recursive: true, force: true })
  }
}

const why = await obstacle()

suite('power cut on SQLite', { skip: why ?? false }, () => {
  test(`${ROUNDS} rounds: nothing acknowledged is lost, and the file opens without repair`, async (context) => {
    for (let round = 1; round <= ROUNDS; round++) {
      await cutPower('FULL', async (history, file) => {
        const store = await openStore(await openSqlite({ file }), [boxes, crates])
        try {
          const events = await readEvents(store)
          checkHistory(history, events)
          await checkDocuments(store, events)
          context.diagnostic(`cut ${round}: ${history.acknowledged.size} acknowledged writes, none lost`)
        } finally {
          await store.close()
        }
      })
    }
  })

  test('the control: without waiting for the disk acknowledged writes are lost', async (context) => {
    await cutPower('OFF', async (history, file) => {
      const store = await openStore(await openSqlite({ file }), [boxes, crates])
      try {
        const lost = lostOf(history, await readEvents(store))
        context.diagnostic(`lost ${lost.length} of ${history.acknowledged.size}`)
        assert.ok(lost.length > 0)
      } finally {
        await store.close()
      }
    })
  })
})
