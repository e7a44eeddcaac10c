/** What `signet upgrade` says, on both engines, and that it changes nothing. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { afterwards } from '../../../test/support/afterwards.ts'
import { countedBoxes, notedBoxes } from '../../../test/support/box-versions.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import type { Engine } from '../engine.ts'
import { type AnyKind, openSqlite, openStore, type Store } from '../index.ts'
import { openPostgres } from '../postgres/index.ts'
import { planPostgresUpgrade } from '../postgres/versions/plan.ts'
import { planSqliteUpgrade } from '../sqlite/plan.ts'
import type { UpgradePlan } from './upgrade-plan.ts'

interface Place {
  open(): Promise<Engine>
  plan(kinds: readonly AnyKind[]): Promise<UpgradePlan>
}

async function openPlace(t: TestContext, engine: 'sqlite' | 'postgres'): Promise<Place> {
  if (engine === 'postgres') {
    const database = await freshDatabase()
    assert.ok(database)
    afterwards(t, database.drop)
    const { url } = database
    return { open: () => openPostgres({ url, release: '1.0' }), plan: (kinds) => planPostgresUpgrade(url, kinds) }
  }
  const folder = await mkdtemp(join(tmpdir(), 'signet-plan-'))
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'signet.db')
  return { open: () => openSqlite({ file }), plan: (kinds) => planSqliteUpgrade(file, kinds) }
}

function pack(store: Store, id: string, note: string) {
  return store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label: id, note }, 'org-1'))
}

for (const { name } of bothEngines) {
  suite(`the plan of an upgrade on ${name}`, () => {
    test('of an empty database is to create the tables', async (t) => {
      const { plan } = await openPlace(t, name)
      const { schema, kinds, problems } = await plan([boxes])
      assert.deepEqual([schema.current, kinds, problems], [0, [], []])
    })

    test('names the documents to fold and the indexes to build, and a second look finds the same', async (t) => {
      const { open, plan } = await openPlace(t, name)
      const store = await openStore(await open(), [boxes, crates])
      afterwards(t, () => store.close())
      await pack(store, 'one', 'a')
      await pack(store, 'two', 'b')
      const same = await plan([boxes, crates])
      assert.deepEqual([same.kinds, same.indexes], [[], { build: [], drop: [] }])
      const next = await plan([countedBoxes, crates])
      assert.deepEqual(next.kinds, [{ kind: 'box', from: [1], to: 2, documents: 2, taken: [] }])
      const fields = next.indexes.build.map((index) => index.split('.').slice(1, 3).join('.'))
      const all = ['changes', 'label', 'searchLabel', 'weight'].map((field) => `box@2.${field}`)
      assert.deepEqual(fields.sort(), name === 'sqlite' ? ['box.changes'] : all)
      assert.equal(next.schema.current, next.schema.wanted)
      assert.deepEqual(next.problems, [])
      assert.deepEqual({ ...(await plan([countedBoxes, crates])), nodes: [] }, { ...next, nodes: [] })
      assert.equal((await store.find(boxes, { limit: 0 })).total, 2)
      if (name === 'sqlite') return
      assert.equal(next.oldNodesContinue, true)
      assert.deepEqual(
        next.nodes.map(({ release, others }) => [release, others]),
        [['1.0', ['box@1']]],
      )
    })

    test('names the streams that would claim the value of another one', async (t) => {
      const { open, plan } = await openPlace(t, name)
      const store = await openStore(await open(), [boxes, crates])
      afterwards(t, () => store.close())
      await pack(store, 'one', 'same')
      await pack(store, 'two', 'same')
      await pack(store, 'three', 'other')
      const { kinds, problems } = await plan([notedBoxes, crates])
      assert.deepEqual(kinds[0]?.taken, ['two'])
      assert.match(problems[0] ?? '', /Version 3 of box claims values that other streams hold: two\./)
    })
  })
}
