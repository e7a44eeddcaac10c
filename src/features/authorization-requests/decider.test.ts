/** The rules of authorization requests, pushed requests, devices and assertions, without a database. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { authorizationRequest, deviceAuthorization, pushedRequest, usedAssertion } from './decider.ts'
import type { AuthorizationRequestEvent, DeviceAuthorizationEvent } from './events.ts'
import { callbackUrl, parametersOf, publicIdOf, storedIdOf } from './parameters.ts'

const at = (milliseconds: number): Instant => instant(1_800_000_000_000 + milliseconds)

suite('an authorization request', () => {
  const shared = { clientId: 'client', flowStartedAt: at(0), loginClientId: '', expiresAt: at(3_600_000) }
  const payload = { params: { scope: 'openid', state: 'state', id_token_hint: 'token' }, cid: 'flow' }
  const data = { ...shared, payload }
  const started: AuthorizationRequestEvent = {
    type: 'authorization_request.started.v1',
    data: { ...shared, parameters: { scope: 'openid' }, secret: { payload } },
  }
  const finished: AuthorizationRequestEvent = {
    type: 'authorization_request.finished.v1',
    data: { outcome: 'code_issued' },
  }

  test('is started once', () => {
    given(authorizationRequest)
      .when({ type: 'start', ...data })
      .then(started)
    given(authorizationRequest, started)
      .when({ type: 'start', ...data })
      .thenRefused('authorization_request.id_taken')
  })

  test('of an older version is read like one whose secrets are apart', () => {
    const before: AuthorizationRequestEvent = { type: 'authorization_request.started.v1', data }
    const { state } = given(authorizationRequest, before)
    assert.deepEqual(state, { status: 'waiting', ...shared, secret: { payload } })
  })

  test('is finished once', () => {
    given(authorizationRequest, started).when({ type: 'finish', outcome: 'code_issued' }).then(finished)
    for (const outcome of ['continued', 'code_issued', 'failed'] as const) {
      given(authorizationRequest, started, finished)
        .when({ type: 'finish', outcome })
        .thenRefused('authorization_request.finished')
      given(authorizationRequest).when({ type: 'finish', outcome }).thenRefused('authorization_request.not_found')
    }
  })

  test('remembers the session that the user chose', () => {
    const outcome = given(authorizationRequest, started).when({ type: 'choose_account', sessionId: 's' })
    outcome.then({ type: 'authorization_request.account_chosen.v1', data: { sessionId: 's' } })
    assert.deepEqual(outcome.state, { status: 'waiting', ...started.data, chosenSessionId: 's' })
    given(authorizationRequest, started, finished)
      .when({ type: 'choose_account', sessionId: 's' })
      .thenRefused('authorization_request.finished')
  })

  test('is denied once, and then only finished', () => {
    const denied: AuthorizationRequestEvent = { type: 'authorization_request.denied.v1', data: {} }
    given(authorizationRequest, started).when({ type: 'deny' }).then(denied)
    const after = given(authorizationRequest, started, denied)
    after.when({ type: 'deny' }).thenRefused('authorization_request.finished')
    after.when({ type: 'choose_account', sessionId: 's' }).thenRefused('authorization_request.finished')
    after
      .when({ type: 'finish', outcome: 'failed' })
      .then({ type: 'authorization_request.finished.v1', data: { outcome: 'failed' } })
  })
})

suite('a pushed request and an assertion', () => {
  test('are used once', () => {
    const stored = { type: 'pushed_request.stored.v1', data: { secret: { payload: {} }, expiresAt: at(1) } } as const
    const used = { type: 'pushed_request.used.v1', data: {} } as const
    given(pushedRequest, stored).when({ type: 'use' }).then(used)
    given(pushedRequest, stored, used).when({ type: 'use' }).thenRefused('authorization_request.finished')
    given(pushedRequest).when({ type: 'use' }).thenRefused('authorization_request.not_found')
    const assertion = { type: 'assertion.used.v1', data: { expiresAt: at(1) } } as const
    given(usedAssertion)
      .when({ expiresAt: at(1) })
      .then(assertion)
    given(usedAssertion, assertion)
      .when({ expiresAt: at(1) })
      .thenRefused('assertion.used')
  })
})

suite('a device', () => {
  const data = {
    clientId: 'client',
    scope: 'openid',
    payload: {},
    secret: { hash: 'device', userCodeHash: 'user' },
    startedAt: at(0),
    expiresAt: at(300_000),
  }
  const started: DeviceAuthorizationEvent = { type: 'device_authorization.started.v1', data }
  const approved: DeviceAuthorizationEvent = {
    type: 'device_authorization.approved.v1',
    data: { grantId: 'grant', userId: 'human' },
  }
  const denied: DeviceAuthorizationEvent = { type: 'device_authorization.denied.v1', data: {} }
  const redeemed: DeviceAuthorizationEvent = { type: 'device_authorization.redeemed.v1', data: {} }
  const approve = (time = 0) => ({ type: 'approve', grantId: 'grant', userId: 'human', at: at(time) }) as const

  test('is approved or denied once, while it waits', () => {
    given(deviceAuthorization, started).when(approve()).then(approved)
    given(deviceAuthorization, started)
      .when({ type: 'deny', at: at(0) })
      .then(denied)
    for (const answer of [approved, denied]) {
      const answered = given(deviceAuthorization, started, answer)
      answered.when(approve()).thenRefused('device_authorization.finished')
      answered.when({ type: 'deny', at: at(0) }).thenRefused('device_authorization.finished')
    }
    given(deviceAuthorization, started).when(approve(300_000)).thenRefused('device_authorization.not_found')
    given(deviceAuthorization).when(approve()).thenRefused('device_authorization.not_found')
  })

  test('gets its tokens once', () => {
    given(deviceAuthorization, started).when({ type: 'redeem' }).thenRefused('device_authorization.pending')
    given(deviceAuthorization, started, approved).when({ type: 'redeem' }).then(redeemed)
    given(deviceAuthorization, started, approved, redeemed)
      .when({ type: 'redeem' })
      .thenRefused('device_authorization.finished')
  })
})

suite('a device that asks whether it was approved', () => {
  const expiresAt = at(12_000)
  const secret = { hash: 'device', userCodeHash: 'user' }
  const data = { clientId: 'client', scope: 'openid', payload: {}, secret, startedAt: at(0), expiresAt }
  const started: DeviceAuthorizationEvent = { type: 'device_authorization.started.v1', data }
  const polled = (time: number): DeviceAuthorizationEvent => ({
    type: 'device_authorization.polled.v1',
    data: { at: at(time), by: 'node' },
  })
  const slowed = (time: number, intervalMs: number): DeviceAuthorizationEvent => ({
    type: 'device_authorization.slowed_down.v1',
    data: { at: at(time), by: 'node', intervalMs },
  })
  const poll = (time: number) => ({ type: 'poll', at: at(time), by: 'node' }) as const

  test('waits five seconds, and five more after each early question, while its code is valid', () => {
    given(deviceAuthorization, started).when(poll(0)).then(polled(0))
    given(deviceAuthorization, started, polled(0)).when(poll(4500)).then(polled(4500))
    given(deviceAuthorization, started, polled(0)).when(poll(4499)).then(slowed(4499, 10_000))
    given(deviceAuthorization, started, slowed(1, 10_000)).when(poll(9000)).then(slowed(9000, 15_000))
    given(deviceAuthorization, started, slowed(1, 10_000)).when(poll(9501)).then(polled(9501))
    given(deviceAuthorization, started, slowed(1, 15_000)).when(poll(9000)).then()
  })

  test('is measured by its last question, also if that was not stored', () => {
    const seen = (time: number, seenAt: number) => ({ ...poll(time), seenAt: at(seenAt) })
    given(deviceAuthorization, started, polled(0)).when(seen(9000, 5000)).then(slowed(9000, 10_000))
    given(deviceAuthorization, started, polled(0)).when(seen(10_000, 5000)).then(polled(10_000))
  })
})

suite('the parameters of a request', () => {
  test('are read from what the engine stored', () => {
    const params = {
      redirect_uri: 'https://a.example/',
      scope: 'openid',
      prompt: 'login consent',
      max_age: 5,
      ui_locales: 'de',
    }
    const read = parametersOf({ secret: { payload: { params } } })
    assert.deepEqual(read, {
      redirectUri: 'https://a.example/',
      responseMode: 'query',
      scope: 'openid',
      prompts: ['login', 'consent'],
      maxAge: 5,
      uiLocales: ['de'],
    })
    assert.equal(
      parametersOf({ secret: { payload: { params: { response_mode: 'form_post' } } } }).responseMode,
      'query',
    )
  })

  test('become a URL that keeps the redirect URI as it is', () => {
    const url = (redirectUri: string, responseMode: 'query' | 'fragment' = 'query') =>
      callbackUrl({ redirectUri, responseMode, state: 'a b&c' }, 'https://i.example', { code: 'x', error: undefined })
    const answer = 'code=x&state=a+b%26c&iss=https%3A%2F%2Fi.example'
    assert.equal(url('https://a.example'), `https://a.example?${answer}`)
    assert.equal(url('https://a.example/?q=%20'), `https://a.example/?q=%20&${answer}`)
    assert.equal(url('com.example.app:/in', 'fragment'), `com.example.app:/in#${answer}`)
  })

  test('belong to an ID with a prefix', () => {
    assert.equal(storedIdOf(publicIdOf('abc')), 'abc')
    assert.equal(storedIdOf('abc'), undefined)
  })
})
