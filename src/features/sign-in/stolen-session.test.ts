/** What a session is good for that was left open or stolen, or whose password must be changed: not for the account. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescMethod } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { allMethods } from '../../../test/support/services.ts'
import { openSessionWorld, PASSWORD, type SessionWorld } from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { NOON } from '../../../test/support/world.ts'
import { FRESH_SIGN_IN_MILLISECONDS } from '../../access/fresh-sign-in.ts'
import { requirementOf } from '../../access/requirement.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { changeOwnPassword } from '../account/index.ts'
import { findPerson } from './index.ts'

const users = UserService.method
const NEW = 'quite another secret'

/** What methods need beside the id of the user, to pass the limits of the contract. */
const MORE: Readonly<Record<string, object>> = {
  SetEmail: { email: 'thief@example.com' },
  SetPhone: { phone: '+41446681800' },
  VerifyTOTPRegistration: { code: '123456' },
  GenerateRecoveryCodes: { count: 5 },
  AddKey: { publicKey: new TextEncoder().encode('key'), expirationDate: timestampFromMs(NOON + 1e12) },
  AddPersonalAccessToken: { expirationDate: timestampFromMs(NOON + 1e12) },
  RemoveKey: { keyId: 'key' },
  RemovePersonalAccessToken: { tokenId: 'token' },
  RemoveIDPLink: { idpId: 'idp', linkedUserId: 'other' },
  RemovePasskey: { passkeyId: 'key' },
  RemoveU2F: { u2fId: 'key' },
  RegisterU2F: { domain: 'localhost' },
  UpdateMyUserName: { userName: 'thief' },
  SetMyEmail: { email: 'thief@example.com' },
  SetMyPhone: { phone: '+41446681800' },
  VerifyMyAuthFactorOTP: { code: '123456' },
  RemoveMyLinkedIDP: { idpId: 'idp', linkedUserId: 'other' },
  RemoveMyAuthFactorU2F: { tokenId: 'key' },
  RemoveMyPasswordless: { tokenId: 'key' },
}

const fresh: readonly DescMethod[] = [...allMethods.values()].filter((method) => {
  const requirement = requirementOf(method)
  return requirement.type === 'target' && requirement.isFresh
})

/** Methods that every user can call for themself; others need the permission too. */
function needsNoPermission(method: DescMethod): boolean {
  const requirement = requirementOf(method)
  return requirement.type === 'target' && requirement.self
}

test('the methods that ask for a fresh sign-in are those that change how a person signs in, or whether at all', () => {
  assert.deepEqual(fresh.map(({ name }) => name).sort(), [
    'AddIDPLink',
    'AddKey',
    'AddMyAuthFactorOTP',
    'AddMyAuthFactorOTPEmail',
    'AddMyAuthFactorOTPSMS',
    'AddMyAuthFactorU2F',
    'AddMyPasswordless',
    'AddMyPasswordlessLink',
    'AddOTPEmail',
    'AddOTPSMS',
    'AddPersonalAccessToken',
    'AddSecret',
    'DeactivateUser',
    'DeleteUser',
    'DetachUser',
    'GenerateRecoveryCodes',
    'LockUser',
    'ReactivateUser',
    'RegisterTOTP',
    'RegisterU2F',
    'RemoveIDPLink',
    'RemoveKey',
    'RemoveMyAuthFactorOTP',
    'RemoveMyAuthFactorOTPEmail',
    'RemoveMyAuthFactorOTPSMS',
    'RemoveMyAuthFactorU2F',
    'RemoveMyLinkedIDP',
    'RemoveMyPasswordless',
    'RemoveMyPhone',
    'RemoveMyUser',
    'RemoveOTPEmail',
    'RemoveOTPSMS',
    'RemovePasskey',
    'RemovePersonalAccessToken',
    'RemovePhone',
    'RemoveRecoveryCodes',
    'RemoveSecret',
    'RemoveTOTP',
    'RemoveU2F',
    'SetEmail',
    'SetMyEmail',
    'SetMyPhone',
    'SetPhone',
    'UnlockUser',
    'UpdateMyUserName',
    'VerifyMyAuthFactorOTP',
    'VerifyTOTPRegistration',
  ])
})

