import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { trustedTransmitter } from './decider.ts'
import type { TransmitterSettings } from './events.ts'

const settings: TransmitterSettings = {
  name: 'Partner',
  issuer: 'https://partner.example',
  audience: 'https://signet.example',
  jwksUri: 'https://partner.example/keys',
  providerId: 'provider',
  whenDisabled: 'end_sessions',
}
const added = { type: 'trusted_transmitter.added.v1', data: { ...settings, secret: { tokenHash: 'hash' } } } as const
const removed = { type: 'trusted_transmitter.removed.v1', data: {} } as const
const add = { type: 'add', settings, tokenHash: 'hash' } as const

suite('a trusted transmitter', () => {
  test('is added once, and its ID is never used again', () => {
    given(trustedTransmitter).when(add).then(added)
    given(trustedTransmitter, added).when(add).thenRefused('trusted_transmitter.id_taken')
    given(trustedTransmitter, added, removed).when(add).thenRefused('trusted_transmitter.id_taken')
  })

  test('is changed by what differs, and by nothing else', () => {
    const rename = { type: 'change', settings: { ...settings, name: 'Other' } } as const
    const renamed = { type: 'trusted_transmitter.changed.v1', data: { name: 'Other' } } as const
    given(trustedTransmitter, added).when(rename).then(renamed)
    given(trustedTransmitter, added, renamed).when(rename).then()
    given(trustedTransmitter, added).when({ type: 'change', settings: {} }).then()
  })

  test('is not paused unless somebody said so', () => {
    const pause = (isPaused: boolean) => ({ type: 'change', settings: { isPaused } }) as const
    const paused = (isPaused: boolean) => ({ type: 'trusted_transmitter.changed.v1', data: { isPaused } }) as const
    given(trustedTransmitter, added).when(pause(false)).then()
    given(trustedTransmitter, added).when(pause(true)).then(paused(true))
    given(trustedTransmitter, added, paused(true)).when(pause(false)).then(paused(false))
  })

  test('keeps a record of what its tokens did', () => {
    const applied = { jti: 'one', signal: 'account-disabled', userId: 'ada', isDeactivated: true } as const
    const noted = { type: 'trusted_transmitter.signal_applied.v1', data: applied } as const
    given(trustedTransmitter, added).when({ type: 'note', applied }).then(noted)
    given(trustedTransmitter, removed).when({ type: 'note', applied }).thenRefused('trusted_transmitter.not_found')
  })

  test('is not there before it is added, nor after it is removed', () => {
    given(trustedTransmitter, added).when({ type: 'remove' }).then(removed)
    given(trustedTransmitter).when({ type: 'remove' }).thenRefused('trusted_transmitter.not_found')
    given(trustedTransmitter, added, removed).when({ type: 'remove' }).thenRefused('trusted_transmitter.not_found')
    given(trustedTransmitter, added, removed)
      .when({ type: 'change', settings: { name: 'x' } })
      .thenRefused('trusted_transmitter.not_found')
  })
})
