import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { Gender as GenderV1, UserState as UserStateV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { AccessTokenType, Gender, UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { users } from './index.ts'

const v1 = ManagementService.method
const v2 = UserService.method

const sam = {
  type: 'add_human',
  userName: 'Sam',
  profile: {
    firstName: 'Sam',
    lastName: 'Miller',
    nickName: 'Sammy',
    displayName: 'Sam Miller',
    preferredLanguage: 'en',
    gender: 'diverse',
  },
  email: { address: 'Sam@Example.com', isVerified: true },
  phone: { number: '+41791234567', isVerified: false },
  needsSetUp: true,
} as const

for (const engine of engines) {
  suite(`users on ${engine.name}`, () => {
    let world: SmallWorld
    let count = 0
    before(async () => {
      world = await openSmallWorld(engine)
      const origin = { actor: 'server', at: NOON } as const
      await world.store.write(origin, (work) => work.decide(users, 'sam', sam, 'north'))
    })
    after(() => world.dispose())

    const newMachine = async (organizationId = 'north') => {
      const machine = { name: 'Robot', description: 'Sweeps', accessTokenType: AccessTokenType.JWT }
      const request = {
        organizationId,
        username: `robot-${++count}`,
        userType: { case: 'machine', value: machine },
      } as const
      return (await world.call(v2.createUser, request, { bearer: 'boss' })).id
    }
    const stateOf = async (userId: string) =>
      (await world.call(v2.getUserByID, { userId }, { bearer: 'boss' })).user?.state

    suite('creating one (v2)', () => {
      const machine = { case: 'machine', value: { name: 'Robot' } } as const

      test('uses the id as user name when none is given', async () => {
        const request = { organizationId: 'north', userId: 'by-id', userType: machine }
        const { id } = await world.call(v2.createUser, request, { bearer: 'north' })
        assert.equal(id, 'by-id')
        const { user, details } = await world.call(v2.getUserByID, { userId: id }, { bearer: 'north' })
        assert.equal(user?.username, 'by-id')
        assert.equal(user.state, UserState.ACTIVE)
        assert.deepEqual(user.details, details)
        assert.equal(details?.resourceOwner, 'north')
      })

      test('is refused where the caller may not write', async () => {
        const request = { organizationId: 'south', userType: machine }
        await isRefused(world.call(v2.createUser, request, { bearer: 'north' }), 'access.forbidden')
        await isRefused(world.call(v2.createUser, request, { bearer: 'viewer' }), 'access.forbidden')
      })

      test('is refused in an organization that is not there or deactivated', async () => {
        const create = (organizationId: string) =>
          world.call(v2.createUser, { organizationId, userType: machine }, { bearer: 'boss' })
        await isRefused(create('nowhere'), 'user.organization_not_found')
        await isRefused(create('closed'), 'user.organization_inactive')
      })

      test('names the field of a name that cannot be used', async () => {
        const create = (username: string, name: string) => {
          const userType = { case: 'machine', value: { name } } as const
          return world.call(v2.createUser, { organizationId: 'north', username, userType }, { bearer: 'north' })
        }
        await isRefused(create('a\u202eb', 'Robot'), 'user.username_invalid', 'username')
        await isRefused(create('fine', 'Ro\u0000bot'), 'user.field_invalid', 'machine.name')
      })
    })

    suite('reading one', () => {
      test('shows a human in both families', async () => {
        const one = (await world.call(v1.getUserByID, { id: 'sam' }, { bearer: 'north' })).user
        assert.ok(one?.type.case === 'human')
        assert.equal(one.state, UserStateV1.INITIAL)
        assert.equal(one.type.value.profile?.gender, GenderV1.DIVERSE)
        assert.equal(one.type.value.profile.displayName, 'Sam Miller')
        assert.equal(one.type.value.email?.isEmailVerified, true)
        assert.equal(one.type.value.phone?.phone, '+41791234567')
        const two = (await world.call(v2.getUserByID, { userId: 'sam' }, { bearer: 'north' })).user
        assert.ok(two?.type.case === 'human')
        assert.equal(two.state, UserState.INITIAL)
        // What the user has is not said twice.
        const { userId, username, loginNames, preferredLoginName, state } = two.type.value
        assert.deepEqual(
          [userId, username, loginNames, preferredLoginName, state],
          ['', '', [], '', UserState.UNSPECIFIED],
        )
        assert.equal(two.type.value.profile?.givenName, 'Sam')
        assert.equal(two.type.value.profile.familyName, 'Miller')
        assert.equal(two.type.value.profile.gender, Gender.DIVERSE)
        assert.equal(two.type.value.email?.email, 'Sam@Example.com')
        assert.equal(two.type.value.phone?.isVerified, false)
      })

      test('is not found when it is not there, and in v1 when it is of another organization', async () => {
        await isRefused(world.call(v1.getUserByID, { id: 'who' }, { bearer: 'north' }), 'user.not_found')
        await isRefused(world.call(v1.getUserByID, { id: 'sam' }, { bearer: 'south' }), 'user.not_found')
        await isRefused(world.call(v2.getUserByID, { userId: 'who' }, { bearer: 'north' }), 'user.not_found')
        await isRefused(world.call(v2.getUserByID, { userId: 'wh\u0000o' }, { bearer: 'north' }), 'user.not_found')
      })

      test('is not told in v2 to callers who may not read there', async () => {
        await isRefused(world.call(v2.getUserByID, { userId: 'sam' }, { bearer: 'south' }), 'user.not_found')
        await isRefused(world.call(v2.getUserByID, { userId: 'sam' }, { bearer: 'nobody' }), 'access.forbidden')
      })

      test('is always allowed for the user itself', async () => {
        const request = {
          organizationId: 'north',
          userId: 'nobody',
          userType: { case: 'machine', value: { name: 'N' } },
        } as const
        await world.call(v2.createUser, request, { bearer: 'boss' })
        const { user } = await world.call(v2.getUserByID, { userId: 'nobody' }, { bearer: 'nobody' })
        assert.equal(user?.userId, 'nobody')
        const mine = await world.call(AuthService.method.getMyUser, {}, { bearer: 'nobody' })
        assert.equal(mine.user?.id, 'nobody')
      })

      test('by login name finds users of every organization, whatever the case', async () => {
        const find = (loginName: string) => world.call(v1.getUserByLoginNameGlobal, { loginName }, { bearer: 'south' })
        const { user } = await find('sAM')
        assert.deepEqual([user?.id, user?.details?.resourceOwner], ['sam', 'north'])
        // Nothing else is said of a user of another organization.
        assert.deepEqual([user?.userName, user?.loginNames, user?.type.case, user?.state], ['', [], undefined, 0])
        assert.equal(user?.details?.creationDate, undefined)
        const own = await world.call(v1.getUserByLoginNameGlobal, { loginName: 'sam' }, { bearer: 'north' })
        assert.equal(own.user?.userName, 'Sam')
        await isRefused(find('nobody-has-this'), 'user.not_found')
        await isRefused(find(' sam'), 'user.not_found')
      })

      test('tells whether a user name and an address are free', async () => {
        const isUnique = async (userName: string, email: string) =>
          (await world.call(v1.isUserUnique, { userName, email }, { bearer: 'north' })).isUnique
        assert.equal(await isUnique('free', ''), true)
        assert.equal(await isUnique('SAM', ''), false)
        assert.equal(await isUnique('', 'sam@example.com'), false)
        assert.equal(await isUnique('free', 'free@example.com'), true)
        assert.equal(await isUnique('free', 'SAM@example.com'), false)
        const elsewhere = { userName: 'free', email: 'sam@example.com' }
        assert.equal((await world.call(v1.isUserUnique, elsewhere, { bearer: 'south' })).isUnique, true)
        assert.equal((await world.call(v1.isUserUnique, elsewhere, { bearer: 'login' })).isUnique, false)
        await isRefused(isUnique('', ''), 'user.query_invalid')
        await isRefused(isUnique('a\u200b', ''), 'user.username_invalid', 'userName')
      })
    })

    suite('the states of one', () => {
      test('change by the v2 methods', async () => {
        const userId = await newMachine()
        const asNorth = { bearer: 'north' }
        world.clock.now = instant(NOON + 5000)
        const { details } = await world.call(v2.deactivateUser, { userId }, asNorth)
        assert.equal(details?.changeDate?.seconds, BigInt(NOON / 1000 + 5))
        assert.equal(details.creationDate?.seconds, BigInt(NOON / 1000))
        assert.equal(details.resourceOwner, 'north')
        world.clock.now = NOON
        assert.equal(await stateOf(userId), UserState.INACTIVE)
        await isRefused(world.call(v2.deactivateUser, { userId }, asNorth), 'user.not_active')
        await world.call(v2.reactivateUser, { userId }, asNorth)
        await isRefused(world.call(v2.reactivateUser, { userId }, asNorth), 'user.not_inactive')
        await world.call(v2.lockUser, { userId }, asNorth)
        assert.equal(await stateOf(userId), UserState.LOCKED)
        await isRefused(world.call(v2.lockUser, { userId }, asNorth), 'user.not_active')
        await world.call(v2.unlockUser, { userId }, asNorth)
        await isRefused(world.call(v2.unlockUser, { userId }, asNorth), 'user.not_locked')
        assert.equal(await stateOf(userId), UserState.ACTIVE)
        await world.call(v2.deleteUser, { userId }, asNorth)
        await isRefused(world.call(v2.getUserByID, { userId }, asNorth), 'user.not_found')
      })

      test('change by the v1 methods', async () => {
        const id = await newMachine()
        const asNorth = { bearer: 'north' }
        const { details } = await world.call(v1.deactivateUser, { id }, asNorth)
        const [last] = await world.store.events({ kinds: ['user'], id, descending: true, limit: 1 })
        assert.equal(details?.sequence, BigInt(last?.sequence ?? 0))
        assert.equal(await stateOf(id), UserState.INACTIVE)
        await world.call(v1.reactivateUser, { id }, asNorth)
        await world.call(v1.lockUser, { id }, asNorth)
        assert.equal(await stateOf(id), UserState.LOCKED)
        await world.call(v1.unlockUser, { id }, asNorth)
        assert.equal(await stateOf(id), UserState.ACTIVE)
        await world.call(v1.removeUser, { id }, asNorth)
        await isRefused(world.call(v1.getUserByID, { id }, asNorth), 'user.not_found')
      })

      test('are out of reach for others', async () => {
        const id = await newMachine()
        const verbsV1 = [v1.deactivateUser, v1.reactivateUser, v1.lockUser, v1.unlockUser, v1.removeUser] as const
        for (const verb of verbsV1) {
          const method = verb as typeof v1.deactivateUser
          await isRefused(world.call(method, { id }, { bearer: 'south' }), 'user.not_found')
          await isRefused(world.call(method, { id }, { bearer: 'viewer' }), 'access.forbidden')
        }
        const verbsV2 = [v2.deactivateUser, v2.reactivateUser, v2.lockUser, v2.unlockUser, v2.deleteUser] as const
        for (const verb of verbsV2) {
          const method = verb as typeof v2.deactivateUser
          await isRefused(world.call(method, { userId: id }, { bearer: 'south' }), 'user.not_found')
          await isRefused(world.call(method, { userId: id }, { bearer: 'viewer' }), 'access.forbidden')
          await isRefused(world.call(method, { userId: 'who' }, { bearer: 'north' }), 'user.not_found')
        }
        assert.equal(await stateOf(id), UserState.ACTIVE)
      })

      test('meet in a race: one deactivation wins', async () => {
        const userId = await newMachine()
        const results = await Promise.allSettled(
          Array.from({ length: 6 }, () => world.call(v2.deactivateUser, { userId }, { bearer: 'north' })),
        )
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      })
    })

    suite('renaming one', () => {
      test('changes the login name', async () => {
        const userId = await newMachine()
        await world.call(v1.updateUserName, { userId, userName: `New-${userId}` }, { bearer: 'north' })
        const { user } = await world.call(v1.getUserByID, { id: userId }, { bearer: 'north' })
        assert.equal(user?.preferredLoginName, `New-${userId}`)
      })

      test('is refused with a name that is taken, the same, or impossible', async () => {
        const userId = await newMachine()
        const rename = (userName: string) => world.call(v1.updateUserName, { userId, userName }, { bearer: 'north' })
        await isRefused(rename('SAM'), 'user.username_taken')
        await isRefused(rename(`robot-${count}`), 'user.username_unchanged')
        await isRefused(rename('x '), 'user.username_invalid', 'userName')
        await isRefused(
          world.call(v1.updateUserName, { userId: 'sam', userName: 'samuel' }, { bearer: 'south' }),
          'user.not_found',
        )
      })
    })

    test('folded again from the log they are the same', async () => {
      const query = { orderBy: 'id', limit: 1000 } as const
      const { documents } = await world.store.find(users, query)
      await world.store.rebuild([users])
      assert.deepEqual((await world.store.find(users, query)).documents, documents)
      assert.equal(await world.store.findClaimHolder('username', 'sam'), 'sam')
    })
  })
}
