import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { smsProvider } from './decider.ts'

const webhook = { endpoint: 'https://sms.example', description: 'Ours' }
const account = { sid: 'AC1', senderNumber: '+491', verifyServiceSid: '', description: 'Twilio' }
const added = { type: 'sms_provider.added.v1', data: { ...webhook, secret: { signingKey: 'sealed' } } } as const
const twilio = { type: 'sms_provider.twilio_added.v1', data: { ...account, secret: { token: 'sealed' } } } as const
const on = { type: 'sms_provider.activated.v1', data: {} } as const
const off = { type: 'sms_provider.deactivated.v1', data: {} } as const
const removed = { type: 'sms_provider.removed.v1', data: {} } as const

suite('a provider of text messages', () => {
  const add = { type: 'add', of: 'http', settings: webhook, secret: { signingKey: 'sealed' } } as const
  const addTwilio = { type: 'add', of: 'twilio', settings: account, secret: { token: 'sealed' } } as const

  test('is added once, and sends nothing before it is activated', () => {
    given(smsProvider).when(add).then(added)
    given(smsProvider).when(addTwilio).then(twilio)
    for (const events of [[added], [twilio], [added, removed]]) {
      given(smsProvider, ...events)
        .when(add)
        .thenRefused('sms.provider_id_taken')
      given(smsProvider, ...events)
        .when(addTwilio)
        .thenRefused('sms.provider_id_taken')
    }
    assert.equal(given(smsProvider, added).state.status, 'inactive')
  })

  test('is switched on and off, once each', () => {
    given(smsProvider, twilio).when({ type: 'activate' }).then(on)
    given(smsProvider, twilio, on).when({ type: 'activate' }).thenRefused('sms.provider_active')
    given(smsProvider, twilio, on).when({ type: 'deactivate' }).then(off)
    given(smsProvider, twilio, on, off).when({ type: 'deactivate' }).thenRefused('sms.provider_inactive')
  })

  test('is removed and then not there', () => {
    given(smsProvider, added, on).when({ type: 'remove' }).then(removed)
    for (const type of ['activate', 'deactivate', 'remove'] as const) {
      given(smsProvider, added, removed).when({ type }).thenRefused('sms.provider_not_found')
      given(smsProvider).when({ type }).thenRefused('sms.provider_not_found')
    }
  })
})

suite('a webhook for text messages', () => {
  const change = (more: object) => ({ type: 'change', of: 'http', settings: { ...webhook, ...more } }) as const

  test('is changed by another address, text or key', () => {
    given(smsProvider, added).when(change({})).then()
    for (const more of [{ endpoint: 'https://b.example' }, { description: 'Other' }]) {
      given(smsProvider, added)
        .when(change(more))
        .then({ type: 'sms_provider.changed.v1', data: { ...webhook, ...more } })
    }
    given(smsProvider, added)
      .when({ ...change({}), secret: { signingKey: 'new' } })
      .then({ type: 'sms_provider.changed.v1', data: { ...webhook, secret: { signingKey: 'new' } } })
    given(smsProvider, twilio).when(change({})).thenRefused('sms.provider_not_found')
  })

  test('has its key encrypted anew only while that is the same key', () => {
    given(smsProvider, added)
      .when({ type: 'reseal', before: 'sealed', after: 'again' })
      .then({ type: 'sms_provider.key_resealed.v1', data: { secret: { signingKey: 'again' } } })
    given(smsProvider, added).when({ type: 'reseal', before: 'other', after: 'again' }).then()
  })
})

suite('an account at Twilio', () => {
  test('is changed by any of its members', () => {
    given(smsProvider, twilio).when({ type: 'change', of: 'twilio', settings: account }).then()
    for (const name of ['sid', 'senderNumber', 'verifyServiceSid', 'description'] as const) {
      const other = { ...account, [name]: 'other' }
      given(smsProvider, twilio)
        .when({ type: 'change', of: 'twilio', settings: other })
        .then({ type: 'sms_provider.twilio_changed.v1', data: other })
    }
    given(smsProvider, added)
      .when({ type: 'change', of: 'twilio', settings: account })
      .thenRefused('sms.provider_not_found')
  })

  test('gets a new token, and has it encrypted anew only while that is the same token', () => {
    const changed = { type: 'sms_provider.token_changed.v1', data: { secret: { token: 'new' } } } as const
    given(smsProvider, twilio)
      .when({ type: 'change_secret', of: 'twilio', secret: { token: 'new' } })
      .then(changed)
    const resealed = { type: 'sms_provider.token_resealed.v1', data: { secret: { token: 'again' } } } as const
    given(smsProvider, twilio).when({ type: 'reseal', before: 'sealed', after: 'again' }).then(resealed)
    given(smsProvider, twilio, changed).when({ type: 'reseal', before: 'sealed', after: 'again' }).then()
  })
})
