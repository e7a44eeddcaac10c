/** Nodes with two versions of the same kind on one PostgreSQL: each reads what the other wrote, folded by its own rules. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import {
  assertSound,
  labelOf,
  listed,
  openBoth,
  openDatabase,
  pack,
  relabel,
  remove,
} from '../../../../test/support/box-nodes.ts'
import { countedBoxes, notedBoxes } from '../../../../test/support/box-versions.ts'
import { findPostgres } from '../../../../test/support/postgres.ts'
import { boxes, by } from '../../../../test/support/sample-kind.ts'
import { Refused } from '../../../kernel/refusal.ts'
import { kind, NO_OBSERVER } from '../../index.ts'
import type { BuildProgress } from '../../observer.ts'
import type { PostgresOptions } from '../index.ts'

/** Whether a scenario ends as it should. */
async function holds(check: () => Promise<void>): Promise<boolean> {
  try {
    await check()
    return true
  } catch {
    return false
  }
}

/** With the marks it holds, and without them it does not. */
function withControl(name: string, scenario: (t: TestContext, options: Partial<PostgresOptions>) => Promise<void>) {
  test(name, (t) => scenario(t, {}))
  test(`without marks this is false: ${name}`, async (t) => {
    assert.equal(await holds(() => scenario(t, { marksOthers: false })), false)
  })
}

