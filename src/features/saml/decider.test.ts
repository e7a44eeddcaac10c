import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { activeSamlKey, CERTIFICATE_MS, nextRotation, samlKeysDecider } from './decider.ts'

const NOON = instant(1_800_000_000_000)
const DAY_MS = 86_400_000

function added(keyId: string, addedAt = NOON) {
  const key = { keyId, certificate: 'DER', addedAt, expiresAt: instant(addedAt + CERTIFICATE_MS) }
  return { type: 'saml_key.added.v1', data: { ...key, secret: { privateKey: 'sealed' } } } as const
}
function activated(keyId: string, activatedAt = NOON) {
  return { type: 'saml_key.activated.v1', data: { keyId, activatedAt } } as const
}
const removed = { type: 'saml_key.removed.v1', data: { keyId: 'one' } } as const

suite('the keys of SAML', () => {
  test('are added once', () => {
    const { secret: _, ...key } = added('one').data
    const add = { type: 'add', privateKey: 'sealed', ...key } as const
    given(samlKeysDecider).when(add).then(added('one'))
    given(samlKeysDecider, added('one')).when(add).thenRefused('saml_key.unusable')
  })

  test('sign one at a time: the next one retires the one before', () => {
    const activate = { type: 'activate', keyId: 'one', at: NOON } as const
    given(samlKeysDecider, added('one')).when(activate).then(activated('one'))
    given(samlKeysDecider, added('one'), activated('one')).when(activate).then()
    given(samlKeysDecider).when(activate).thenRefused('saml_key.not_found')
    const later = instant(NOON + 1)
    const events = [added('one'), activated('one'), added('two'), activated('two', later)]
    const { state } = given(samlKeysDecider, ...events)
    assert.equal(activeSamlKey(state)?.keyId, 'two')
    assert.deepEqual(
      state.keys.map(({ retiredAt }) => retiredAt),
      [later, undefined],
    )
  })

  test('are removed, also twice, and encrypted anew only while they are the same', () => {
    given(samlKeysDecider, added('one')).when({ type: 'remove', keyId: 'one' }).then(removed)
    given(samlKeysDecider, added('one'), removed).when({ type: 'remove', keyId: 'one' }).then()
    const reseal = (before: string) => ({ type: 'reseal', keyId: 'one', before, privateKey: 'again' }) as const
    const resealed = { type: 'saml_key.resealed.v1', data: { keyId: 'one', secret: { privateKey: 'again' } } } as const
    given(samlKeysDecider, added('one')).when(reseal('sealed')).then(resealed)
    given(samlKeysDecider, added('one')).when(reseal('other')).then()
    given(samlKeysDecider).when(reseal('sealed')).then()
  })

  test('are published, used and removed in time for those who copy certificates', () => {
    const first = given(samlKeysDecider, added('one'), activated('one')).state
    const both = given(samlKeysDecider, added('one'), activated('one'), added('two')).state
    const before = (ms: number) => instant(NOON + CERTIFICATE_MS - ms)
    assert.deepEqual(nextRotation(samlKeysDecider.initial, NOON), { type: 'add' })
    assert.equal(nextRotation(first, before(120 * DAY_MS)), undefined)
    assert.deepEqual(nextRotation(first, before(120 * DAY_MS - 1)), { type: 'add' })
    assert.equal(nextRotation(both, before(30 * DAY_MS)), undefined)
    assert.deepEqual(nextRotation(both, before(30 * DAY_MS - 1)), { type: 'activate', keyId: 'two' })
    const turned = given(samlKeysDecider, added('one'), activated('one'), added('two'), activated('two')).state
    assert.equal(nextRotation(turned, instant(NOON + 30 * DAY_MS - 1)), undefined)
    assert.deepEqual(nextRotation(turned, instant(NOON + 30 * DAY_MS)), { type: 'remove', keyId: 'one' })
  })
})
