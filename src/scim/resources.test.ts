import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { App } from '../module/app.ts'
import { untilFirst } from './resources.ts'

suite('SCIM: changes of one resource', () => {
  test('run one after the other in an instance, and do not wait for a resource of another instance with the same ID', async () => {
    const [one, other] = [{}, {}] as unknown as readonly [App, App]
    const gate = Promise.withResolvers<string>()
    const done: string[] = []
    const note = (name: string) => async () => {
      done.push(name)
    }
    const first = untilFirst(one, 'user-1', () => gate.promise)
    const second = untilFirst(one, 'user-1', note('second'))
    await untilFirst(other, 'user-1', note('of the other'))
    await untilFirst(one, 'user-2', note('of another resource'))
    gate.resolve('first')
    assert.equal(await first, 'first')
    await second
    assert.deepEqual(done, ['of the other', 'of another resource', 'second'])
  })
})
