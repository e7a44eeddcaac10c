import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../../test/support/given.ts'
import { instant } from '../../../kernel/instant.ts'
import { samlRequest } from './decider.ts'

const NOON = instant(1_800_000_000_000)
const END = instant(NOON + 600_000)
const data = {
  applicationId: 'app',
  clientId: 'client',
  responseUrl: 'https://sp.example/acs',
  binding: 'post',
  flowStartedAt: NOON,
  loginClientId: '',
  expiresAt: END,
} as const
const started = { type: 'saml_request.started.v1', data } as const
const finished = { type: 'saml_request.finished.v1', data: { outcome: 'answered' } } as const
function finish(at = NOON) {
  return { type: 'finish', outcome: 'answered', at } as const
}

suite('a SAML request', () => {
  test('is started once', () => {
    given(samlRequest)
      .when({ type: 'start', ...data })
      .then(started)
    given(samlRequest, started)
      .when({ type: 'start', ...data })
      .thenRefused('authorization_request.id_taken')
  })

  test('is answered once', () => {
    given(samlRequest, started).when(finish()).then(finished)
    given(samlRequest, started, finished).when(finish()).thenRefused('authorization_request.finished')
    given(samlRequest).when(finish()).thenRefused('authorization_request.not_found')
  })

  test('is answered before it expires, and not at that time', () => {
    given(samlRequest, started)
      .when(finish(instant(END - 1)))
      .then(finished)
    given(samlRequest, started).when(finish(END)).thenRefused('authorization_request.not_found')
    given(samlRequest, started, finished).when(finish(END)).thenRefused('authorization_request.not_found')
  })

  test('keeps the relay state of older events as a secret', () => {
    const { state } = given(samlRequest, { ...started, data: { ...data, relayState: 'kept' } })
    assert.deepEqual(state, { status: 'waiting', ...data, secret: { relayState: 'kept' } })
  })
})
