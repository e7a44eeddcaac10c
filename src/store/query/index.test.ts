/** Filters, order and pages: the SQL finds on each engine what a plain loop finds. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { findByModel } from '../../../test/support/filter-model.ts'
import { type BoxQuery, boxContents, packBoxes, queries } from '../../../test/support/filter-queries.ts'
import { type Box, boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Document, Filter, Query } from '../types.ts'
import { postgresDialect, sqliteDialect } from './dialect.ts'
import { compileQuery } from './index.ts'
import { indexStatements } from './schema.ts'

for (const engine of bothEngines) {
  suite(`queries on ${engine.name}`, () => {
    let opened: TestStore
    const documents: Document<Box>[] = []
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      documents.push(...(await packBoxes(opened.store, fc.sample(boxContents, { seed: 7, numRuns: 120 }))))
      await opened.store.write(by('ann'), async (work) => {
        await work.decide(boxes, 'gone', { type: 'pack', label: 'gone' }, 'org-1')
        await work.decide(boxes, 'gone', { type: 'remove' })
        await work.decide(crates, 'other', { type: 'pack', label: 'other' }, 'org-1')
      })
    })
    after(() => opened.dispose())

    test('a query finds what the model finds, in the same order, with the same total', async () => {
      const check = async (asked: BoxQuery) => {
        const page = await opened.store.find(boxes, asked)
        const expected = findByModel(documents, asked as Query)
        assert.deepEqual({ ids: page.documents.map(({ id }) => id), total: page.total }, expected)
      }
      await fc.assert(fc.asyncProperty(queries, check), { numRuns: 400 })
    })

    test('pages in any order put together are the whole, without overlap', async () => {
      for (const orderBy of ['label', 'weight', 'note', 'owner', 'createdAt', 'changedAt'] as const) {
        const ids: string[] = []
        for (let offset = 0; ; offset += 17) {
          const page = await opened.store.find(boxes, { orderBy, limit: 17, offset })
          assert.equal(page.total, documents.length)
          if (page.documents.length === 0) break
          ids.push(...page.documents.map(({ id }) => id))
        }
        assert.deepEqual(ids, findByModel(documents, { orderBy, limit: 1000 }).ids)
      }
    })

    test('thousands of values can be compared with, texts and numbers', async () => {
      const others = Array.from({ length: 3_000 }, (_, index) => index)
      const labels = [
        ...documents.slice(0, 20).map(({ state }) => state.label ?? ''),
        ...others.map((one) => `none ${one}`),
      ]
      const weights = [
        ...documents.slice(0, 5).map(({ state }) => state.weight ?? 0),
        ...others.map((one) => one + 1e9),
      ]
      for (const where of [
        { field: 'label', in: labels },
        {
          any: [
            { field: 'label', in: labels },
            { field: 'weight', in: weights },
          ],
        },
        { not: { field: 'weight', in: weights } },
      ] as const) {
        const page = await opened.store.find(boxes, { where, limit: 1000 })
        const expected = findByModel(documents, { where, limit: 1000 } as Query)
        assert.ok(expected.total > 0)
        assert.deepEqual({ ids: page.documents.map(({ id }) => id), total: page.total }, expected)
      }
    })

    test('the document that holds a unique value is found by it, also among related ones', async () => {
      const { store } = opened
      const idsBy = async (value: string, where: readonly Filter<'label'>[] = []) => {
        const holds: Filter<'label'> = { field: 'id', holds: { kind: 'label', value } }
        const page = await store.find(boxes, { where: { all: [holds, ...where] }, limit: 5 })
        const related = await store.find(boxes, {
          where: { all: [{ field: 'id', among: { kind: boxes, field: 'id', where: holds } }, ...where] },
          limit: 5,
        })
        assert.deepEqual(page.documents, related.documents)
        return page.documents.map(({ id }) => id)
      }
      for (const { id, state } of documents.slice(0, 10)) assert.deepEqual(await idsBy(state.search?.label ?? ''), [id])
      const [{ id, state } = assert.fail()] = documents
      const label = state.search?.label ?? ''
      assert.deepEqual(await idsBy(label, [{ field: 'label', equals: 'another' }]), [])
      assert.deepEqual(await idsBy('none has it'), [])
      const change = (to: string) =>
        store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'label', label: to }))
      await change('changed')
      assert.deepEqual([await idsBy(label), await idsBy('changed')], [[], [id]])
      await change(state.label ?? '')
      assert.deepEqual([await idsBy(label), await idsBy('changed')], [[id], []])
    })

    test('the ids of those that match are found without a page, all or some of them', async () => {
      const where = { field: 'weight', atLeast: 2 } as const
      const expected = findByModel(documents, { where, limit: 1000 } as Query).ids
      assert.ok(expected.length > 10)
      assert.deepEqual((await opened.store.findIds(boxes, where)).toSorted(), expected.toSorted())
      const some = await opened.store.findIds(boxes, where, 7)
      assert.equal(new Set(some).size, 7)
      assert.ok(some.every((id) => expected.includes(id)))
      assert.deepEqual(await opened.store.findIds(boxes, { field: 'weight', above: Number.MAX_VALUE }, 7), [])
    })

    test('the greatest value of a field is found among those that match, bytewise', async () => {
      const { store } = opened
      const greatest = (values: (string | number | undefined)[]) =>
        values.reduce((most, one) => (one !== undefined && (most === undefined || one > most) ? one : most), undefined)
      const heavy = documents.filter(({ state }) => (state.weight ?? 0) >= 2)
      const where = { field: 'weight', atLeast: 2 } as const
      assert.equal(await store.findGreatest(boxes, where, 'weight'), greatest(heavy.map(({ state }) => state.weight)))
      const labels = heavy.map(({ state }) => state.label).filter((label) => label !== undefined)
      const last = labels.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).at(-1)
      assert.equal(await store.findGreatest(boxes, where, 'label'), last)
      assert.equal(await store.findGreatest(boxes, { field: 'weight', above: Number.MAX_VALUE }, 'weight'), undefined)
    })

    test('the page carries the sequence of the instance', async () => {
      const { sequence } = await opened.store.write(by('ann'), async () => {})
      assert.equal((await opened.store.find(crates, { limit: 1 })).sequence, sequence)
    })
  })
}

suite('compiled queries', () => {
  const compile = (where: Filter, limit = 1) => compileQuery(boxes, { where, limit }, sqliteDialect)
  const refusedWith = (code: string) => (error: unknown) => error instanceof Refused && error.code === code

  test('no value becomes part of the SQL', () => {
    const { where, parameters } = compile({ field: 'label', equals: "x' or 1 = 1 --" })
    assert.equal(where, `instance = 1 and kind = 'box' and not gone and (state->>'label') = $1`)
    assert.deepEqual(parameters, ["x' or 1 = 1 --"])
  })

  test('a filter that is too deep, too wide or has too many values is refused', () => {
    let deep: Filter = { field: 'label', equals: 'x' }
    for (let depth = 0; depth < 5000; depth++) deep = { not: deep }
    assert.throws(() => compile(deep), refusedWith('store.filter_too_complex'))
    const wide = Array.from({ length: 1000 }, () => ({ field: 'label', equals: 'x' }))
    assert.throws(() => compile({ any: wide }), refusedWith('store.filter_too_complex'))
    const values = Array.from({ length: 50_001 }, () => 'x')
    assert.throws(() => compile({ field: 'label', in: values }), refusedWith('store.filter_too_complex'))
    assert.throws(() => compile({ field: 'label', in: [...values.slice(0, 600), 1] }), /not a text/)
    const unstorable = { field: 'label', in: [...values.slice(0, 600), 'a\0'] }
    assert.throws(() => compile(unstorable), refusedWith('store.text_invalid'))
  })

  test('a text that cannot be stored cannot be asked for', () => {
    for (const equals of ['\0', '\ud800']) {
      assert.throws(() => compile({ field: 'label', equals }), refusedWith('store.text_invalid'))
    }
  })

  test('unknown fields, wrong types and half rows are errors of the program', () => {
    assert.throws(() => compile({ field: 'colour', equals: 'x' }), /no field "colour"/)
    assert.throws(() => compile({ field: 'constructor', equals: 'x' }), /no field "constructor"/)
    assert.throws(() => compile({ field: 'weight', equals: 'x' }), /not a number/)
    assert.throws(() => compile({ field: 'label', equals: 1 }), /not a text/)
    assert.throws(() => compile({ field: 'weight', startsWith: 'x' }), /not a text/)
    assert.throws(() => compile({ field: 'weight', equals: Number.NaN }), /cannot be compared/)
    assert.throws(() => compile({ field: 'createdAt', equals: 1.5 }), /cannot be compared/)
    assert.throws(() => compile({ all: [] }, -1), /limit -1/)
  })

  test('names that could break out of the SQL are not accepted', () => {
    const field = { path: ["x') --"], type: 'text' } as const
    assert.throws(() => indexStatements({ ...boxes, fields: { field } }, sqliteDialect), /not a path/)
    assert.throws(() => indexStatements({ ...boxes, name: "box'" }, sqliteDialect), /not a name/)
  })

  test('PostgreSQL has indexes in the order of creation where fields are compared in that order', () => {
    const fields = {
      label: { path: ['label'], type: 'text', beside: ['createdAt'] },
      weight: { path: ['weight'], type: 'number', beside: ['createdAt'] },
    } as const
    const inOrder = { ...boxes, fields }
    const [label, weight, ...others] = indexStatements(inOrder, postgresDialect).map(({ sql }) => sql)
    assert.match(label ?? '', /\(instance, .*label.*, created_at, id collate "C"\)/)
    assert.match(weight ?? '', /\(instance, .*weight.* nulls first, id collate "C"\)/)
    assert.deepEqual(others, [])
    const compiled = (where: Filter, orderBy = 'createdAt') =>
      compileQuery(inOrder, { where, orderBy, limit: 1 }, postgresDialect)
    const equal = { field: 'label', equals: 'a' } as const
    const above = { field: 'weight', above: 1 } as const
    assert.deepEqual([compiled(equal).isSorted, compiled({ all: [above, equal] }).isSorted], [true, true])
    assert.deepEqual([compiled(equal, 'weight').isSorted, compiled({ any: [equal, above] }).isSorted], [false, false])
    assert.equal(compiled(above).isSorted, false)
  })

  test('each indexed field has an index whose name changes with its definition', () => {
    const names = (definition: typeof boxes) => indexStatements(definition, postgresDialect).map(({ name }) => name)
    assert.equal(names(boxes).length, 3)
    const changed = { ...boxes, fields: { ...boxes.fields, label: { path: ['tag'], type: 'text' } as const } }
    assert.equal(names(changed).filter((name) => names(boxes).includes(name)).length, 2)
    const long = { ...boxes, name: 'a'.repeat(40) }
    assert.ok(names(long).every((name) => Buffer.byteLength(name) <= 63))
    assert.equal(new Set(names(long)).size, 3)
  })
})
