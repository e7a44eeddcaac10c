import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { settingsDecider } from './decider.ts'

const strict = { minLength: 12, needsUppercase: true, needsLowercase: true, needsNumber: true, needsSymbol: true }
const complexitySet = { type: 'settings.password_complexity_set.v1', data: strict } as const
const few = { maxPasswordAttempts: 3, maxOtpAttempts: 2 }
const lockoutSet = { type: 'settings.lockout_set.v1', data: few } as const
const noon = instant(1000)
const scoped = {
  type: 'settings.organization_set.v1',
  data: { organizationScopedUserNames: true, setAt: noon },
} as const

suite('settings: rules of an owner', () => {
  test('are added once, changed only when there, and reset', () => {
    const add = { type: 'set', section: 'passwordComplexity', manner: 'add', value: strict } as const
    const change = { ...add, manner: 'change' } as const
    given(settingsDecider).when(add).then(complexitySet)
    given(settingsDecider, complexitySet).when(add).thenRefused('settings.exists')
    given(settingsDecider).when(change).thenRefused('settings.no_own')
    given(settingsDecider, complexitySet).when(change).then()
    const loose = { ...strict, minLength: 8 }
    given(settingsDecider, complexitySet)
      .when({ ...change, value: loose })
      .then({ type: 'settings.password_complexity_set.v1', data: loose })
    given(settingsDecider, complexitySet)
      .when({ type: 'reset', section: 'passwordComplexity' })
      .then({ type: 'settings.password_complexity_reset.v1', data: {} })
    given(settingsDecider).when({ type: 'reset', section: 'passwordComplexity' }).then()
  })

  test('about the lockout follow the same manners', () => {
    given(settingsDecider).when({ type: 'set', section: 'lockout', manner: 'put', value: few }).then(lockoutSet)
    given(settingsDecider, lockoutSet).when({ type: 'set', section: 'lockout', manner: 'put', value: few }).then()
    given(settingsDecider, lockoutSet)
      .when({ type: 'reset', section: 'lockout' })
      .then({ type: 'settings.lockout_reset.v1', data: {} })
  })
})

suite('settings: of an organization', () => {
  test('can be set twice to the same without an event', () => {
    const command = { type: 'set_organization', organizationScopedUserNames: true, at: noon } as const
    given(settingsDecider).when(command).then(scoped)
    given(settingsDecider, scoped).when(command).then()
  })

  test('keep what is not given, and remember when they were first set', () => {
    given(settingsDecider, scoped)
      .when({ type: 'set_organization', at: instant(2000) })
      .then()
    const off = { type: 'set_organization', organizationScopedUserNames: false, at: instant(2000) } as const
    const data = { organizationScopedUserNames: false, setAt: instant(2000) }
    given(settingsDecider, scoped).when(off).then({ type: 'settings.organization_set.v1', data })
  })

  test('are gone with a reset, which can be asked for twice', () => {
    given(settingsDecider, scoped)
      .when({ type: 'reset_organization' })
      .then({ type: 'settings.organization_reset.v1', data: {} })
    given(settingsDecider).when({ type: 'reset_organization' }).then()
  })
})

suite('settings: language', () => {
  test('is one of those that mails and pages are written in, by its own tag', () => {
    const set = (language: string) => given(settingsDecider).when({ type: 'set_default_language', language })
    set('de').then({ type: 'settings.default_language_set.v1', data: { language: 'de' } })
    set('de-CH').thenRefused('settings.language_unsupported')
    set('sv').thenRefused('settings.language_unsupported')
  })
})
