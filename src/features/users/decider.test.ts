import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import type { UserCommand } from './decider.ts'
import { users } from './documents.ts'
import type { UserEvent } from './events.ts'

const AT = instant(1_800_000_000_000)
const machineProfile = { name: 'Robot', description: 'Sweeps the floor', accessTokenType: 'bearer' } as const
const machineAdded: UserEvent = { type: 'user.machine_added.v1', data: { userName: 'Robot-1', ...machineProfile } }
const addMachine: UserCommand = { type: 'add_machine', userName: 'Robot-1', ...machineProfile }

const human = {
  userName: 'Sam',
  profile: {
    firstName: 'Sam',
    lastName: 'Miller',
    nickName: '',
    displayName: 'Sam Miller',
    preferredLanguage: 'en',
    gender: 'unspecified',
  },
  email: { address: 'Sam@Example.com', isVerified: false },
  needsSetUp: true,
} as const
const humanAdded: UserEvent = { type: 'user.human_added.v1', data: human }

const deactivated: UserEvent = { type: 'user.deactivated.v1', data: {} }
const reactivated: UserEvent = { type: 'user.reactivated.v1', data: {} }
const locked: UserEvent = { type: 'user.locked.v1', data: {} }
const unlocked: UserEvent = { type: 'user.unlocked.v1', data: {} }
const removed: UserEvent = { type: 'user.removed.v1', data: {} }
const secretSet: UserEvent = { type: 'user.machine_secret_set.v1', data: {} }
const secretRemoved: UserEvent = { type: 'user.machine_secret_removed.v1', data: {} }

suite('adding a user', () => {
  test('a machine is added and active at once', () => {
    given(users).when(addMachine).then(machineAdded)
    assert.deepEqual(given(users, machineAdded).state, {
      type: 'machine',
      status: 'active',
      needsSetUp: false,
      userName: 'Robot-1',
      ...machineProfile,
      hasSecret: false,
      search: { userName: 'robot-1', firstName: '', lastName: '', nickName: '', displayName: 'robot', email: '' },
    })
  })

  test('a human who needs set-up is initial, any other active', () => {
    given(users)
      .when({ type: 'add_human', ...human })
      .then(humanAdded)
    assert.equal(given(users, humanAdded).state.status, 'initial')
    const ready: UserEvent = { type: 'user.human_added.v1', data: { ...human, needsSetUp: false } }
    assert.equal(given(users, ready).state.status, 'active')
  })

  test('a human keeps the phone that was given', () => {
    const phone = { number: '+41791234567', isVerified: false }
    const event: UserEvent = { type: 'user.human_added.v1', data: { ...human, phone } }
    given(users)
      .when({ type: 'add_human', ...human, phone })
      .then(event)
    const { state } = given(users, event)
    assert.deepEqual('phone' in state && state.phone, phone)
  })

  test('an id in use is refused', () => given(users, machineAdded).when(addMachine).thenRefused('user.id_taken'))

  test('the id of a removed user is never available again', () =>
    given(users, machineAdded, removed).when(addMachine).thenRefused('user.id_taken'))

  test('a name that cannot be a user name is refused', () =>
    given(users)
      .when({ ...addMachine, userName: 'ro\u200bbot' })
      .thenRefused('user.username_invalid'))
})

suite('what only one user may hold', () => {
  const claimsOf = (...events: UserEvent[]) => users.claims?.(given(users, ...events).state)

  test('the key of the user name is claimed', () =>
    assert.deepEqual(
      claimsOf(machineAdded)?.map(({ kind, value, taken }) => ({ kind, value, taken })),
      [{ kind: 'username', value: 'robot-1', taken: 'user.username_taken' }],
    ))

  test('a deactivated user keeps the name, a removed one gives it back', () => {
    assert.equal(claimsOf(machineAdded, deactivated)?.length, 1)
    assert.deepEqual(claimsOf(machineAdded, removed), [])
    assert.equal(users.isGone?.(given(users, machineAdded, removed).state), true)
  })
})

