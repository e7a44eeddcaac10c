import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { settingsDecider } from './decider.ts'
import type { SettingsEvent } from './events.ts'
import { MOST_WITHHELD, withheldOf, withProviderChoice } from './providers.ts'

function event(choice: 'offered' | 'withheld' | 'forgotten', idpId = 'a') {
  return { type: `settings.identity_provider_${choice}.v1`, data: { idpId } } as const
}
const offer = { type: 'offer_provider', idpId: 'a', isWithheldAbove: false } as const
const withhold = { ...offer, type: 'withhold_provider' } as const
const forget = { type: 'forget_provider', idpId: 'a' } as const
const above = { isWithheldAbove: true } as const

suite('settings: which identity providers a login policy offers', () => {
  test('all are offered until one is taken off; offering again is no mistake, taking off again is', () => {
    given(settingsDecider).when(offer).then()
    given(settingsDecider).when(withhold).then(event('withheld'))
    given(settingsDecider, event('withheld')).when(withhold).thenRefused('settings.provider_not_offered')
    given(settingsDecider, event('withheld')).when(offer).then(event('offered'))
    given(settingsDecider, event('withheld'), event('offered')).when(offer).then()
    given(settingsDecider, event('withheld', 'b')).when(offer).then()
  })

  test('what the instance has taken off can be offered all the same, and taken off again', () => {
    given(settingsDecider)
      .when({ ...withhold, ...above })
      .thenRefused('settings.provider_not_offered')
    given(settingsDecider)
      .when({ ...offer, ...above })
      .then(event('offered'))
    given(settingsDecider, event('offered'))
      .when({ ...offer, ...above })
      .then()
    given(settingsDecider, event('offered'))
      .when({ ...withhold, ...above })
      .then(event('withheld'))
  })

  test('a word about a provider that is no more is forgotten, once', () => {
    given(settingsDecider, event('withheld')).when(forget).then(event('forgotten'))
    given(settingsDecider, event('offered')).when(forget).then(event('forgotten'))
    given(settingsDecider, event('withheld'), event('forgotten')).when(forget).then()
    given(settingsDecider, event('withheld', 'aa')).when(forget).then()
    const after = [event('withheld'), event('forgotten')].reduce(settingsDecider.evolve, settingsDecider.initial)
    assert.deepEqual(after, settingsDecider.initial)
  })

  test('a reset takes back every word, also when there were no other rules', () => {
    const reset = { type: 'settings.login_reset.v1', data: {} } as const
    given(settingsDecider, event('withheld')).when({ type: 'reset', section: 'login' }).then(reset)
    given(settingsDecider, event('withheld'), reset).when({ type: 'reset', section: 'login' }).then()
    given(settingsDecider, event('withheld'), reset).when(withhold).then(event('withheld'))
  })

  test('no more are taken off than a list can leave out', () => {
    const many: SettingsEvent[] = Array.from({ length: MOST_WITHHELD }, (_, index) => event('withheld', `idp-${index}`))
    given(settingsDecider, ...many)
      .when(withhold)
      .thenRefused('settings.too_many_withheld')
    given(settingsDecider, ...many.slice(1))
      .when(withhold)
      .then(event('withheld'))
    given(settingsDecider, ...many, event('offered', 'idp-7'))
      .when(withhold)
      .then(event('withheld'))
  })

  test("the organization's word goes before the instance's", () => {
    const instance = withProviderChoice(withProviderChoice(undefined, 'a', 'withheld'), 'b', 'withheld')
    const own = withProviderChoice(withProviderChoice(undefined, 'b', 'offered'), 'c', 'withheld')
    assert.deepEqual(withheldOf(own, instance), ['c', 'a'])
    assert.deepEqual(withheldOf(undefined, instance), ['a', 'b'])
    assert.deepEqual(withheldOf(own), ['c'])
  })
})