suite('PostgreSQL: two versions of a kind', { skip: !findPostgres() }, () => {
  withControl('a document is read after a write of the other version, in both directions', async (t, options) => {
    const { old, next, database } = await openBoth(t, options)
    assert.equal((await next.get(countedBoxes, 'first'))?.state.changes, 1)
    await relabel(old, boxes, 'first', 'b')
    const seen = await next.get(countedBoxes, 'first')
    assert.deepEqual([seen?.state.label, seen?.state.changes, seen?.revision], ['b', 2, 2])
    await relabel(next, countedBoxes, 'first', 'c')
    const document = await old.get(boxes, 'first')
    assert.deepEqual([document?.state.label, document?.revision], ['c', 3])
    assert.ok(document !== undefined && !('changes' in document.state))
    await pack(next, countedBoxes, 'second', 'd')
    assert.equal(await labelOf(old, boxes, 'second'), 'd')
    await pack(old, boxes, 'third', 'e')
    assert.equal((await next.get(countedBoxes, 'third'))?.state.changes, 1)
    await assertSound(database, boxes)
    await assertSound(database, countedBoxes)
  })

  withControl('lists show what the other version wrote, in both directions', async (t, options) => {
    const { old, next } = await openBoth(t, options)
    await pack(old, boxes, 'second', 'b')
    await relabel(old, boxes, 'first', 'c')
    assert.deepEqual(await listed(next, countedBoxes), ['first: c', 'second: b'])
    const twice = await next.find(countedBoxes, { where: { field: 'changes', equals: 2 }, limit: 9 })
    assert.deepEqual(
      twice.documents.map(({ id }) => id),
      ['first'],
    )
    await relabel(next, countedBoxes, 'second', 'd')
    await pack(next, countedBoxes, 'third', 'e')
    await next.write(by('ann'), (work) => work.decide(countedBoxes, 'first', { type: 'remove' }))
    assert.deepEqual(await listed(old, boxes), ['second: d', 'third: e'])
    const related = {
      field: 'id',
      among: { kind: boxes, field: 'id', where: { field: 'label', equals: 'd' } },
    } as const
    assert.equal((await old.find(boxes, { where: related, limit: 9 })).total, 1)
  })

  withControl('a decision on a document that the other version has changed is made again', async (t, options) => {
    const { old, next } = await openBoth(t, options)
    for (const [one, ofOne, other, ofOther, by2] of [
      [old, boxes, next, countedBoxes, 'x'],
      [next, countedBoxes, old, boxes, 'y'],
    ] as const) {
      let runs = 0
      await one.write(by('ann'), async (work) => {
        const before = await work.get(ofOne, 'first')
        if (++runs === 1) await relabel(other, ofOther, 'first', `${before?.state.label}${by2}`)
        const now = await work.get(ofOne, 'first')
        await work.decide(ofOne, 'first', { type: 'label', label: `${now?.state.label}!` })
      })
      assert.equal(runs, 2)
    }
    assert.equal(await labelOf(old, boxes, 'first'), 'ax!y!')
    assert.equal(await labelOf(next, countedBoxes, 'first'), 'ax!y!')
  })

  test('a stream is begun once, and a name has one holder, whichever versions race for it', async (t) => {
    const { old, next, database } = await openBoth(t)
    for (let round = 0; round < 20; round += 1) {
      const sameId = await Promise.allSettled([
        pack(old, boxes, `box ${round}`, `one ${round}`),
        pack(next, countedBoxes, `box ${round}`, `other ${round}`),
      ])
      assert.equal(sameId.filter(({ status }) => status === 'fulfilled').length, 1)
      const sameLabel = await Promise.allSettled([
        pack(old, boxes, `a ${round}`, `label ${round}`),
        pack(next, countedBoxes, `b ${round}`, `label ${round}`),
      ])
      assert.equal(sameLabel.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const { reason } of [...sameId, ...sameLabel].filter((one) => one.status === 'rejected')) {
        assert.ok(reason instanceof Refused, String(reason))
      }
    }
    await assertSound(database, boxes)
    await assertSound(database, countedBoxes)
  })

  test('a stream that one version removes is gone in the other, and its name is free', async (t) => {
    const { old, next, database } = await openBoth(t)
    await pack(next, countedBoxes, 'second', 'b')
    assert.equal(await labelOf(old, boxes, 'second'), 'b')
    await relabel(next, countedBoxes, 'first', 'c')
    await remove(next, countedBoxes, 'first', 'record 1')
    await remove(old, boxes, 'second', 'record 2')
    for (const [store, of] of [
      [old, boxes],
      [next, countedBoxes],
    ] as const) {
      assert.deepEqual([await labelOf(store, of, 'first'), await labelOf(store, of, 'second')], [undefined, undefined])
      assert.deepEqual(await listed(store, of), [])
      assert.equal(await store.findClaimHolder('label', 'c'), undefined)
    }
    assert.deepEqual(await database.query(`select id from documents where kind like 'box%'`), [])
    assert.deepEqual(await database.query('select id from behind'), [])
  })

  withControl('reads never differ from what was last acknowledged, on any writer and reader', async (t, options) => {
    const { old, next, database } = await openBoth(t, options)
    const nodes = [
      { store: old, of: boxes },
      { store: next, of: countedBoxes },
      { store: await database.open(countedBoxes, options), of: countedBoxes },
    ] as const
    let run = 0
    const step = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(3), fc.nat(4))
    const check = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      const prefix = `${++run} `
      const expected = new Map<string, string>()
      for (const [index, [writer, reader, box, chance]] of steps.entries()) {
        const [id, label] = [`${prefix}${box}`, `${prefix}${index}`]
        const [write, read] = [nodes[writer], nodes[reader]]
        assert.ok(write !== undefined && read !== undefined)
        if (chance === 0) {
          await remove(write.store, write.of, id, label)
          expected.delete(id)
        } else {
          await (expected.has(id) ? relabel : pack)(write.store, write.of, id, label)
          expected.set(id, label)
        }
        await read.store.asOneRequest(async () => {
          for (const [known, last] of expected) {
            const where = { field: 'label', equals: last } as const
            assert.equal(await labelOf(read.store, read.of, known), last)
            assert.equal(await read.store.findClaimHolder('label', last), known)
            assert.equal((await read.store.find(read.of, { where, limit: 5 })).documents[0]?.id, known)
          }
        })
      }
    }
    const histories = fc.array(step, { minLength: 5, maxLength: 25 })
    await fc.assert(fc.asyncProperty(histories, check), { numRuns: 8, endOnFailure: true })
    await assertSound(database, boxes)
    await assertSound(database, countedBoxes)
  })
})