suite('changing a machine', () => {
  const changed = { name: 'Robo', description: '', accessTokenType: 'jwt' } as const

  test('replaces name, description and token type', () => {
    const event: UserEvent = { type: 'user.machine_changed.v1', data: changed }
    given(users, machineAdded)
      .when({ type: 'change_machine', ...changed })
      .then(event)
    const { state } = given(users, machineAdded, event)
    assert.ok('search' in state && state.type === 'machine')
    assert.equal(state.name, 'Robo')
    assert.equal(state.search.displayName, 'robo')
    assert.equal(state.search.userName, 'robot-1')
  })

  test('with nothing to change is refused', () =>
    given(users, machineAdded)
      .when({ type: 'change_machine', ...machineProfile })
      .thenRefused('user.machine_unchanged'))

  test('that is a human is refused', () =>
    given(users, humanAdded)
      .when({ type: 'change_machine', ...changed })
      .thenRefused('user.not_machine'))
})

suite("a machine's secret", () => {
  test('is set, and set again', () => {
    given(users, machineAdded).when({ type: 'set_machine_secret' }).then(secretSet)
    given(users, machineAdded, secretSet).when({ type: 'set_machine_secret' }).then(secretSet)
  })

  test('shows on the user while there is one', () => {
    const has = (...events: UserEvent[]) => {
      const { state } = given(users, machineAdded, ...events)
      return 'hasSecret' in state && state.hasSecret
    }
    assert.deepEqual([has(), has(secretSet), has(secretSet, secretRemoved)], [false, true, false])
  })

  test('is removed only when there is one', () => {
    given(users, machineAdded, secretSet).when({ type: 'remove_machine_secret' }).then(secretRemoved)
    given(users, machineAdded).when({ type: 'remove_machine_secret' }).thenRefused('user.no_secret')
  })

  test('is not for humans, nor for a deactivated or locked machine', () => {
    given(users, humanAdded).when({ type: 'set_machine_secret' }).thenRefused('user.not_machine')
    given(users, humanAdded).when({ type: 'remove_machine_secret' }).thenRefused('user.not_machine')
    given(users, machineAdded, deactivated).when({ type: 'set_machine_secret' }).thenRefused('user.not_active')
    given(users, machineAdded, locked).when({ type: 'set_machine_secret' }).thenRefused('user.not_active')
  })
})

suite('changing the user name', () => {
  test('changes the shown form and the key', () => {
    const event: UserEvent = { type: 'user.username_changed.v1', data: { userName: 'Robot-2', since: AT } }
    given(users, machineAdded).when({ type: 'change_username', at: AT, userName: 'Robot-2' }).then(event)
    assert.equal(users.claims?.(given(users, machineAdded, event).state)[0]?.value, 'robot-2')
  })

  test('may change the case alone', () =>
    given(users, machineAdded)
      .when({ type: 'change_username', at: AT, userName: 'ROBOT-1' })
      .then({ type: 'user.username_changed.v1', data: { userName: 'ROBOT-1' } }))

  test('to the same name is refused', () =>
    given(users, machineAdded)
      .when({ type: 'change_username', at: AT, userName: 'Robot-1' })
      .thenRefused('user.username_unchanged'))

  test('to a name that cannot be one is refused', () =>
    given(users, machineAdded)
      .when({ type: 'change_username', at: AT, userName: ' x' })
      .thenRefused('user.username_invalid'))
})

