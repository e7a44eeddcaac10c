import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { memberships } from '../memberships/index.ts'

const v1 = ManagementService.method
const v2 = UserService.method

const profile = { firstName: 'No', lastName: 'Body' }
const returnCode = { case: 'returnCode', value: {} } as const
const isVerified = { case: 'isVerified', value: true } as const
const isNotVerified = { case: 'isVerified', value: false } as const
function bytes(text: string) {
  return new TextEncoder().encode(text)
}

for (const engine of engines) {
  suite(`what users may do to themselves and to others on ${engine.name}`, () => {
    let world: SmallWorld
    // The bearer `nobody` is the user `nobody`: a human with no role at all.
    const self = { bearer: 'nobody' }
    const north = { bearer: 'north' }
    const userId = 'nobody'

    const add = (id: string, email = `${id}@example.com`) =>
      world.call(
        v2.addHumanUser,
        {
          userId: id,
          profile,
          email: { email, verification: isVerified },
          organisation: { org: { case: 'orgId', value: 'north' } },
        },
        { bearer: 'boss' },
      )
    before(async () => {
      world = await openSmallWorld(engine)
      await add('nobody')
      await add('other')
      await add('chief')
      await world.store.write({ actor: 'server', at: NOON }, (work) =>
        work.decide(
          memberships,
          'instance/chief',
          {
            type: 'add',
            level: 'instance',
            scopeId: 'instance',
            userId: 'chief',
            userOrganizationId: 'north',
            roles: ['IAM_OWNER'],
            addedAt: NOON,
          },
          'instance',
        ),
      )
    })
    after(() => world.dispose())

    const get = async (id: string) => {
      const { user } = await world.call(v2.getUserByID, { userId: id }, { bearer: 'boss' })
      assert.ok(user?.type.case === 'human')
      return { ...user.type.value, username: user.username, state: user.state }
    }
    const human = (value: object) => ({ userType: { case: 'human', value } }) as const

    test('users may change their own profile, name, address and number', async () => {
      await world.call(
        v2.updateHumanUser,
        { userId, username: 'Nobody@Example.com', profile: { ...profile, nickName: 'Nob' } },
        self,
      )
      await world.call(v2.updateUser, { userId, ...human({ profile: { displayName: 'No B.' } }) }, self)
      await world.call(v2.setEmail, { userId, email: 'self@example.com' }, self)
      await world.call(v2.resendEmailCode, { userId }, self)
      await world.call(v2.sendEmailCode, { userId }, self)
      await world.call(v2.setPhone, { userId, phone: '+41791234567' }, self)
      await world.call(v2.removePhone, { userId }, self)
      await world.call(v2.listUserMetadata, { userId }, self)
      await world.call(v2.listAuthenticationMethodTypes, { userId }, self)
      const user = await get(userId)
      assert.deepEqual(
        [user.username, user.profile?.nickName, user.email?.isVerified],
        ['Nobody@Example.com', 'Nob', false],
      )
    })

    test('renaming oneself tells nothing about other names, and takes no address of another person', async () => {
      await add('renamed')
      const renamed = { bearer: 'renamed' }
      const own = { userId: 'renamed' }
      // The names of users, addresses of others, and free ones; all are refused alike.
      for (const username of ['other@example.com', 'OTHER@example.com', 'somebody@example.com', 'free-name', 'admin']) {
        await isRefused(world.call(v2.updateUser, { ...own, username }, renamed), 'user.username_not_own')
        await isRefused(world.call(v2.updateHumanUser, { ...own, username }, renamed), 'user.username_not_own')
      }
      await world.call(v2.updateUser, { ...own, username: 'RENAMED@example.com' }, renamed)
      await world.call(v2.setEmail, { ...own, email: 'victim@example.com' }, renamed)
      const username = 'victim@example.com'
      await isRefused(world.call(v2.updateUser, { ...own, username }, renamed), 'user.username_not_own')
      await world.call(v2.updateUser, { ...own, username: 'chosen' }, north)
    })

    test('no method lets users declare their own address or number verified, or shows them the code', async () => {
      const email = 'vouched@example.com'
      const phone = '+41791234567'
      await world.call(v2.setPhone, { userId, phone }, self)
      for (const verification of [returnCode, isVerified, isNotVerified]) {
        const attempts = [
          () => world.call(v2.setEmail, { userId, email, verification }, self),
          () => world.call(v2.setPhone, { userId, phone, verification }, self),
          () => world.call(v2.updateHumanUser, { userId, email: { email, verification } }, self),
          () => world.call(v2.updateHumanUser, { userId, phone: { phone, verification } }, self),
          () => world.call(v2.updateUser, { userId, ...human({ email: { email, verification } }) }, self),
          () => world.call(v2.updateUser, { userId, ...human({ phone: { phone, verification } }) }, self),
        ]
        for (const attempt of attempts) await isRefused(attempt(), 'access.forbidden')
      }
      await isRefused(world.call(v2.resendEmailCode, { userId, verification: returnCode }, self), 'access.forbidden')
      await isRefused(world.call(v2.sendEmailCode, { userId, verification: returnCode }, self), 'access.forbidden')
      await isRefused(world.call(v2.resendPhoneCode, { userId, verification: returnCode }, self), 'access.forbidden')
      const user = await get(userId)
      assert.deepEqual([user.email?.email, user.email?.isVerified], ['self@example.com', false])
    })

    test('users may not give themselves metadata, a password without proof, an invitation or another state', async () => {
      const metadata = [{ key: 'role', value: bytes('admin') }]
      const passwordType = { case: 'password', value: { password: 'correct horse battery' } } as const
      const attempts = [
        () => world.call(v2.updateUser, { userId, metadata }, self),
        () => world.call(v2.setUserMetadata, { userId, metadata }, self),
        () => world.call(v2.deleteUserMetadata, { userId, keys: ['role'] }, self),
        () => world.call(v2.updateHumanUser, { userId, password: { passwordType } }, self),
        () => world.call(v2.updateUser, { userId, ...human({ password: { passwordType } }) }, self),
        () => world.call(v2.createInviteCode, { userId }, self),
        () => world.call(v2.resendInviteCode, { userId }, self),
        () => world.call(v2.lockUser, { userId }, self),
        () => world.call(v2.deleteUser, { userId }, self),
      ]
      for (const attempt of attempts) await isRefused(attempt(), 'access.forbidden')
    })

    test('users may not change other users without the permission there', async () => {
      for (const request of [self, { bearer: 'south' }, { bearer: 'viewer' }]) {
        const other = { userId: 'other' }
        const attempts = [
          () => world.call(v2.updateHumanUser, { ...other, profile }, request),
          () => world.call(v2.updateUser, other, request),
          () => world.call(v2.setEmail, { ...other, email: 'x@example.com' }, request),
          () => world.call(v2.sendEmailCode, other, request),
          () => world.call(v2.resendEmailCode, other, request),
          () => world.call(v2.setPhone, { ...other, phone: '+41791234567' }, request),
          () => world.call(v2.removePhone, other, request),
          () => world.call(v2.resendPhoneCode, other, request),
          () => world.call(v2.createInviteCode, other, request),
          () => world.call(v2.resendInviteCode, other, request),
          () => world.call(v2.setUserMetadata, { ...other, metadata: [{ key: 'k', value: bytes('v') }] }, request),
          () => world.call(v2.deleteUserMetadata, { ...other, keys: ['k'] }, request),
        ]
        // Who writes users elsewhere is told what they are told of a user that does not exist.
        const code = request.bearer === 'south' ? 'user.not_found' : 'access.forbidden'
        for (const attempt of attempts) await isRefused(attempt(), code)
      }
      for (const [request, code] of [
        [self, 'access.forbidden'],
        [{ bearer: 'south' }, 'user.not_found'],
      ] as const) {
        // Existing clients get an empty list.
        assert.deepEqual((await world.call(v2.listUserMetadata, { userId: 'other' }, request)).metadata, [])
        await isRefused(world.call(v2.listAuthenticationMethodTypes, { userId: 'other' }, request), code)
      }
      await isRefused(world.call(v1.getUserMetadata, { id: 'other', key: 'k' }, { bearer: 'south' }), 'user.not_found')
    })

    test('callers with the permission to write users change them and declare their addresses verified', async () => {
      await world.call(v2.setEmail, { userId: 'other', email: 'other-2@example.com', verification: isVerified }, north)
      const { verificationCode } = await world.call(
        v2.setPhone,
        { userId: 'other', phone: '+41791234567', verification: returnCode },
        north,
      )
      assert.ok(verificationCode)
      await world.call(v2.createInviteCode, { userId: 'other' }, north)
    })

    test('callers cannot take over a user who holds more', async () => {
      const chief = { userId: 'chief' }
      const attempts = [
        () => world.call(v2.setEmail, { ...chief, email: 'mine@example.com', verification: isVerified }, north),
        () => world.call(v2.setEmail, { ...chief, email: 'mine@example.com' }, north),
        () => world.call(v2.setPhone, { ...chief, phone: '+41791234567' }, north),
        () => world.call(v2.updateHumanUser, { ...chief, email: { email: 'mine@example.com' } }, north),
        () => world.call(v2.updateUser, { ...chief, ...human({ phone: { phone: '+41791234567' } }) }, north),
        () => world.call(v2.sendEmailCode, { ...chief, verification: returnCode }, north),
        () => world.call(v2.createInviteCode, { ...chief, verification: returnCode }, north),
      ]
      for (const attempt of attempts) await isRefused(attempt(), 'user.above_own')
      const nickName = { ...chief, profile: { ...profile, nickName: 'Boss' } }
      await isRefused(world.call(v2.updateHumanUser, nickName, north), 'user.above_own')
      await world.call(
        v2.setEmail,
        { ...chief, email: 'chief-2@example.com', verification: isVerified },
        { bearer: 'boss' },
      )
    })
  })
}
