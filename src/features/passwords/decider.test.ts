import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { password } from './decider.ts'

const noon = instant(1000)
function set(hash: string) {
  return { type: 'password.set.v1', data: { changeRequired: false, setAt: noon, secret: { hash } } } as const
}
const rehashed = { type: 'password.rehashed.v1', data: { secret: { hash: 'new' } } } as const

suite('a password', () => {
  test('is set and set again', () => {
    const command = { type: 'set', hash: 'h', changeRequired: false, at: noon } as const
    given(password).when(command).then(set('h'))
    given(password, set('g')).when(command).then(set('h'))
  })

  test('gets a better hash only in place of the one that it matched', () => {
    const command = { type: 'rehash', from: 'old', hash: 'new' } as const
    given(password, set('old')).when(command).then(rehashed)
    given(password, set('old'), rehashed).when(command).then()
    given(password, set('another')).when(command).then()
    given(password).when(command).then()
  })

  test('is the same password under a better hash, and another one once it is set', () => {
    const generationOf = (state: ReturnType<typeof password.evolve>) => state.status === 'set' && state.generation
    assert.equal(generationOf(given(password, set('old'), rehashed).state), 1)
    assert.equal(generationOf(given(password, set('old'), rehashed, set('x')).state), 2)
  })

  test('is gone with its user', () => {
    const removed = { type: 'password.removed.v1', data: {} } as const
    given(password, set('h')).when({ type: 'remove' }).then(removed)
    given(password, set('h'), removed)
      .when({ type: 'set', hash: 'h', changeRequired: false, at: noon })
      .thenRefused('password.removed')
  })
})