suite('the states of a user', () => {
  type Verb = 'deactivate' | 'reactivate' | 'lock' | 'unlock'
  const from: Record<string, readonly UserEvent[]> = {
    active: [machineAdded],
    inactive: [machineAdded, deactivated],
    locked: [machineAdded, locked],
    initial: [humanAdded],
  }
  const table: readonly (readonly [
    Verb,
    string,
    UserEvent | 'user.not_active' | 'user.not_inactive' | 'user.not_locked',
  ])[] = [
    ['deactivate', 'active', deactivated],
    ['deactivate', 'initial', deactivated],
    ['deactivate', 'locked', deactivated],
    ['deactivate', 'inactive', 'user.not_active'],
    ['reactivate', 'inactive', reactivated],
    ['reactivate', 'active', 'user.not_inactive'],
    ['reactivate', 'locked', 'user.not_inactive'],
    ['reactivate', 'initial', 'user.not_inactive'],
    ['lock', 'active', locked],
    ['lock', 'initial', locked],
    ['lock', 'locked', 'user.not_active'],
    ['lock', 'inactive', 'user.not_active'],
    ['unlock', 'locked', unlocked],
    ['unlock', 'active', 'user.not_locked'],
    ['unlock', 'inactive', 'user.not_locked'],
    ['unlock', 'initial', 'user.not_locked'],
  ]
  for (const [verb, state, outcome] of table) {
    const what = typeof outcome === 'string' ? `is refused with ${outcome}` : `leads to ${outcome.type}`
    test(`${verb} when ${state} ${what}`, () => {
      const decided = given(users, ...(from[state] ?? [])).when({ type: verb })
      if (typeof outcome === 'string') decided.thenRefused(outcome)
      else decided.then(outcome)
    })
  }

  test('who was never set up is initial again after coming back', () => {
    assert.equal(given(users, humanAdded, locked, unlocked).state.status, 'initial')
    assert.equal(given(users, humanAdded, deactivated, reactivated).state.status, 'initial')
    assert.equal(given(users, machineAdded, locked, unlocked).state.status, 'active')
  })
})

suite('a user who is not there', () => {
  const commands: readonly UserCommand[] = [
    { type: 'change_machine', ...machineProfile },
    { type: 'change_username', at: AT, userName: 'x' },
    { type: 'set_machine_secret' },
    { type: 'remove_machine_secret' },
    { type: 'deactivate' },
    { type: 'reactivate' },
    { type: 'lock' },
    { type: 'unlock' },
    { type: 'remove' },
  ]
  for (const command of commands) {
    test(`cannot ${command.type}`, () => {
      given(users).when(command).thenRefused('user.not_found')
      given(users, machineAdded, removed).when(command).thenRefused('user.not_found')
    })
  }

  test('was removed from any state', () => {
    for (const events of [[machineAdded], [machineAdded, deactivated], [machineAdded, locked], [humanAdded]]) {
      given(users, ...events)
        .when({ type: 'remove' })
        .then(removed)
    }
  })
})

suite('a user whom a directory manages', () => {
  const managed: UserEvent = { type: 'user.managed.v1', data: { directoryId: 'directory', since: AT } }
  const profile = { ...human.profile, firstName: 'Other' }
  const changes: readonly UserCommand[] = [
    { type: 'change_profile', profile },
    { type: 'change_username', userName: 'Other', at: AT },
    { type: 'change_email', address: 'other@example.com', basis: 'asserted', at: AT },
    { type: 'change_phone', number: '+41791234567' },
    { type: 'deactivate' },
  ]

  test('is changed with evidence only, whatever the command is', () => {
    for (const command of changes) {
      given(users, humanAdded, managed).when(command).thenRefused('user.managed')
      const decided = users.decider.decide(
        { ...command, overridesDirectory: true },
        given(users, humanAdded, managed).state,
      )
      assert.equal(decided.refusal, undefined, command.type)
      assert.equal(users.decider.decide(command, given(users, humanAdded).state).refusal, undefined, command.type)
    }
  })

  test('keeps what no directory writes in the hands of others, and can be removed', () => {
    const language = { ...human.profile, preferredLanguage: 'de' }
    given(users, humanAdded, managed)
      .when({ type: 'change_profile', profile: language })
      .then({ type: 'user.profile_changed.v1', data: language })
    given(users, humanAdded, managed).when({ type: 'lock' }).then(locked)
    given(users, humanAdded, managed).when({ type: 'remove' }).then(removed)
    given(users, humanAdded, managed).when({ type: 'release' }).then({ type: 'user.released.v1', data: {} })
  })
})
