import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readTogether, type Wanted, wantedKey } from './read-together.ts'

suite('PostgreSQL: reading together', () => {
  test('five hundred concurrent reads take a few statements, and each gets its own value', async () => {
    const sizes: number[] = []
    const read = readTogether(2, async (batch: readonly Wanted[]) => {
      sizes.push(batch.length)
      await nextTurn()
      return new Map(batch.filter(({ id }) => id !== '7').map((wanted) => [wantedKey(wanted), `value ${wanted.id}`]))
    })
    const values = await Promise.all(Array.from({ length: 500 }, (_, index) => read('box', String(index))))
    assert.deepEqual(
      values,
      values.map((_, index) => (index === 7 ? undefined : `value ${index}`)),
    )
    assert.deepEqual(sizes, [200, 200, 100])
  })

  test('a failed statement fails only the reads in it', async () => {
    let isWell = false
    const read = readTogether(1, async (batch) => {
      if (!isWell) throw new Error('connection lost')
      return new Map(batch.map((wanted) => [wantedKey(wanted), true]))
    })
    await assert.rejects(read('box', '1'), /connection lost/)
    isWell = true
    assert.equal(await read('box', '1'), true)
    assert.equal(await read('box', '\0'), undefined)
  })
})
