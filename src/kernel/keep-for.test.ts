import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { keepFor } from './keep-for.ts'

suite('an answer that is kept', () => {
  test('is made once for all who ask while it is made, and for a while after', async () => {
    let now = 0
    const asked: PromiseWithResolvers<number>[] = []
    const ask = keepFor(
      100,
      () => {
        const one = Promise.withResolvers<number>()
        asked.push(one)
        return one.promise
      },
      () => now,
    )
    const [first, second] = [ask(), ask()]
    now = 5000
    const third = ask()
    asked[0]?.resolve(1)
    assert.deepEqual(await Promise.all([first, second, third]), [1, 1, 1])
    now = 5099
    assert.equal(await ask(), 1)
    now = 5100
    const next = ask()
    asked[1]?.resolve(2)
    assert.equal(await next, 2)
    assert.equal(asked.length, 2)
  })

  test('may be an error, which is not tried again sooner', async () => {
    let now = 0
    let tries = 0
    const ask = keepFor(
      100,
      async () => {
        tries++
        throw new Error('down')
      },
      () => now,
    )
    for (let count = 0; count < 5; count++) await assert.rejects(ask(), /down/)
    assert.equal(tries, 1)
    now = 100
    await assert.rejects(ask(), /down/)
    assert.equal(tries, 2)
  })
})
