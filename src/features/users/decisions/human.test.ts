import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../../test/support/given.ts'
import { instant } from '../../../kernel/instant.ts'
import type { UserCommand } from '../decider.ts'
import { userNameClaim, users } from '../documents.ts'
import type { UserEvent } from '../events.ts'
import type { HumanUser } from '../state.ts'

const profile = {
  firstName: 'Sam',
  lastName: 'Miller',
  nickName: '',
  displayName: 'Sam Miller',
  preferredLanguage: '',
  gender: 'unspecified',
} as const
const data = { userName: 'sam', profile, email: { address: 'sam@example.com', isVerified: false }, needsSetUp: false }
const added: UserEvent = { type: 'user.human_added.v1', data }
const initial: UserEvent = { type: 'user.human_added.v1', data: { ...data, needsSetUp: true } }
const withPhone: UserEvent = {
  type: 'user.human_added.v1',
  data: { ...data, phone: { number: '+41791234567', isVerified: false } },
}
const emailVerified: UserEvent = { type: 'user.email_verified.v1', data: {} }
const phoneVerified: UserEvent = { type: 'user.phone_verified.v1', data: {} }
const invited: UserEvent = { type: 'user.invited.v1', data: { isMailed: true } }
const locked: UserEvent = { type: 'user.locked.v1', data: {} }
const deactivated: UserEvent = { type: 'user.deactivated.v1', data: {} }

function human(...events: UserEvent[]): HumanUser {
  const { state } = given(users, ...events)
  assert.ok('type' in state && state.type === 'human')
  return state
}

suite('the profile of a human', () => {
  test('changes as a whole, and is found by its new names', () => {
    const changed = { ...profile, firstName: 'Zoë', displayName: 'Zoë M.' }
    const event: UserEvent = { type: 'user.profile_changed.v1', data: changed }
    given(users, added).when({ type: 'change_profile', profile: changed }).then(event)
    assert.equal(human(added, event).search.displayName, 'zoë m.')
    assert.equal(human(added, event).search.email, 'sam@example.com')
  })

  test('that stays as it is is no event', () =>
    given(users, added)
      .when({ type: 'change_profile', profile: { ...profile } })
      .then())

  test('is not for machines', () => {
    const machine = { userName: 'r', name: 'R', description: '', accessTokenType: 'bearer' } as const
    given(users, { type: 'user.machine_added.v1', data: machine })
      .when({ type: 'change_profile', profile })
      .thenRefused('user.not_human')
  })
})

suite('the e-mail address of a human', () => {
  const at = instant(1_800_000_000_000)
  const change = (address: string, isVerified?: boolean): UserCommand => ({
    type: 'change_email',
    address,
    isVerified,
    basis: 'asserted',
    at,
  })
  const changed = (address: string, isVerified: boolean): UserEvent => ({
    type: 'user.email_changed.v1',
    data: { address, isVerified, basis: 'asserted', ...(address.startsWith('new') && { since: at }) },
  })

  test('changes and is not verified then, unless the caller says that it is', () => {
    given(users, added, emailVerified).when(change('new@example.com')).then(changed('new@example.com', false))
    given(users, added).when(change('new@example.com', true)).then(changed('new@example.com', true))
    given(users, added).when(change('new@example.com', false)).then(changed('new@example.com', false))
    assert.equal(human(added, changed('New@Example.com', false)).search.email, 'new@example.com')
  })

  test('that stays the same stays verified or not, unless the caller says otherwise', () => {
    given(users, added, emailVerified).when(change('sam@example.com')).then()
    given(users, added).when(change('sam@example.com')).then()
    given(users, added).when(change('sam@example.com', true)).then(emailVerified)
    given(users, added, emailVerified).when(change('sam@example.com', false)).then(changed('sam@example.com', false))
    given(users, added, emailVerified).when(change('Sam@example.com')).then(changed('Sam@example.com', false))
  })

  test('is proven by a code from its mailbox, also where it was declared verified before', () => {
    const proven: UserEvent = { type: 'user.email_verified.v1', data: { isProven: true } }
    const verify = { type: 'verify_email', address: 'sam@example.com', isMailed: true } as const
    const isProven = (...events: UserEvent[]) => human(added, ...events).search.provenEmail
    given(users, added).when(verify).then(proven)
    given(users, added, emailVerified).when(verify).then(proven)
    given(users, added, proven).when(verify).then()
    given(users, added, proven).when(change('sam@example.com', true)).then()
    given(users, added)
      .when({ ...change('new@example.com', true), basis: 'proven' } as UserCommand)
      .then({
        type: 'user.email_changed.v1',
        data: { address: 'new@example.com', isVerified: true, basis: 'proven', since: at },
      })
    assert.deepEqual([isProven(), isProven(emailVerified), isProven(proven)], [undefined, undefined, 'sam@example.com'])
    assert.equal(isProven(proven, changed('new@example.com', true)), undefined)
    const typed: UserEvent = {
      type: 'user.email_changed.v1',
      data: { address: 'new@example.com', isVerified: false, basis: 'typed', since: at },
    }
    assert.deepEqual(human(added, typed, emailVerified).email.basis, 'asserted')
    assert.equal(human(added, typed, emailVerified).email.since, at)
  })

  test('is verified once, for the address that was proven and by a user who may act', () => {
    const verify = (address: string): UserCommand => ({ type: 'verify_email', address })
    given(users, added).when(verify('sam@example.com')).then(emailVerified)
    given(users, added).when(verify('old@example.com')).thenRefused('user.no_code')
    given(users, added, emailVerified).when(verify('sam@example.com')).then()
    given(users, added, locked).when(verify('sam@example.com')).thenRefused('user.not_active')
    given(users, added, deactivated).when(verify('sam@example.com')).thenRefused('user.not_active')
  })
})

