import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MAX_AT_ONCE } from './limits.ts'
import { Turns } from './turns.ts'

suite('turns of directories', () => {
  test('are as many at once for each caller, who is told when to come back, and others are served meanwhile', async () => {
    const turns = new Turns()
    const { promise: end, resolve } = Promise.withResolvers<string>()
    const running = Array.from({ length: MAX_AT_ONCE }, () => turns.take('okta', () => end))
    await assert.rejects(
      turns.take('okta', async () => 'served'),
      { status: 429, headers: { 'retry-after': '1' } },
    )
    assert.equal(await turns.take('entra', async () => 'served'), 'served')
    resolve('ended')
    await Promise.all(running)
    assert.equal(await turns.take('okta', async () => 'served'), 'served')
  })

  test('are given back by requests that fail', async () => {
    const turns = new Turns()
    const fail = () => turns.take('okta', () => Promise.reject(new Error('no')))
    for (let number = 0; number <= MAX_AT_ONCE; number++) await assert.rejects(fail(), { message: 'no' })
  })
})
