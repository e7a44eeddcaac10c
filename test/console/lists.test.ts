/** Lists of the console: what is kept in the address, and how a short list is searched, sorted and cut into pages. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { auditSearch } from '../../console/src/pages/audit/audit-search.ts'
import { type ListState, listSearch } from '../../console/src/parts/list-search.ts'
import { localRows } from '../../console/src/parts/local-rows.ts'
import { tabListSearch } from '../../console/src/parts/tab-list-search.ts'

const SPEC = { sorts: ['name', 'created'], filters: { state: ['active', 'inactive'] } } as const

suite('the address of a list', () => {
  test('keeps what the list knows, and drops everything else', () => {
    const read = listSearch(SPEC)
    assert.deepEqual(read({ q: 'ada', page: '3', sort: 'created', order: 'desc', state: 'active', other: 'x' }), {
      q: 'ada',
      page: 3,
      sort: 'created',
      order: 'desc',
      state: 'active',
    })
    assert.deepEqual(read({ q: {}, page: '1', sort: 'size', order: 'up', state: 'lost' }), {})
  })

  test('reads a text of digits, and cuts a long one', () => {
    assert.deepEqual(listSearch(SPEC)({ q: 42 }), { q: '42' })
    assert.equal(listSearch(SPEC)({ q: 'x'.repeat(300) }).q?.length, 200)
  })

  test('keeps the tab beside the list of the tab', () => {
    assert.deepEqual(tabListSearch(SPEC)({ tab: 'roles', page: 2, more: true }), { tab: 'roles', page: 2 })
  })

  test('of the audit keeps its filters', () => {
    assert.deepEqual(auditSearch({ editor: 7, kind: 'user', live: true, since: 'x'.repeat(300), until: null }), {
      editor: '7',
      kind: 'user',
      live: true,
      since: 'x'.repeat(200),
    })
    assert.deepEqual(auditSearch({ live: 'true' }), {})
  })
})

interface Person {
  readonly name: string
  readonly age: number
  readonly state: string
}

const PEOPLE: readonly Person[] = [
  { name: 'Ada', age: 36, state: 'active' },
  { name: 'ada b', age: 9, state: 'inactive' },
  { name: 'Zoë', age: 100, state: 'active' },
]

function show(state: Partial<ListState>) {
  const whole: ListState = {
    q: '',
    page: 1,
    sort: 'name',
    isAscending: true,
    filters: {},
    offset: 0n,
    limit: 25,
    isFiltered: false,
    set() {},
    ...state,
  }
  const { rows, total } = localRows(
    {
      rows: PEOPLE,
      error: null,
      refetch() {},
      textOf: ({ name }) => name,
      sorts: { name: ({ name }) => name, age: ({ age }) => age },
      filters: { state: (person) => person.state },
    },
    whole,
  )
  return { ages: rows?.map(({ age }) => age), total }
}

suite('a short list', () => {
  test('is searched without regard to case and spaces around the text', () => {
    assert.deepEqual(show({ q: ' ADA ' }), { ages: [36, 9], total: 2 })
  })

  test('is filtered', () => {
    assert.deepEqual(show({ filters: { state: 'active' } }), { ages: [36, 100], total: 2 })
  })

  test('is sorted by numbers as numbers', () => {
    assert.deepEqual(show({ sort: 'age' }).ages, [9, 36, 100])
    assert.deepEqual(show({ sort: 'age', isAscending: false }).ages, [100, 36, 9])
  })

  test('is cut into pages, and says how many rows there are', () => {
    assert.deepEqual(show({ sort: 'age', offset: 2n, limit: 2 }), { ages: [100], total: 3 })
  })
})
