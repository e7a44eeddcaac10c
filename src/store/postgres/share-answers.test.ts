import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { shareAnswers } from './share-answers.ts'

/** Questions that are answered by hand. */
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

suite('equal questions', () => {
  test('that come while one is under way share the next answer, and never an older one', async () => {
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

  test('are asked at once when nobody else asks, and others do not wait for them', () => {
    const { ask, open } = openDesk()
    void ask('a')
    void ask('b')
    assert.equal(open.length, 2)
  })

  test('are asked again after an answer, and after a failure, which only those hear who asked before it', async () => {
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