suite('PostgreSQL: building a version beside another', { skip: !findPostgres() }, () => {
  test('continues while the old version writes, and ends with the right documents', async (t) => {
    const database = await openDatabase(t)
    const old = await database.open(boxes)
    const ids = Array.from({ length: 1_200 }, (_, index) => `box ${index}`)
    await Promise.all(ids.map((id) => pack(old, boxes, id, id)))
    let isOver = false
    let written = 0
    const writing = (async () => {
      while (!isOver) {
        await relabel(old, boxes, `box ${written % 1_200}`, `again ${written}`)
        await pack(old, boxes, `more ${written}`, `more ${written}`)
        written += 1
      }
    })()
    const seen: BuildProgress[] = []
    const next = await database.open(countedBoxes, {
      observer: { ...NO_OBSERVER, building: (progress) => seen.push(progress) },
    })
    isOver = true
    await writing
    assert.ok(written > 0)
    assert.ok(seen.length > 2 && seen.at(-1)?.done === seen.at(-1)?.total)
    assert.equal((await next.find(countedBoxes, { limit: 0 })).total, 1_200 + written)
    assert.equal(
      (await next.find(countedBoxes, { where: { field: 'changes', atLeast: 1 }, limit: 0 })).total,
      1_200 + written,
    )
    await assertSound(database, boxes)
    await assertSound(database, countedBoxes)
    const [{ indexes } = {}] = await database.query(
      `select count(*)::int as indexes from pg_indexes where indexname like 'documents.box@2.%'`,
    )
    assert.equal(indexes, 4)
  })

  test('continues where it was interrupted, with what was written meanwhile', async (t) => {
    const database = await openDatabase(t)
    const old = await database.open(boxes)
    const ids = Array.from({ length: 1_100 }, (_, index) => `box ${String(index).padStart(4, '0')}`)
    await Promise.all(ids.map((id) => pack(old, boxes, id, id)))
    let folded = 0
    let isCut = true
    const { decider } = countedBoxes
    const counting = kind({
      ...countedBoxes,
      decider: {
        ...decider,
        evolve(state, event) {
          if (++folded > 700 && isCut) throw new Error('cut off')
          return decider.evolve(state, event)
        },
      },
    })
    await assert.rejects(database.open(counting), /cut off|rebuild of box/)
    assert.deepEqual(await database.query(`select state from folds where document_kind = 'box@2'`), [
      { state: 'building' },
    ])
    await relabel(old, boxes, 'box 0001', 'early')
    await relabel(old, boxes, 'box 1099', 'late')
    folded = 0
    isCut = false
    const next = await database.open(counting)
    assert.ok(folded < 700, `${folded} events were folded again`)
    assert.equal((await next.find(counting, { limit: 0 })).total, 1_100)
    assert.equal((await next.get(counting, 'box 0001'))?.state.label, 'early')
    assert.equal((await next.get(counting, 'box 1099'))?.state.changes, 2)
    await assertSound(database, counting)
  })

  test('a value that two streams would claim refuses the new version, and names both', async (t) => {
    const database = await openDatabase(t)
    const old = await database.open(boxes)
    await pack(old, boxes, 'one', 'a', { note: 'same' })
    await pack(old, boxes, 'two', 'b', { note: 'same' })
    await assert.rejects(database.open(notedBoxes), /Version 3 of box claims values .* two \(note\)/)
    await remove(old, boxes, 'two', 'record')
    const next = await database.open(notedBoxes)
    assert.equal(await next.findClaimHolder('note', 'same'), 'one')
    await pack(old, boxes, 'three', 'c', { note: 'other' })
    assert.equal(await next.findClaimHolder('note', 'other'), 'three')
    await assert.rejects(pack(next, notedBoxes, 'four', 'd', { note: 'other' }), { code: 'box.label_taken' })
    await remove(old, boxes, 'three', 'record 2')
    await pack(next, notedBoxes, 'four', 'd', { note: 'other' })
    await remove(old, boxes, 'four', 'record 3')
    assert.equal(await next.findClaimHolder('note', 'other'), undefined)
  })
})
