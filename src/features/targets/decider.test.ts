import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { target } from './decider.ts'
import type { TargetEvent, TargetSettings } from './events.ts'

const at = instant(1_800_000_000_000)
const later = instant(at + 1000)
const settings: TargetSettings = {
  name: 'Policy',
  endpoint: 'https://policy.example',
  type: 'call',
  interruptOnError: true,
  timeoutMs: 5000,
  payloadType: 'json',
  signatureType: 'standard_webhooks',
}
const added = { type: 'target.added.v1', data: { ...settings, secret: { signingKey: 'sealed' } } } as const
const removed = { type: 'target.removed.v1', data: {} } as const

function keyAdded(keyId: string, expiresAt?: typeof at) {
  const key = { keyId, publicKey: 'PEM', fingerprint: 'print', ...(expiresAt !== undefined && { expiresAt }) }
  return { type: 'target.public_key_added.v1', data: { ...key, at } } as const
}
function activated(keyId: string): TargetEvent {
  return { type: 'target.public_key_activated.v1', data: { keyId, at: later } }
}

suite('a target', () => {
  test('is added once, and nothing else is done to one that is not there', () => {
    const add = { type: 'add', settings, signingKey: 'sealed' } as const
    given(target).when(add).then(added)
    given(target, added).when(add).thenRefused('target.id_taken')
    given(target, added, removed).when(add).thenRefused('target.id_taken')
    given(target).when({ type: 'remove' }).thenRefused('target.not_found')
    given(target, added, removed).when({ type: 'change', settings }).thenRefused('target.not_found')
    given(target).when({ type: 'remove_key', keyId: 'one', at }).thenRefused('target.public_key_not_found')
  })

  test('is changed by what differs; a new signing key is a change', () => {
    given(target, added).when({ type: 'change', settings }).then()
    given(target, added)
      .when({ type: 'change', settings: { ...settings, name: 'Other' } })
      .then({ type: 'target.changed.v1', data: { name: 'Other' } })
    given(target, added)
      .when({ type: 'change', settings, signingKey: 'new' })
      .then({ type: 'target.changed.v1', data: { secret: { signingKey: 'new' } } })
  })

  test('that is called asynchronously interrupts nothing', () => {
    const changed = { type: 'target.changed.v1', data: { type: 'async', interruptOnError: false } } as const
    given(target, added)
      .when({ type: 'change', settings: { type: 'async', interruptOnError: true } })
      .then(changed)
    given(target, added, changed)
      .when({ type: 'change', settings: { interruptOnError: true } })
      .then()
  })

  test('has its signing key encrypted anew only while that is the same key', () => {
    given(target, added)
      .when({ type: 'reseal', before: 'sealed', signingKey: 'again' })
      .then({ type: 'target.key_resealed.v1', data: { secret: { signingKey: 'again' } } })
    given(target, added).when({ type: 'reseal', before: 'other', signingKey: 'again' }).then()
  })

  test('is found by its name in any case', () => {
    const { state } = given(target, added, { type: 'target.changed.v1', data: { name: 'Änderung' } })
    assert.ok(state.status === 'living')
    assert.deepEqual(state.search.interrupts, 1)
    assert.equal(state.search.name, state.search.name.toLowerCase())
  })
})

suite('the public keys of a target', () => {
  const two = [added, keyAdded('one'), keyAdded('two')] as const

  test('are added inactive', () => {
    const { type: _, data } = { ...keyAdded('one') }
    given(target, added)
      .when({ type: 'add_key', ...data })
      .then(keyAdded('one'))
    const { state } = given(target, ...two)
    assert.deepEqual(state.status === 'living' && state.publicKeys.map(({ isActive }) => isActive), [false, false])
  })

  test('are active one at a time', () => {
    given(target, ...two)
      .when({ type: 'activate_key', keyId: 'one', at: later })
      .then(activated('one'))
    given(target, ...two, activated('one'))
      .when({ type: 'activate_key', keyId: 'one', at: later })
      .then()
    const { state } = given(target, ...two, activated('one'), activated('two'))
    assert.deepEqual(state.status === 'living' && state.publicKeys.map(({ isActive }) => isActive), [false, true])
  })

  test('are not activated once they have expired', () => {
    const activate = { type: 'activate_key', keyId: 'one', at: later } as const
    given(target, added, keyAdded('one', later)).when(activate).thenRefused('target.public_key_expired')
    given(target, added, keyAdded('one', instant(later + 1)))
      .when(activate)
      .then(activated('one'))
  })

  test('are switched off, and then removed, also twice', () => {
    const events = [...two, activated('one')]
    const off = { type: 'target.public_key_deactivated.v1', data: { keyId: 'one', at: later } } as const
    const gone = { type: 'target.public_key_removed.v1', data: { keyId: 'one' } } as const
    given(target, ...events)
      .when({ type: 'remove_key', keyId: 'one', at: later })
      .thenRefused('target.public_key_active')
    given(target, ...events)
      .when({ type: 'deactivate_key', keyId: 'one', at: later })
      .then(off)
    given(target, ...events, off)
      .when({ type: 'deactivate_key', keyId: 'one', at: later })
      .then()
    given(target, ...events, off)
      .when({ type: 'remove_key', keyId: 'one', at: later })
      .then(gone)
    given(target, ...events, off, gone)
      .when({ type: 'remove_key', keyId: 'one', at: later })
      .then()
    given(target, ...events, off, gone)
      .when({ type: 'activate_key', keyId: 'one', at: later })
      .thenRefused('target.public_key_not_found')
  })
})
