import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { webhook } from './decider.ts'
import type { WebhookSettings } from './events.ts'

const later = instant(1_800_000_000_000)
const settings: WebhookSettings = {
  name: 'SIEM',
  url: 'https://siem.example',
  eventTypes: ['user.*'],
  objectTypes: [],
  timeoutMs: 5000,
  perSecond: 10,
}
const added = { type: 'webhook.added.v1', data: { ...settings, secret: { key: 'sealed' } } } as const
const removed = { type: 'webhook.removed.v1', data: {} } as const
const paused = { type: 'webhook.paused.v1', data: {} } as const
const resumed = { type: 'webhook.resumed.v1', data: {} } as const
const off = { type: 'webhook.switched_off.v1', data: {} } as const

suite('a webhook', () => {
  test('is added once, and nothing else is done to one that is not there', () => {
    const add = { type: 'add', settings, key: 'sealed' } as const
    given(webhook).when(add).then(added)
    given(webhook, added).when(add).thenRefused('webhook.id_taken')
    given(webhook, added, removed).when(add).thenRefused('webhook.id_taken')
    given(webhook).when({ type: 'pause' }).thenRefused('webhook.not_found')
    given(webhook, added, removed).when({ type: 'remove' }).thenRefused('webhook.not_found')
  })

  test('is changed by what differs; a list with the same items is the same', () => {
    const change = (more: Partial<WebhookSettings>) => ({ type: 'change', settings: more }) as const
    given(webhook, added)
      .when(change({ ...settings, eventTypes: ['user.*'], includesDocument: false }))
      .then()
    given(webhook, added)
      .when(change({ ...settings, eventTypes: [], perSecond: 1 }))
      .then({ type: 'webhook.changed.v1', data: { eventTypes: [], perSecond: 1 } })
  })

  test('has a former key only until the next one', () => {
    const rotated = {
      type: 'webhook.secret_rotated.v1',
      data: { secret: { key: 'new', former: 'sealed' }, formerUntil: later },
    } as const
    given(webhook, added).when({ type: 'rotate', key: 'new', former: 'sealed', formerUntil: later }).then(rotated)
    const atOnce = { type: 'webhook.secret_rotated.v1', data: { secret: { key: 'newest' } } } as const
    given(webhook, added, rotated).when({ type: 'rotate', key: 'newest' }).then(atOnce)
    const { state } = given(webhook, added, rotated, atOnce)
    assert.ok(state.status === 'active')
    assert.deepEqual([state.secret, state.formerUntil], [{ key: 'newest' }, undefined])
  })

  test('has a key encrypted anew only while that is the same key', () => {
    given(webhook, added)
      .when({ type: 'reseal', member: 'key', before: 'sealed', after: 'again' })
      .then({ type: 'webhook.secret_resealed.v1', data: { secret: { key: 'again' } } })
    given(webhook, added).when({ type: 'reseal', member: 'key', before: 'other', after: 'again' }).then()
    given(webhook, added).when({ type: 'reseal', member: 'former', before: 'sealed', after: 'again' }).then()
  })

  test('is paused once and resumed, also after its endpoint was gone', () => {
    given(webhook, added).when({ type: 'pause' }).then(paused)
    given(webhook, added, paused).when({ type: 'pause' }).thenRefused('webhook.paused_already')
    given(webhook, added, paused).when({ type: 'resume' }).then(resumed)
    given(webhook, added).when({ type: 'resume' }).then()
    given(webhook, added, off).when({ type: 'resume' }).then(resumed)
    given(webhook, added, off).when({ type: 'pause' }).then(paused)
  })

  test('is switched off only while it is active', () => {
    given(webhook, added).when({ type: 'switch_off' }).then(off)
    given(webhook, added, paused).when({ type: 'switch_off' }).then()
    given(webhook, added, off).when({ type: 'switch_off' }).then()
  })
})
