import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { count, mapped, milliseconds, opposite, same, words } from './mapped.ts'

interface Value {
  readonly minutes: number
  readonly isOn: boolean
}

interface Message {
  readonly $typeName: 'Message'
  readonly amount: bigint
  readonly enabled: boolean
  readonly details?: object
}

suite('a table of members and fields', () => {
  const table = mapped<Value, Message, 'details'>()({ minutes: ['amount', count], isOn: ['enabled', same] })

  test('is read both ways', () => {
    assert.deepEqual(table.show({ minutes: 5, isOn: false }), { amount: 5n, enabled: false })
    assert.deepEqual(table.read({ amount: 5, enabled: true }), { minutes: 5, isOn: true })
  })

  test('counts durations in milliseconds, and one that is not given as none', () => {
    const times = mapped<{ readonly ms: number }, { readonly life?: ReturnType<typeof milliseconds.show> }>()({
      ms: ['life', milliseconds],
    })
    assert.deepEqual(times.read(times.show({ ms: 1500 })), { ms: 1500 })
    assert.deepEqual(times.read({}), { ms: 0 })
  })

  test('leaves out what is not given, on both sides', () => {
    assert.deepEqual(table.read({ enabled: true }), { isOn: true })
    assert.deepEqual(table.show({ isOn: true } as Value), { enabled: true })
  })

  test('names the field of a member', () => {
    assert.equal(table.path('minutes'), 'amount')
  })

  test('has words for numbers, one or a list, and switches that say the opposite', () => {
    const color = words({ red: 1, blue: 2 })
    assert.deepEqual(
      [color.show('red'), color.read(2), color.list.show(['blue']), color.list.read([2, 1, 2])],
      [1, 'blue', [2], ['blue', 'red']],
    )
    assert.throws(() => color.read(3))
    assert.equal(words({ red: 1 }, 'red').read(3), 'red')
    assert.deepEqual([opposite.show(true), opposite.read(true)], [false, false])
  })

  test('does not compile without a member, without a field, or with fields of another type', () => {
    // @ts-expect-error: `isOn` stands in no row.
    mapped<Value, Message, 'details'>()({ minutes: ['amount', count] })
    // @ts-expect-error: `details` is left out without a word.
    mapped<Value, Message>()({ minutes: ['amount', count], isOn: ['enabled', same] })
    // @ts-expect-error: a number is no switch.
    mapped<Value, Message, 'details'>()({ minutes: ['enabled', count], isOn: ['amount', same] })
  })
})
