import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { newId } from '../../kernel/id.ts'
import { openSqlite, openStore, type Store } from '../index.ts'
import { deletions, eventsOfStream } from './remove-streams.ts'

async function withStore(use: (store: Store, watcher: DatabaseSync) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-forget-'))
  const file = join(folder, 'signet.db')
  const store = await openStore(await openSqlite({ file }), [boxes, crates])
  const watcher = new DatabaseSync(file)
  try {
    await use(store, watcher)
  } finally {
    watcher.close()
    await store.close()
    await rm(folder, { recursive: true })
  }
}

async function packMany(store: Store): Promise<readonly string[]> {
  const ids = Array.from({ length: 500 }, newId)
  const packOne = (id: string) =>
    store.write(by('ann'), (work) =>
      work.decide(boxes, id, { type: 'pack', label: id, note: 'x'.repeat(500) }, 'org-1'),
    )
  await Promise.all(ids.map(packOne))
  return ids
}

suite('removing streams from a file of SQLite', () => {
  test('the space of removed streams is used again', () =>
    withStore(async (store, watcher) => {
      const sizes: number[] = []
      for (let round = 0; round < 6; round++) {
        const ids = await packMany(store)
        await store.write(by('sweeper'), async (work) => {
          await Promise.all(ids.map((id) => work.removeStream(boxes, id)))
          await work.decide(crates, newId(), { type: 'pack', label: 'record' }, 'org-1')
        })
        sizes.push(Number(watcher.prepare('pragma page_count').get()?.page_count))
      }
      const [first = 0] = sizes
      assert.ok((sizes.at(-1) ?? 0) < first * 1.25, `pages after each round: ${sizes}`)
    }))

  test('a stream is found by an index, whatever SQLite knows of it', () =>
    withStore(async (store, watcher) => {
      await packMany(store)
      for (const prepare of ['select 1', 'analyze']) {
        watcher.exec(prepare)
        for (const sql of [...deletions, `select data from ${eventsOfStream} order by revision`]) {
          const [plan] = watcher.prepare(`explain query plan ${sql}`).all('', '')
          assert.match(String(plan?.detail), /\(instance=\? AND (id=\? AND kind|kind=\? AND id)=\?\)/)
        }
      }
    }))
})
