import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FairQueue } from './fair-queue.ts'
import type { Owners } from './share.ts'

function fill(...all: readonly Owners[]) {
  const queue = new FairQueue<{ readonly owners: Owners; readonly cost: number; readonly name: string }>()
  for (const [index, owners] of all.entries()) queue.add({ owners, cost: 1, name: `${owners.join('/')} ${index}` })
  return queue
}

function drain(queue: ReturnType<typeof fill>): readonly string[] {
  return Array.from({ length: queue.length }, () => queue.next()?.name.replace(/ \d+$/, '') ?? '')
}

suite('a queue of several owners', () => {
  test('gives turns to organizations, and within each to its users', () => {
    const [ann, ben, eve]: readonly Owners[] = [
      ['north', 'ann'],
      ['north', 'ben'],
      ['south', 'eve'],
    ]
    const queue = fill(ann as Owners, ann as Owners, ben as Owners, ben as Owners, eve as Owners, eve as Owners)
    assert.equal(queue.waiting().length, 6)
    assert.deepEqual(drain(queue), ['north/ann', 'south/eve', 'north/ben', 'south/eve', 'north/ann', 'north/ben'])
    assert.equal(queue.next(), undefined)
  })

  test('says what is done before a new task: for no other owner more than for its own', () => {
    const many = Array.from({ length: 100 }, (_, index): Owners => ['loud', `${index}`])
    const queue = fill(...many, ['quiet', 'q'])
    assert.equal(queue.before({ owners: ['quiet', 'q'], cost: 1 }), 1 + 2)
    assert.equal(queue.before({ owners: ['new', 'n'], cost: 1 }), 2)
    assert.equal(queue.before({ owners: ['loud', '0'], cost: 1 }), 100 + 1)
    assert.deepEqual([queue.ofOwner(['loud']), queue.ofOwner(['loud', '7']), queue.ofOwner(['new', 'n'])], [100, 1, 0])
  })

  test('counts a task until it is done, and then forgets its owners', () => {
    const queue = fill(['north', 'ann'])
    const task = queue.next() ?? assert.fail('nothing waits')
    assert.deepEqual([queue.length, queue.ofOwner(['north'])], [0, 1])
    queue.done(task)
    assert.equal(queue.ofOwner(['north']), 0)
    assert.equal(queue.before({ owners: ['south'], cost: 1 }), 0)
  })

  test('takes back the newest task of whoever has the most, for those who have fewer', () => {
    const queue = fill(['loud', 'a'], ['loud', 'b'], ['loud', 'b'], ['loud', 'b'], ['quiet', 'q'])
    assert.equal(queue.takeBackFor(['quiet', 'q'])?.name, 'loud/b 3')
    assert.equal(queue.takeBackFor(['quiet', 'q'])?.name, 'loud/b 2')
    // Two of one and one of the other: a second one would only change places.
    assert.equal(queue.takeBackFor(['quiet', 'q']), undefined)
    assert.equal(queue.takeBackFor(['loud', 'a']), undefined)
    assert.deepEqual([queue.length, queue.ofOwner(['loud'])], [3, 2])
  })

  test('takes nothing back from an owner for itself, and from its other callers when they have more', () => {
    const queue = fill(['loud', 'a'], ['loud', 'a'], ['loud', 'a'])
    assert.equal(queue.takeBackFor(['loud', 'a']), undefined)
    assert.equal(queue.takeBackFor(['loud', 'b'])?.name, 'loud/a 2')
    assert.deepEqual(drain(queue), ['loud/a', 'loud/a'])
  })
})
