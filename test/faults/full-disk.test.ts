/** A disk without room: writes are refused as unavailable, reads go on, and with room again everything does. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { newId } from '../../src/kernel/id.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { openSqlite, openStore, type Store } from '../../src/store/index.ts'
import { boxes, by } from '../support/sample-kind.ts'

/** A file system of four megabytes, or why there is none. */
async function mountSmall(): Promise<{ folder: string; unmount(): Promise<void> } | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting needs root on Linux'
  const parent = await mkdtemp(join(tmpdir(), 'signet-full-'))
  const folder = join(parent, 'small')
  await mkdir(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    await rm(parent, { recursive: true, force: true })
    return 'no file system may be mounted here'
  }
  const unmount = async () => {
    execFileSync('umount', ['-l', folder])
    await rm(parent, { recursive: true, force: true })
  }
  return { folder, unmount }
}

const small = await mountSmall()
function isUnavailable(error: unknown): boolean {
  return error instanceof Refused && error.code === 'store.unavailable'
}

suite('full disk under SQLite', { skip: typeof small === 'string' ? small : false }, () => {
  test('writes fail as unavailable, reads go on, and both work again when there is room', async (context) => {
    if (typeof small === 'string') return
    context.after(small.unmount)
    const ballast = join(small.folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(1_500_000))
    const store = await openStore(await openSqlite({ file: join(small.folder, 'signet.db') }), [boxes])
    context.after(() => store.close())

    const kept = await packUntilFull(store)
    assert.ok(kept.length > 0)
    for (const id of kept) assert.equal((await store.get(boxes, id))?.revision, 1)

    await rm(ballast)
    await store.ping()
    kept.push(await pack(store))
    const page = await store.find(boxes, { limit: 1 })
    assert.deepEqual([page.total, page.sequence], [kept.length, kept.length])
    assert.deepEqual(
      (await store.events({ limit: 1000 })).map(({ id }) => id),
      kept,
    )
  })
})

async function pack(store: Store): Promise<string> {
  const command = { type: 'pack', label: newId(), note: 'x'.repeat(50_000) } as const
  return (await store.write(by('ann'), (work) => work.decide(boxes, newId(), command, 'org-1'))).value.id
}

/** Ids of what was acknowledged before the first refusal. */
async function packUntilFull(store: Store): Promise<string[]> {
  const kept: string[] = []
  for (;;) {
    try {
      kept.push(await pack(store))
    } catch (error) {
      assert.ok(isUnavailable(error), String(error))
      return kept
    }
  }
}
