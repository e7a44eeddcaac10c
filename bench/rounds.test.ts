import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { alternate } from './rounds.ts'

suite('alternating rounds', () => {
  test('everything takes its turn in each round, every other round backwards', async () => {
    const turns: string[] = []
    const contender = (name: string) => async (round: number) => {
      turns.push(name)
      return `${name}${round}`
    }
    const values = await alternate({ one: contender('one'), two: contender('two') }, 3)
    assert.deepEqual(turns, ['one', 'two', 'two', 'one', 'one', 'two'])
    assert.deepEqual(values, { one: ['one0', 'one1', 'one2'], two: ['two0', 'two1', 'two2'] })
  })
})