suite('the phone number of a human', () => {
  test('is given, replaced, verified and removed', () => {
    const number = '+15550001111'
    const changed: UserEvent = { type: 'user.phone_changed.v1', data: { number, isVerified: false } }
    given(users, added).when({ type: 'change_phone', number }).then(changed)
    given(users, withPhone, phoneVerified).when({ type: 'change_phone', number }).then(changed)
    given(users, withPhone).when({ type: 'verify_phone', number: '+41791234567' }).then(phoneVerified)
    given(users, withPhone).when({ type: 'verify_phone', number }).thenRefused('user.no_code')
    given(users, added).when({ type: 'verify_phone', number }).thenRefused('user.no_code')
    given(users, withPhone, phoneVerified)
      .when({ type: 'verify_phone', number: '+41791234567' })
      .thenRefused('user.phone_verified')
    given(users, withPhone).when({ type: 'remove_phone' }).then({ type: 'user.phone_removed.v1', data: {} })
    given(users, added).when({ type: 'remove_phone' }).thenRefused('user.no_phone')
    assert.equal('phone' in human(withPhone, { type: 'user.phone_removed.v1', data: {} }), false)
  })

  test('that stays the same stays verified or not', () => {
    given(users, withPhone, phoneVerified).when({ type: 'change_phone', number: '+41791234567' }).then()
    given(users, withPhone).when({ type: 'change_phone', number: '+41791234567', isVerified: true }).then(phoneVerified)
  })
})

suite('an invitation', () => {
  const accept: UserCommand = { type: 'accept_invitation', address: 'sam@example.com' }
  const accepted: UserEvent = { type: 'user.invitation_accepted.v1', data: {} }
  const finished: UserEvent = { type: 'user.set_up_finished.v1', data: {} }

  test('verifies the address and lets the user in when it is accepted', () => {
    given(users, initial, invited).when(accept).then(accepted, emailVerified, finished)
    const user = human(initial, invited, accepted, emailVerified, finished)
    assert.deepEqual(
      [user.status, user.needsSetUp, user.email.isVerified, user.invitation],
      ['active', false, true, undefined],
    )
    given(users, added, emailVerified, invited).when(accept).then(accepted)
  })

  test('is accepted once, at the address it was sent to, by a user who may act', () => {
    given(users, initial).when(accept).thenRefused('user.no_code')
    given(users, initial, invited, accepted).when(accept).thenRefused('user.no_code')
    given(users, initial, invited)
      .when({ ...accept, address: 'old@example.com' })
      .thenRefused('user.no_code')
    given(users, initial, invited, locked).when(accept).thenRefused('user.not_active')
    given(users, initial, deactivated)
      .when({ type: 'invite', invitation: { isMailed: true } })
      .thenRefused('user.not_active')
  })

  test('leaves a locked user locked when the set-up is finished another way', () => {
    given(users, initial, locked).when({ type: 'finish_set_up' }).then(finished)
    assert.equal(human(initial, locked, finished).status, 'locked')
    given(users, added).when({ type: 'finish_set_up' }).then()
  })
})

suite('a name that is unique in an organization only', () => {
  test('is claimed together with the organization', () => {
    const scoped: UserEvent = { type: 'user.human_added.v1', data: { ...data, nameScope: 'acme' } }
    assert.equal(users.claims?.(given(users, scoped).state)[0]?.value, userNameClaim('sam', 'acme'))
    const renamed: UserEvent = { type: 'user.username_changed.v1', data: { userName: 'Sammy' } }
    assert.equal(users.claims?.(given(users, scoped, renamed).state)[0]?.value, 'sammy')
  })
})
