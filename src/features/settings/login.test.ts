import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { settingsDecider } from './decider.ts'
import { BUILT_IN_LOGIN, needsSecondFactor, redirectUriProblem } from './login.ts'
import type { LoginSettings } from './values.ts'

const strict: LoginSettings = { ...BUILT_IN_LOGIN, allowsPassword: false, requiresSecondFactor: true }
function loginSet(data: LoginSettings) {
  return { type: 'settings.login_set.v1', data } as const
}
function put(value: LoginSettings) {
  return { type: 'set', section: 'login', manner: 'put', value } as const
}

suite('login settings: of an owner', () => {
  test('are added once, changed only when there, and reset', () => {
    const add = { ...put(strict), manner: 'add' } as const
    const change = { ...put(strict), manner: 'change' } as const
    given(settingsDecider).when(add).then(loginSet(strict))
    given(settingsDecider, loginSet(strict)).when(add).thenRefused('settings.exists')
    given(settingsDecider).when(change).thenRefused('settings.no_own')
    given(settingsDecider, loginSet(strict)).when(change).then()
    given(settingsDecider, loginSet(strict))
      .when({ type: 'reset', section: 'login' })
      .then({ type: 'settings.login_reset.v1', data: {} })
    given(settingsDecider).when({ type: 'reset', section: 'login' }).then()
  })

  test('that say the same in other lists are no change', () => {
    const copy = { ...strict, secondFactors: [...strict.secondFactors], multiFactors: [...strict.multiFactors] }
    given(settingsDecider, loginSet(strict)).when(put(copy)).then()
    const fewer = { ...strict, secondFactors: strict.secondFactors.slice(1) }
    given(settingsDecider, loginSet(strict)).when(put(fewer)).then(loginSet(fewer))
  })
})

suite('login settings: factors', () => {
  test('are allowed and forbidden one by one, in an order of their own', () => {
    const forbid = { type: 'forbid_factor', manner: 'put', factor: 'totp' } as const
    const without = loginSet({ ...BUILT_IN_LOGIN, secondFactors: ['u2f', 'otp_email', 'otp_sms', 'recovery_code'] })
    given(settingsDecider).when(forbid).then(without)
    given(settingsDecider, without).when(forbid).thenRefused('settings.factor_not_found')
    const allow = { ...forbid, type: 'allow_factor' } as const
    given(settingsDecider, without).when(allow).then(loginSet(BUILT_IN_LOGIN))
    given(settingsDecider).when(allow).thenRefused('settings.factor_exists')
    given(settingsDecider)
      .when({ type: 'forbid_factor', manner: 'put', factor: 'u2f_with_verification' })
      .then(loginSet({ ...BUILT_IN_LOGIN, multiFactors: [] }))
  })

  test('of an organization belong to its own rules only', () => {
    const forbid = { type: 'forbid_factor', manner: 'change', factor: 'totp' } as const
    given(settingsDecider).when(forbid).thenRefused('settings.no_own')
  })

  test('are needed here, or also from an identity provider', () => {
    const needs = (requiresSecondFactor: boolean, requiresSecondFactorLocalOnly: boolean) => {
      const login = { ...BUILT_IN_LOGIN, requiresSecondFactor, requiresSecondFactorLocalOnly }
      return [needsSecondFactor(login, 'here'), needsSecondFactor(login, 'elsewhere')]
    }
    assert.deepEqual(needs(false, false), [false, false])
    assert.deepEqual(needs(true, false), [true, true])
    assert.deepEqual(needs(true, true), [true, false])
    assert.deepEqual(needs(false, true), [true, false])
  })
})

suite('login settings: that no user could sign in with', () => {
  test('because no way is open are refused, and any one way is enough', () => {
    const closed = { ...BUILT_IN_LOGIN, allowsPassword: false, allowsPasskeys: false, allowsExternal: false }
    given(settingsDecider).when(put(closed)).thenRefused('settings.no_way_to_sign_in')
    for (const way of ['allowsPassword', 'allowsPasskeys', 'allowsExternal']) {
      const open = { ...closed, [way]: true }
      given(settingsDecider).when(put(open)).then(loginSet(open))
    }
  })

  test('because a second factor is required and none allowed are refused', () => {
    const bare = { ...BUILT_IN_LOGIN, secondFactors: [], multiFactors: [] }
    given(settingsDecider).when(put(bare)).then(loginSet(bare))
    const required = { ...bare, requiresSecondFactor: true }
    given(settingsDecider).when(put(required)).thenRefused('settings.no_second_factor')
    const local = { ...bare, requiresSecondFactorLocalOnly: true }
    given(settingsDecider).when(put(local)).then(loginSet(local))
    given(settingsDecider)
      .when(put({ ...local, allowsExternal: false }))
      .thenRefused('settings.no_second_factor')
    const passkeys = { ...required, multiFactors: BUILT_IN_LOGIN.multiFactors }
    given(settingsDecider).when(put(passkeys)).then(loginSet(passkeys))
    given(settingsDecider)
      .when(put({ ...passkeys, allowsPasskeys: false }))
      .thenRefused('settings.no_second_factor')
  })

  test('because the last second factor goes are refused', () => {
    const last = {
      ...BUILT_IN_LOGIN,
      requiresSecondFactor: true,
      allowsPasskeys: false,
      secondFactors: ['totp'],
    } as const
    given(settingsDecider, loginSet(last))
      .when({ type: 'forbid_factor', manner: 'change', factor: 'totp' })
      .thenRefused('settings.no_second_factor')
  })
})

suite('login settings: where the pages lead', () => {
  test('is an address that browsers reach unheard, or none', () => {
    for (const uri of [
      '',
      'https://app.example.com',
      'HTTPS://app.example.com:8443/start?from=signet#top',
      'http://localhost:3000/',
      'http://app.localhost/',
      'http://127.0.0.1:3000/',
      'http://[::1]/',
    ]) {
      assert.equal(redirectUriProblem(uri), undefined, uri)
    }
    for (const uri of [
      'app.example.com',
      '/start',
      '//app.example.com',
      'https:app.example.com',
      'https://',
      'http://app.example.com/',
      'http://localhost.example.com/',
      'http://127.0.0.1.example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'myapp://start',
      'https://ada:secret@app.example.com/',
      'https://app.example.com\\@evil.example/',
      ' https://app.example.com/',
      'https://app.example.com/a b',
      'https://app.example.com/\nx',
      'https://app.example.com/\u0000',
    ]) {
      assert.notEqual(redirectUriProblem(uri), undefined, uri)
    }
  })

  test('is checked in the decision, too', () => {
    given(settingsDecider)
      .when(put({ ...BUILT_IN_LOGIN, defaultRedirectUri: 'http://app.example.com/' }))
      .thenRefused('settings.redirect_uri_invalid')
  })
})
