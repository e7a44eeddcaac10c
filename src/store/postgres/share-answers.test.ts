import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { shareAnswers } from './share-answers.ts'

/** Queries that the test answers. */
function openDesk() {
  const open: PromiseWithResolvers<number>[] = []
  const share = shareAnswers<number>()
  const ask = (question: string) =>
    share(question, () => {
      const answer = Promise.withResolvers<number>()
      open.push(answer)
      return answer.promise
    })
  return { ask, open }
}

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}

suite('PostgreSQL: equal queries', () => {
  test('that come while one is running share the next answer, and never get an older one', async () => {
    const { ask, open } = openDesk()
    const first = ask('a')
    const later = [ask('a'), ask('a'), ask('a')]
    assert.equal(open.length, 1)
    open[0]?.resolve(1)
    assert.equal(await first, 1)
    await settled()
    assert.equal(open.length, 2)
    const last = ask('a')
    open[1]?.resolve(2)
    assert.deepEqual(await Promise.all(later), [2, 2, 2])
    await settled()
    open[2]?.resolve(3)
    assert.equal(await last, 3)
    assert.equal(open.length, 3)
  })

  test('run at once when no equal one is running, and others do not wait for them', () => {
    const { ask, open } = openDesk()
    void ask('a')
    void ask('b')
    assert.equal(open.length, 2)
  })

  test('run again after an answer and after a failure, which only earlier callers get', async () => {
    const { ask, open } = openDesk()
    const failing = ask('a')
    const next = ask('a')
    open[0]?.reject(new Error('the server is gone'))
    await assert.rejects(failing, /the server is gone/)
    await settled()
    open[1]?.resolve(7)
    assert.equal(await next, 7)
    await settled()
    const afterwards = ask('a')
    assert.equal(open.length, 3)
    open[2]?.resolve(8)
    assert.equal(await afterwards, 8)
  })
})
