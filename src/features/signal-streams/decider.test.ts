import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { signalStream, VERIFICATION_INTERVAL_S } from './decider.ts'
import type { SignalStreamEvent, StreamSettings } from './events.ts'

const NOON = instant(1_800_000_000_000)
const settings: StreamSettings = { description: 'SIEM', delivery: { method: 'push', url: 'https://siem.example' } }
const secret = { authorization: 'sealed' }
const added = { type: 'signal_stream.added.v1', data: { receiverId: 'machine', ...settings, secret } } as const
const removed = { type: 'signal_stream.removed.v1', data: {} } as const

function turned(to: 'paused' | 'disabled' | 'enabled' | 'restarted', reason?: string): SignalStreamEvent {
  return { type: `signal_stream.${to}.v1`, data: reason === undefined ? {} : { reason } }
}
function turn(status: 'paused' | 'disabled' | 'enabled', reason?: string) {
  return { type: 'set_status', status, ...(reason !== undefined && { reason }) } as const
}

suite('a stream of signals', () => {
  test('is added once, and nothing else is done to one that is not there', () => {
    const add = { type: 'add', receiverId: 'machine', settings, header: 'sealed' } as const
    given(signalStream).when(add).then(added)
    given(signalStream, added).when(add).thenRefused('signal_stream.id_taken')
    given(signalStream, added, removed).when(add).thenRefused('signal_stream.id_taken')
    given(signalStream).when({ type: 'remove' }).thenRefused('signal_stream.not_found')
    given(signalStream, added).when({ type: 'remove' }).then(removed)
    given(signalStream, added, removed).when({ type: 'remove' }).thenRefused('signal_stream.not_found')
  })

  test('is changed as a whole: what is not given is not kept', () => {
    const same = { type: 'configure', settings, header: 'sealed' } as const
    given(signalStream, added).when(same).then()
    const bare = { type: 'signal_stream.changed.v1', data: settings } as const
    given(signalStream, added).when({ type: 'configure', settings }).then(bare)
    const { state } = given(signalStream, added, bare)
    assert.deepEqual(state, { status: 'enabled', excluded: [], receiverId: 'machine', ...settings })
  })

  test('begins anew after it was disabled, and continues after a pause', () => {
    given(signalStream, added).when(turn('enabled')).then()
    given(signalStream, added).when(turn('paused', 'holidays')).then(turned('paused', 'holidays'))
    given(signalStream, added, turned('paused')).when(turn('enabled')).then(turned('enabled'))
    given(signalStream, added, turned('paused')).when(turn('disabled')).then(turned('disabled'))
    given(signalStream, added, turned('disabled')).when(turn('enabled')).then(turned('restarted'))
    given(signalStream, added, turned('disabled')).when(turn('paused')).then(turned('paused'))
  })

  test('forgets the reason of a status with the status', () => {
    const { state } = given(signalStream, added, turned('paused', 'holidays'), turned('enabled'))
    assert.equal('reason' in state, false)
  })

  test('leaves users out, once each', () => {
    const out = { type: 'signal_stream.subject_removed.v1', data: { userId: 'ada' } } as const
    const back = { type: 'signal_stream.subject_added.v1', data: { userId: 'ada' } } as const
    given(signalStream, added).when({ type: 'remove_subject', userId: 'ada' }).then(out)
    given(signalStream, added, out).when({ type: 'remove_subject', userId: 'ada' }).then()
    given(signalStream, added, out).when({ type: 'add_subject', userId: 'ada' }).then(back)
    given(signalStream, added).when({ type: 'add_subject', userId: 'ada' }).then()
    given(signalStream, added, out, back).when({ type: 'remove_subject', userId: 'ada' }).then(out)
  })

  test('is verified at most once a minute', () => {
    const verified = {
      type: 'signal_stream.verification_requested.v1',
      data: { requestedAt: NOON, state: 's' },
    } as const
    given(signalStream, added).when({ type: 'verify', at: NOON, state: 's' }).then(verified)
    const after = (ms: number) => instant(NOON + VERIFICATION_INTERVAL_S * 1000 + ms)
    given(signalStream, added, verified)
      .when({ type: 'verify', at: after(-1) })
      .thenRefused('signal_stream.verified_lately')
    given(signalStream, added, verified)
      .when({ type: 'verify', at: after(0) })
      .then({ type: 'signal_stream.verification_requested.v1', data: { requestedAt: after(0) } })
  })

  test('has its header encrypted anew only while that is the same header', () => {
    const resealed = { type: 'signal_stream.resealed.v1', data: { secret: { authorization: 'new' } } } as const
    given(signalStream, added).when({ type: 'reseal', before: 'sealed', after: 'new' }).then(resealed)
    given(signalStream, added).when({ type: 'reseal', before: 'other', after: 'new' }).then()
  })
})