for (const engine of engines) {
  suite(`a session on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const bearer = ({ token }: { readonly token: string }) => ({ bearer: token })
    const statusOf = async (held: { readonly sessionId: string }) => {
      const events = await world.store.events({ kinds: ['session'], id: held.sessionId, limit: 100 })
      const end = events.find(({ type }) => type === 'session.ended.v1')
      return end === undefined ? 'open' : (end.data as { reason: string }).reason
    }

    test('that is old changes no factor and no address', async () => {
      const person = await world.addPerson()
      const held = bearer(await world.signIn(person))
      const { userId } = person
      wait(FRESH_SIGN_IN_MILLISECONDS + 1)
      for (const method of fresh.filter(needsNoPermission)) {
        const request = { userId, ...MORE[method.name] }
        const code = await world.call(method as typeof users.removeTOTP, request, held).then(
          () => 'served',
          (error: unknown) => (error instanceof Refused ? error.code : JSON.stringify(error)),
        )
        assert.equal(code, 'access.sign_in_again', method.name)
      }
      const email = { email: 'thief@example.com' }
      const human = { userType: { case: 'human', value: { email } } } as const
      await isRefused(world.call(users.updateHumanUser, { userId, email }, held), 'access.sign_in_again')
      await isRefused(world.call(users.updateUser, { userId, ...human }, held), 'access.sign_in_again')
      await isRefused(world.call(users.updateUser, { userId, username: 'thief' }, held), 'access.sign_in_again')
      await world.call(users.updateHumanUser, { userId, profile: { firstName: 'A', lastName: 'L' } }, held)
      await world.call(users.setEmail, { userId, email: 'ada@example.com' }, bearer(await world.signIn(person)))
    })

    test('that is old links no account to its user, not even when the user may add links to others', async () => {
      const person = await world.addPerson()
      const { userId } = person
      const resource = { resource: { case: 'organizationId', value: world.defaultOrganizationId } } as const
      const appointed = { userId, resource, roles: ['ORG_OWNER'] }
      await world.call(InternalPermissionService.method.createAdministrator, appointed, world.owner)
      const held = bearer(await world.signIn(person))
      const link = { userId, idpLink: { idpId: 'no-such-provider', userId: 'thief', userName: 'thief' } }
      await isRefused(world.call(users.addIDPLink, link, held), 'user.identity_provider_not_found')
      wait(FRESH_SIGN_IN_MILLISECONDS + 1)
      await isRefused(world.call(users.addIDPLink, link, held), 'access.sign_in_again')
    })

    test('ends when its user sets another password elsewhere, by whatever way', async () => {
      const person = await world.addPerson()
      const { userId } = person
      const [one, two] = [await world.signIn(person), await world.signIn(person)]
      const newPassword = { password: NEW }
      const current = { case: 'currentPassword', value: PASSWORD } as const
      await world.call(users.setPassword, { userId, newPassword, verification: current }, bearer(one))
      assert.deepEqual([await statusOf(one), await statusOf(two)], ['open', 'password_changed'])
      await isRefused(world.call(users.getUserByID, { userId }, bearer(two)), 'access.unauthenticated')
      await world.call(users.getUserByID, { userId }, bearer(one))

      const { verificationCode = '' } = await world.call(
        users.passwordReset,
        { userId, medium: { case: 'returnCode', value: {} } },
        world.owner,
      )
      const code = { case: 'verificationCode', value: verificationCode } as const
      await world.call(
        users.setPassword,
        { userId, newPassword: { password: PASSWORD }, verification: code },
        world.owner,
      )
      assert.equal(await statusOf(one), 'password_changed')

      const [here, there] = [await world.signIn(person), await world.signIn(person)]
      const found = (await findPerson(world.app, here.token)) ?? assert.fail('nobody is signed in')
      const changed = await changeOwnPassword(world.app, found, { current: PASSWORD, password: NEW })
      assert.equal(changed.outcome, 'done')
      assert.deepEqual([await statusOf(here), await statusOf(there)], ['open', 'password_changed'])
    })

    test('whose password must be changed does that and nothing else', async () => {
      const { userId } = await world.addPerson()
      const newPassword = { password: NEW, changeRequired: true }
      await world.call(users.setPassword, { userId, newPassword }, world.owner)
      const user = { search: { case: 'userId', value: userId } } as const
      const held = bearer(await world.create({ checks: { user, password: { password: NEW } } }))
      for (const method of allMethods.values()) {
        const { type } = requirementOf(method)
        if (type === 'public' || ['SetPassword', 'UpdateMyPassword'].includes(method.name)) continue
        const error = await world.call(method as typeof users.removeTOTP, { userId }, held).then(
          () => assert.fail(`${method.name} was served`),
          (thrown: unknown) => thrown,
        )
        assert.equal(error instanceof Refused && error.code, 'access.password_change_required', method.name)
      }
      const verification = { case: 'currentPassword', value: NEW } as const
      await world.call(users.setPassword, { userId, newPassword: { password: PASSWORD }, verification }, held)
      await world.call(users.getUserByID, { userId }, held)
    })

    test('a reset goes to no address and no number that was never verified', async () => {
      const person = await world.addPerson()
      const { userId } = person
      await world.call(users.setEmail, { userId, email: 'thief@example.com' }, bearer(await world.signIn(person)))
      const count = async () => (await world.outbox()).length
      const before = await count()
      const reset = () => world.call(users.passwordReset, { userId }, world.owner)
      await isRefused(reset(), 'user.email_not_verified')
      assert.equal(await count(), before)
      const verification = { case: 'isVerified', value: true } as const
      await world.call(users.setEmail, { userId, email: 'ada@example.com', verification }, world.owner)
      await reset()
      assert.equal(await count(), before + 1)
    })
  })
}
