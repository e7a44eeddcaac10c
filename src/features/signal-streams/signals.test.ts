/** What events of the log say as signals. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { namedActor } from '../../kernel/actor.ts'
import { instant } from '../../kernel/instant.ts'
import { kinds } from '../../modules.ts'
import type { StoredEvent } from '../../store/index.ts'
import { SUPPORTED, signalOf, typesFor } from './signals.ts'

function event(type: string, data: object = {}, more: Partial<StoredEvent> = {}): StoredEvent {
  const where = { sequence: 7, kind: type.split('.')[0] ?? '', id: 'object', revision: 1, owner: 'north' }
  return { ...where, actor: { user: 'boss' }, at: instant(1_800_000_000_500), type, data, ...more }
}

function said(one: StoredEvent, earlier: readonly StoredEvent[] = []) {
  const signal = signalOf(one, { userId: 'ada', earlier })
  if (signal === undefined) return undefined
  const { event_timestamp: _, initiating_entity: __, ...claims } = signal.claims
  return [signal.uri.slice(signal.uri.lastIndexOf('/') + 1), signal.about, claims]
}

const CREDENTIAL = 'credential-change'

suite('signals', () => {
  test('are of events that there are', () => {
    const declared = new Set(kinds.flatMap(({ events }) => Object.keys(events)))
    assert.deepEqual(
      typesFor(SUPPORTED).filter((type) => !declared.has(type)),
      [],
    )
  })

  test('say what happened, in the words of CAEP and RISC', () => {
    const key = { userId: 'ada', name: 'Ada’s phone', publicKey: 'p', credentialId: 'c', aaguid: 'guid' }
    const phone = event('passkey.registered.v1', { ...key, transports: ['internal', 'hybrid'] })
    const stick = event('passkey.imported.v1', { ...key, aaguid: '', transports: ['usb'] })
    const cases: [StoredEvent, readonly StoredEvent[], unknown][] = [
      [event('session.ended.v1', { reason: 'ended' }), [], ['session-revoked', 'session', {}]],
      [event('user.deactivated.v1'), [], ['account-disabled', 'user', {}]],
      [event('user.locked.v1'), [], ['account-disabled', 'user', {}]],
      [event('user.reactivated.v1'), [], ['account-enabled', 'user', {}]],
      [event('user.unlocked.v1'), [], ['account-enabled', 'user', {}]],
      [event('user.removed.v1'), [], ['account-purged', 'user', {}]],
      [
        event('password.set.v1', { secret: { hash: 'hash-of-it' } }),
        [],
        [CREDENTIAL, 'user', { credential_type: 'password', change_type: 'create' }],
      ],
      [
        event('password.set.v1', {}, { revision: 2 }),
        [],
        [CREDENTIAL, 'user', { credential_type: 'password', change_type: 'update' }],
      ],
      [
        phone,
        [],
        [CREDENTIAL, 'user', { credential_type: 'fido2-platform', change_type: 'create', fido2_aaguid: 'guid' }],
      ],
      [
        event('passkey.removed.v1'),
        [stick],
        [CREDENTIAL, 'user', { credential_type: 'fido2-roaming', change_type: 'delete' }],
      ],
      [
        event('totp.verified.v1', { step: 1 }),
        [],
        [CREDENTIAL, 'user', { credential_type: 'app', change_type: 'create' }],
      ],
      [
        event('otp.added.v1', { medium: 'sms' }),
        [],
        [CREDENTIAL, 'user', { credential_type: 'phone-sms', change_type: 'create' }],
      ],
      [
        event('otp.removed.v1', { medium: 'email' }),
        [],
        [CREDENTIAL, 'user', { credential_type: 'email', change_type: 'delete' }],
      ],
      [event('user.profile_changed.v1'), [], undefined],
      [event('passkey.removed.v1'), [], undefined],
    ]
    for (const [one, earlier, expected] of cases) {
      assert.deepEqual(said(one, earlier), expected, one.type)
      assert.doesNotMatch(JSON.stringify(said(one, earlier) ?? ''), /hash-of-it|Ada|publicKey|credentialId/)
    }
  })

  test('tell a session that becomes stronger, and not its first sign-in', () => {
    const password = event('session.password_checked.v1', { checkedAt: 1 })
    const totp = event('session.totp_checked.v1', { checkedAt: 1 })
    const passkey = (userVerified: boolean) =>
      event('session.web_authn_checked.v1', { checkedAt: 1, use: 'passkey', userVerified, keyId: 'key' })
    const key = event('session.web_authn_checked.v1', { checkedAt: 1, use: 'second_factor', userVerified: true })
    const up = [
      'assurance-level-change',
      'session',
      {
        namespace: 'NIST-AAL',
        current_level: 'nist-aal2',
        previous_level: 'nist-aal1',
        change_direction: 'increase',
      },
    ]
    const cases: [readonly StoredEvent[], StoredEvent, unknown][] = [
      [[], password, undefined],
      [[], passkey(true), undefined],
      [[], totp, undefined],
      [[password], password, undefined],
      [[password], passkey(false), undefined],
      [[password], totp, up],
      [[password], key, up],
      [[password], passkey(true), up],
      [[password, totp], totp, undefined],
      [[event('session.intent_checked.v1', { checkedAt: 1 })], totp, up],
    ]
    for (const [earlier, one, expected] of cases) assert.deepEqual(said(one, earlier), expected)
  })

  test('name who did it', () => {
    const by = (actor: string) =>
      signalOf(event('session.ended.v1', {}, { actor: namedActor(actor) }), { userId: 'ada', earlier: [] })?.claims
    assert.deepEqual(by('ada'), { event_timestamp: 1_800_000_000, initiating_entity: 'user' })
    assert.equal(by('system')?.initiating_entity, 'system')
    assert.equal(by('boss')?.initiating_entity, 'admin')
  })
})
