/** What the cache keeps of the commits of its own process, without a database. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../kernel/instant.ts'
import type { Commit } from './engine.ts'
import { ReadCache } from './read-cache.ts'

suite('documents that the process has written itself', () => {
  const at = instant(1)
  const row = (label: string, revision: number, sequence: number) => ({
    ...{ kind: 'box', id: 'one', owner: 'org', state: `{"label":"${label}"}`, gone: false },
    ...{ revision, sequence, createdAt: at, changedAt: at, parsed: { label } },
  })
  const nothing = { guards: [], removed: [], claims: [], released: [], jobs: [] }
  const relabeled = (label: string, expected: number): Commit => ({
    ...{ actor: 'ann', at, ...nothing },
    changes: [{ ...row(label, 0, 0), sameFields: false, expected, events: [{ type: 'box.labeled.v1', data: '{}' }] }],
  })
  const removed: Commit = {
    ...{ actor: 'ann', at, changes: [], ...nothing },
    removed: [{ kind: 'box', id: 'one', expected: 2 }],
  }
  const committed = (sequence: number) => [{ type: 'committed', sequence } as const]
  const noLog = () => assert.fail('the log was read')
  const open = () => {
    const cache = new ReadCache()
    cache.follow(1, () => [])
    cache.keepDocument('box', 'one', row('a', 1, 1))
    return cache
  }

  test('are known without the log when no other process has written', () => {
    const cache = open()
    cache.noteWritten([relabeled('b', 1)], committed(2))
    cache.follow(2, noLog)
    assert.deepEqual(cache.document('box', 'one'), row('b', 2, 2))
  })

  test('are kept when a read has found them in the log first', () => {
    const cache = open()
    cache.follow(2, () => [['box', 'one', 2]])
    assert.equal(cache.document('box', 'one'), undefined)
    cache.noteWritten([relabeled('b', 1)], committed(2))
    assert.deepEqual(cache.document('box', 'one'), row('b', 2, 2))
  })

  test('are kept when reads have found them and others in the log first', () => {
    const cache = open()
    cache.keepDocument('box', 'two', { ...row('a', 1, 1), id: 'two' })
    cache.follow(2, () => [['box', 'one', 2]])
    cache.follow(3, () => [['box', 'three', 3]])
    cache.noteWritten([relabeled('b', 1)], committed(2))
    assert.deepEqual(cache.document('box', 'one'), row('b', 2, 2))
  })

  test('are not kept when they have changed again or were removed', () => {
    const changed = open()
    changed.follow(3, () => [
      ['box', 'one', 3],
      ['box', 'one', 2],
    ])
    changed.noteWritten([relabeled('b', 1)], committed(2))
    assert.equal(changed.document('box', 'one'), undefined)

    const gone = open()
    gone.noteWritten([relabeled('b', 1), removed], [...committed(2), ...committed(2)])
    gone.follow(2, noLog)
    assert.equal(gone.document('box', 'one'), undefined)

    const later = open()
    later.follow(2, () => [['box', 'one', 2]])
    later.follow(3, () => [['box', 'one', 3]])
    later.noteWritten([relabeled('b', 1)], committed(2))
    assert.equal(later.document('box', 'one'), undefined)

    const emptied = open()
    emptied.follow(2, () => [['box', 'one', 2]])
    emptied.follow(1_000, noLog)
    emptied.noteWritten([relabeled('b', 1)], committed(2))
    assert.equal(emptied.document('box', 'one'), undefined)
  })
})
