import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { isNextCount } from './decider.ts'
import { passkeyRegistrations, passkeys } from './documents.ts'
import type { PasskeyEvent, PasskeyRegistrationEvent } from './events.ts'

const noon = instant(1_800_000_000_000)
const later = instant(noon + 300_000)

suite('a key', () => {
  const data = {
    userId: 'u1',
    use: 'passkey',
    rpId: 'example.com',
    name: 'Phone',
    credentialId: 'id',
    publicKey: 'key',
    signCount: 3,
    aaguid: '00000000-0000-0000-0000-000000000000',
    transports: ['internal'],
    isBackupEligible: true,
    isBackedUp: false,
  } as const
  const registered: PasskeyEvent = { type: 'passkey.registered.v1', data }
  const removed: PasskeyEvent = { type: 'passkey.removed.v1', data: {} }
  const used = (signCount: number, isBackedUp = false): PasskeyEvent => ({
    type: 'passkey.used.v2',
    data: { signCount, isBackedUp, usedAt: noon },
  })
  const use = (signCount: number, isBackedUp = false, at = noon) =>
    ({ type: 'use', signCount, isBackedUp, at }) as const

  test('is registered once, and its id is never used again', () => {
    given(passkeys)
      .when({ type: 'register', ...data })
      .then(registered)
    for (const past of [[registered], [registered, removed]]) {
      given(passkeys, ...past)
        .when({ type: 'register', ...data })
        .thenRefused('passkey.id_taken')
    }
  })

  test('counts upwards only, or not at all', () => {
    given(passkeys, registered).when(use(4)).then(used(4))
    given(passkeys, registered).when(use(3)).thenRefused('passkey.assertion_invalid')
    given(passkeys, registered).when(use(0)).thenRefused('passkey.assertion_invalid')
    given(passkeys, registered, used(9)).when(use(4)).thenRefused('passkey.assertion_invalid')
    assert.equal(isNextCount(0, 0), true)
    assert.equal(isNextCount(0, 1), true)
    assert.equal(isNextCount(1, 0), false)
  })

  test('is noted once a day when using it changes nothing', () => {
    const uncounted: PasskeyEvent = { type: 'passkey.registered.v1', data: { ...data, signCount: 0 } }
    const older: PasskeyEvent = { type: 'passkey.used.v1', data: { signCount: 0, isBackedUp: false } }
    const day = 86_400_000
    for (const before of [[uncounted], [uncounted, older]])
      given(passkeys, ...before)
        .when(use(0))
        .then(used(0))
    given(passkeys, uncounted, used(0))
      .when(use(0, false, instant(noon + day - 1)))
      .then()
    given(passkeys, uncounted, used(0))
      .when(use(0, false, instant(noon + day)))
      .then({ type: 'passkey.used.v2', data: { signCount: 0, isBackedUp: false, usedAt: instant(noon + day) } })
    given(passkeys, uncounted, used(0)).when(use(0, true)).then(used(0, true))
  })

  test('is renamed and removed while it is there', () => {
    const renamed: PasskeyEvent = { type: 'passkey.renamed.v1', data: { name: 'Watch' } }
    given(passkeys, registered).when({ type: 'rename', name: 'Watch' }).then(renamed)
    given(passkeys, registered).when({ type: 'rename', name: 'Phone' }).then()
    given(passkeys, registered).when({ type: 'remove' }).then(removed)
    for (const command of [{ type: 'rename', name: 'Watch' }, { type: 'remove' }, use(9)] as const) {
      given(passkeys).when(command).thenRefused('passkey.not_found')
      given(passkeys, registered, removed).when(command).thenRefused('passkey.not_found')
    }
  })
})

suite('a registration', () => {
  const started = (passkeyId: string): PasskeyRegistrationEvent => ({
    type: 'passkey_registration.started.v1',
    data: { passkeyId, rpId: 'example.com', expiresAt: later, secret: { challenge: `challenge of ${passkeyId}` } },
  })
  const now = { user: 0, organization: 0 }
  const finish = (passkeyId: string, at = noon) =>
    ({ type: 'finish', passkeyId, challenge: `challenge of ${passkeyId}`, at, now }) as const
  const finished = (passkeyId: string): PasskeyRegistrationEvent => ({
    type: 'passkey_registration.finished.v1',
    data: { passkeyId },
  })

  test('replaces the one that was begun before', () => {
    const start = { type: 'start', passkeyId: 'b', rpId: 'example.com', expiresAt: later } as const
    given(passkeyRegistrations, started('a'))
      .when({ ...start, challenge: 'challenge of b' })
      .then(started('b'))
    given(passkeyRegistrations, started('a'), started('b')).when(finish('a')).thenRefused('passkey.not_found')
    given(passkeyRegistrations, started('a'), started('b')).when(finish('b')).then(finished('b'))
  })

  test('stays when one is begun with another link', () => {
    const withLink = (passkeyId: string, issue: number): PasskeyRegistrationEvent => {
      const { type, data } = started(passkeyId) as Extract<PasskeyRegistrationEvent, { data: { rpId: string } }>
      return { type, data: { ...data, link: { issue, target: `${issue}` } } }
    }
    const three = given(passkeyRegistrations, started('a'), withLink('b', 1), withLink('c', 2))
    for (const id of ['a', 'b', 'c']) three.when(finish(id)).then(finished(id))
    const again = given(passkeyRegistrations, withLink('b', 1), withLink('c', 2), withLink('d', 1), finished('c'))
    for (const id of ['b', 'c']) again.when(finish(id)).thenRefused('passkey.not_found')
    again.when(finish('d')).then(finished('d'))
  })

  test('is finished once, with its own challenge, and before its time is over', () => {
    given(passkeyRegistrations).when(finish('a')).thenRefused('passkey.not_found')
    given(passkeyRegistrations, started('a'), finished('a')).when(finish('a')).thenRefused('passkey.not_found')
    given(passkeyRegistrations, started('a'))
      .when({ ...finish('a'), challenge: 'another' })
      .thenRefused('passkey.not_found')
    given(passkeyRegistrations, started('a')).when(finish('a', later)).thenRefused('passkey.registration_expired')
    given(passkeyRegistrations, started('a'))
      .when(finish('a', instant(later - 1)))
      .then(finished('a'))
  })

  test('is not finished after a lockout, also when that was undone', () => {
    const remembering: PasskeyRegistrationEvent = {
      type: 'passkey_registration.started.v1',
      data: {
        passkeyId: 'a',
        rpId: 'example.com',
        expiresAt: later,
        generations: { user: 1, organization: 0 },
        secret: { challenge: 'challenge of a' },
      },
    }
    given(passkeyRegistrations, remembering)
      .when({ ...finish('a'), now: { user: 1, organization: 0 } })
      .then(finished('a'))
    for (const ended of [
      { user: 2, organization: 0 },
      { user: 1, organization: 1 },
    ]) {
      given(passkeyRegistrations, remembering)
        .when({ ...finish('a'), now: ended })
        .thenRefused('passkey.registration_expired')
    }
  })

  test('goes with its user, permanently', () => {
    const removed: PasskeyRegistrationEvent = { type: 'passkey_registration.removed.v1', data: {} }
    given(passkeyRegistrations, started('a')).when({ type: 'remove' }).then(removed)
    given(passkeyRegistrations, started('a'), removed).when(finish('a')).thenRefused('passkey.not_found')
  })
})
