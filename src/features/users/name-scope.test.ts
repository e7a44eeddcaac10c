import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { DomainValidationType } from '../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { findByLoginName } from './index.ts'

const v1 = ManagementService.method
const v2 = UserService.method

for (const engine of bothEngines) {
  suite(`user names on ${engine.name}`, () => {
    let world: SmallWorld
    const boss = { bearer: 'boss' }
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const scope = (organizationId: string, organizationScopedUsernames: boolean) =>
      world.call(SettingsService.method.setOrganizationSettings, { organizationId, organizationScopedUsernames }, boss)
    let count = 0
    const add = (organizationId: string, username: string, userId = `u-${++count}`) => {
      const profile = { firstName: 'A', lastName: 'B' }
      const email = { email: `${userId}@example.com`, verification: { case: 'isVerified', value: true } } as const
      const organisation = { org: { case: 'orgId', value: organizationId } } as const
      return world.call(v2.addHumanUser, { userId, username, profile, email, organisation }, boss)
    }
    const remove = (userId: string) => world.call(v2.deleteUser, { userId }, boss)

    test('are unique in the instance, whatever the case, and free again when the user is gone', async () => {
      const { userId } = await add('north', 'Unique')
      await isRefused(add('south', 'uNIQUE'), 'user.username_taken')
      await isRefused(
        world.call(v1.addMachineUser, { userName: 'UNIQUE', name: 'x' }, { bearer: 'south' }),
        'user.username_taken',
      )
      await remove(userId)
      await add('south', 'unique')
    })

    test('are unique in an organization that keeps its own, and only there', async () => {
      await add('south', 'shared')
      await scope('north', true)
      await add('north', 'shared')
      await isRefused(add('north', 'SHARED'), 'user.username_taken')
      await isRefused(add('south', 'Shared'), 'user.username_taken')
      await isRefused(
        world.call(v1.addMachineUser, { userName: 'Shared', name: 'x' }, { bearer: 'north' }),
        'user.username_taken',
      )
      const { userId } = await add('north', 'other')
      await isRefused(world.call(v2.updateHumanUser, { userId, username: 'shared' }, boss), 'user.username_taken')
      await world.call(v2.updateHumanUser, { userId, username: 'OTHER' }, boss)
      await scope('north', false)
    })

    test('keep the scope they were given with, and stay apart in their organization', async () => {
      await add('north', 'before')
      await scope('north', true)
      await isRefused(add('north', 'before'), 'user.username_taken')
      const { userId } = await add('north', 'during')
      await scope('north', false)
      await isRefused(add('north', 'during'), 'user.username_taken')
      await add('south', 'during')
      await remove(userId)
      await isRefused(add('north', 'during'), 'user.username_taken')
    })

    test('find one user in the instance, or none when there are several', async () => {
      await scope('north', true)
      const { userId } = await add('north', 'only-here')
      const find = async (loginName: string) =>
        (await world.call(v1.getUserByLoginNameGlobal, { loginName }, boss)).user?.id
      assert.equal(await find('ONLY-here'), userId)
      await scope('south', true)
      await add('south', 'only-here')
      await isRefused(find('only-here'), 'user.not_found')
      const isUnique = async (userName: string, bearer: string) =>
        (await world.call(v1.isUserUnique, { userName }, { bearer })).isUnique
      assert.deepEqual([await isUnique('only-here', 'north'), await isUnique('shared', 'north')], [false, false])
      await add('north', 'northern')
      assert.deepEqual([await isUnique('northern', 'south'), await isUnique('northern', 'north')], [true, false])
      await scope('north', false)
      await scope('south', false)
    })

    test('of a person are found by organization and by full name, no matter who takes the same name', async () => {
      await scope('north', true)
      await scope('south', true)
      const { userId } = await add('north', 'wanted')
      const domain = 'north.example'
      const owned = { organizationId: 'north', domain }
      await world.call(OrganizationService.method.addOrganizationDomain, owned, boss)
      const type = DomainValidationType.DNS
      await world.call(OrganizationService.method.generateOrganizationDomainValidation, { ...owned, type }, boss)
      world.provenDomains.add(domain)
      await world.call(OrganizationService.method.verifyOrganizationDomain, owned, boss)
      const find = async (name: string, organizationId?: string) =>
        (await findByLoginName(world.app, name, organizationId))?.id
      const all = () => Promise.all([find('wanted'), find('Wanted', 'north'), find('wanted@NORTH.example')])
      assert.deepEqual(await all(), [userId, userId, userId])
      // Another organization takes the name, a third one gives it to a user of the whole instance, or takes the full name.
      const other = (await add('south', 'wanted')).userId
      assert.deepEqual(await all(), [undefined, userId, userId])
      await scope('south', false)
      await remove(other)
      const blocking = (await add('south', 'wanted')).userId
      await add('south', 'wanted@north.example')
      assert.deepEqual(await all(), [blocking, userId, userId])
      assert.equal(await find('wanted', 'south'), blocking)
      assert.equal(await find('wanted', 'nowhere'), blocking)
      await scope('north', false)
    })

    test('of eight at once, and the switch thrown in between, are never given twice in an organization', async () => {
      const attempts = Array.from({ length: 8 }, () => add('north', 'switching'))
      const outcomes = await Promise.allSettled([...attempts, scope('north', true)])
      const added = outcomes.slice(0, 8).filter(({ status }) => status === 'fulfilled')
      assert.equal(added.length, 1)
      await isRefused(add('north', 'switching'), 'user.username_taken')
      await scope('north', false)
    })

    test('folded again from the log are held by the same users', async () => {
      const holders = () =>
        Promise.all(['unique', 'before', 'shared\nnorth'].map((key) => world.store.findClaimHolder('username', key)))
      const before = await holders()
      await world.store.rebuild()
      assert.deepEqual(await holders(), before)
      assert.ok(before.every((id) => id !== undefined))
    })
  })
}
