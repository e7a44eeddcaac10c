import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './check-queue.ts'

test('turns of one key come one after the other, those of others at once', async () => {
  const turns = openTurns(10)
  const log: string[] = []
  const held = Promise.withResolvers<void>()
  const first = turns.take('a', async () => {
    await held.promise
    log.push('first')
  })
  const second = turns.take('a', async () => log.push('second'))
  await turns.take('b', async () => log.push('other'))
  held.resolve()
  await Promise.all([first, second])
  assert.deepEqual(log, ['other', 'first', 'second'])
})

test('a turn that fails lets the next one come, and a line that is too long is closed', async () => {
  const turns = openTurns(1)
  const held = Promise.withResolvers<void>()
  const failing = turns.take('a', async () => {
    await held.promise
    throw new Error('no')
  })
  const waiting = turns.take('a', async () => 'done')
  assert.equal(
    turns.take('a', async () => 'never'),
    undefined,
  )
  held.resolve()
  await assert.rejects(failing ?? Promise.resolve(), /no/)
  assert.equal(await waiting, 'done')
  assert.equal(await turns.take('a', async () => 'again'), 'again')
})
