import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Reach } from '../../access/paths.ts'
import type { Settings } from './decider.ts'
import { type SettingsCommand, settingsDecider } from './decider.ts'
import { BUILT_IN_LOGIN } from './login.ts'
import { type Above, SECTIONS } from './sections.ts'

const MANAGER: Reach = ['ORG_SETTINGS_MANAGER']
const OWNER: Reach = ['ORG_OWNER']
const login = { type: 'set', section: 'login', manner: 'put', value: BUILT_IN_LOGIN } as const
const lockout = {
  type: 'set',
  section: 'lockout',
  manner: 'put',
  value: { maxPasswordAttempts: 1, maxOtpAttempts: 0 },
} as const

/** The state after some commands. */
function after(...commands: readonly SettingsCommand[]): Settings {
  return commands.reduce((state, command) => {
    const { events = [], refusal } = settingsDecider.decide(command, state)
    assert.equal(refusal, undefined)
    return events.reduce(settingsDecider.evolve, state)
  }, settingsDecider.initial)
}

suite('the reach of settings', () => {
  test('comes from whoever changed a section last, for each section by itself', () => {
    assert.equal(after({ ...lockout, by: OWNER }).reach, undefined)
    assert.deepEqual(after({ ...lockout, by: MANAGER }, { ...login, by: OWNER }).reach, { lockout: MANAGER })
    assert.deepEqual(after({ ...lockout, by: MANAGER }, { ...lockout, by: OWNER }).reach, { lockout: OWNER })
    assert.equal(after({ ...lockout, by: OWNER }, { ...lockout, by: MANAGER }).reach, undefined)
  })

  test('goes down, but not up, with a change of one factor', () => {
    const forbid = { type: 'forbid_factor', manner: 'change', factor: 'totp' } as const
    const allow = { ...forbid, type: 'allow_factor' } as const
    assert.deepEqual(after({ ...login, by: OWNER }, { ...forbid, by: MANAGER }).reach, { login: MANAGER })
    assert.deepEqual(after({ ...login, by: MANAGER }, { ...forbid, by: OWNER }, { ...allow, by: OWNER }).reach, {
      login: MANAGER,
    })
  })

  test('ends with its section, and the server itself changes none', () => {
    assert.equal(
      after({ ...lockout, by: MANAGER }, { type: 'reset', section: 'lockout', by: MANAGER }).reach,
      undefined,
    )
    const withhold = { type: 'withhold_provider', idpId: 'one', isWithheldAbove: false } as const
    const other = { ...withhold, idpId: 'other' } as const
    const forget = { type: 'forget_provider', idpId: 'one' } as const
    assert.deepEqual(after({ ...withhold, by: MANAGER }, { ...other, by: MANAGER }, forget).reach, {
      providers: MANAGER,
    })
    assert.equal(after({ ...withhold, by: MANAGER }, forget).reach, undefined)
    assert.equal(after({ ...lockout, by: MANAGER }, { type: 'remove' }).reach, undefined)
  })

  test('is asked of each section: one that does not say whose counts does not compile', () => {
    const { lockout: _, ...others } = SECTIONS
    // @ts-expect-error: it does not say anything about the lockout policy.
    others satisfies Readonly<Record<keyof typeof SECTIONS, { readonly above: Above }>>
    // @ts-expect-error: a path is set by something.
    assert.ok({ decides: 'instance' } satisfies Above)
  })
})
