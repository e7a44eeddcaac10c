import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { instance, keyRing, setupCode } from './decider.ts'
import type { KeyRingEvent, SetupCodeEvent } from './events.ts'

const born = {
  name: 'Signet',
  defaultOrganizationId: 'org',
  administratorId: 'human',
  machineAdministratorId: 'machine',
}

suite('instance', () => {
  test('is created once', () => {
    given(instance)
      .when({ type: 'create', ...born })
      .then({ type: 'instance.created.v1', data: born })
    given(instance, { type: 'instance.created.v1', data: born })
      .when({ type: 'create', ...born })
      .thenRefused('instance.exists')
  })
})

function added(keyId: string): KeyRingEvent {
  return {
    type: 'key_ring.key_added.v1',
    data: { keyId, secret: { wrapped: `wrapped ${keyId}` } },
  }
}

suite('key ring', () => {
  test('a key that is added last is the active one and cannot be removed', () => {
    given(keyRing, added('one'), added('two'))
      .when({ type: 'remove_key', keyId: 'two' })
      .thenRefused('instance.key_active')
  })

  test('an old key can be removed, with its wrapped bytes', () => {
    const { state } = given(keyRing, added('one'), added('two')).when({ type: 'remove_key', keyId: 'one' })
    assert.deepEqual(state, { keyIds: ['two'], secret: { wrapped: { two: 'wrapped two' } } })
  })

  test('a key is added once and removed once', () => {
    given(keyRing, added('one'))
      .when({ type: 'add_key', keyId: 'one', wrapped: 'x' })
      .thenRefused('instance.key_exists')
    given(keyRing, added('one')).when({ type: 'remove_key', keyId: 'no' }).thenRefused('instance.key_not_found')
  })
})

const at = instant(1000)
const expiresAt = instant(2000)
const issued: SetupCodeEvent = {
  type: 'setup_code.issued.v1',
  data: { expiresAt, generations: { user: 0 }, secret: { hash: 'h' } },
}
const used: SetupCodeEvent = { type: 'setup_code.used.v1', data: { usedAt: at } }

suite('set-up code', () => {
  test('the right code is taken before it expires', () => {
    given(setupCode, issued)
      .when({ type: 'use', matches: true, hash: 'h', at, now: { user: 0 } })
      .then(used)
  })

  test('a wrong, expired, replaced, used or missing code, and one from before a lockout, gets the same answer', () => {
    const use = { type: 'use', matches: true, hash: 'h', at, now: { user: 0 } } as const
    given(setupCode, issued)
      .when({ ...use, matches: false })
      .thenRefused('instance.setup_code_invalid')
    given(setupCode, issued)
      .when({ ...use, at: expiresAt })
      .thenRefused('instance.setup_code_invalid')
    given(setupCode, issued)
      .when({ ...use, hash: 'older' })
      .thenRefused('instance.setup_code_invalid')
    given(setupCode, issued)
      .when({ ...use, now: { user: 1 } })
      .thenRefused('instance.setup_code_invalid')
    given(setupCode, issued, used).when(use).thenRefused('instance.setup_code_invalid')
    given(setupCode).when(use).thenRefused('instance.setup_code_invalid')
  })

  test('it can be issued again until one was used', () => {
    const issue = { type: 'issue', hash: 'h', expiresAt, generations: { user: 0 } } as const
    given(setupCode).when(issue).then(issued)
    given(setupCode, issued).when(issue).then(issued)
    given(setupCode, issued, used).when(issue).thenRefused('instance.setup_done')
  })
})
