/** What a directory manages: marked, kept from others unless the organization allows it, and kept when the sync ends. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagedUserService } from '../../contract/gen/signet/directory_sync/v1/managed_user_service_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { changeOwnProfile, removeOwnPhone, replaceOwnContact } from '../../src/features/account/index.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/openid-world.ts'
import { GROUP_SCHEMA, openScimWorld, PATCH_SCHEMA, type ScimWorld } from '../support/scim.ts'
import { jobsOf } from '../support/world.ts'

const managed = ManagedUserService.method
const user = UserService.method

for (const engine of engines) {
  suite(`what a directory manages on ${engine.name}`, () => {
    let world: ScimWorld

    before(async () => {
      world = await openScimWorld(engine)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const allow = (changesAllowed: boolean) =>
      world.call(
        managed.setManagedUserSettings,
        { organizationId: world.defaultOrganizationId, changesAllowed },
        world.owner,
      )
    const settings = () =>
      world.call(managed.getManagedUserSettings, { organizationId: world.defaultOrganizationId }, world.owner)
    const markOf = async (userId: string) => {
      const { type } = (await world.call(user.getUserByID, { userId }, world.owner)).user ?? assert.fail('is there')
      return type.case === 'human' ? type.value.managedBy?.directoryId : undefined
    }
    const change = (userId: string, more: object) => world.call(user.updateHumanUser, { userId, ...more }, world.owner)
    /** Everything that a directory writes, changed by an administrator. */
    const changes = (userId: string): readonly (readonly [string, () => Promise<unknown>])[] => [
      ['names', () => change(userId, { profile: { firstName: 'Other', lastName: 'Name' } })],
      ['user name', () => change(userId, { username: `renamed-${userId}` })],
      ['email', () => change(userId, { email: { email: `new-${userId}@example.com` } })],
      ['phone', () => change(userId, { phone: { phone: '+41791234568' } })],
      [
        'user name of v1',
        () => world.call(ManagementService.method.updateUserName, { userId, userName: `v1-${userId}` }, world.owner),
      ],
      ['deactivation', () => world.call(user.deactivateUser, { userId }, world.owner)],
    ]
    const isManaged = (error: unknown) => /A directory manages this/.test(`${error}`)
    const personOf = async (userId: string) => ({ userId, organizationId: world.defaultOrganizationId }) as never

    test('is marked by the token that sent it, and shown', async () => {
      const { id } = await world.create('marked')
      assert.equal(await markOf(id), world.directory.userId)
      const old = await world.addPerson('unmarked')
      assert.equal(await markOf(old), undefined)
      await world.patch(old, { op: 'replace', path: 'title', value: 'Clerk' })
      assert.equal(await markOf(old), world.directory.userId)
      // A person is no directory: what they send by SCIM is a change like any other.
      const body = { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'title', value: 'x' }] }
      const other = await world.addPerson('by-hand')
      const ada = await world.addPerson('ada-owner')
      await world.call(ManagementService.method.addOrgMember, { userId: ada, roles: ['ORG_OWNER'] }, world.owner)
      const checks = { user: { search: { case: 'userId', value: ada } }, password: { password: PASSWORD } }
      const session = await world.call(SessionService.method.createSession, { checks } as never, world.owner)
      const token = session.sessionToken
      assert.equal((await world.send('PATCH', `/Users/${other}`, { body, token })).status, 200)
      assert.equal(await markOf(other), undefined)
    })

    test('is changed by nobody else, except for what the directory does not write', async () => {
      const { id } = await world.create('held', { phoneNumbers: [{ value: '+41791234567', primary: true }] })
      for (const [about, run] of changes(id)) await assert.rejects(run(), isManaged, about)
      const self = await personOf(id)
      const outcomes = [
        await changeOwnProfile(world.app, self, {
          firstName: 'Me',
          lastName: 'X',
          nickName: '',
          displayName: '',
          preferredLanguage: '',
        } as never),
        await removeOwnPhone(world.app, self),
        await replaceOwnContact(world.app, self, { contact: 'email', text: 'mine@example.com' }),
      ]
      for (const outcome of outcomes) assert.deepEqual(outcome, { outcome: 'managed' })
      await change(id, { profile: { firstName: 'Ada', lastName: 'held', preferredLanguage: 'de', gender: 1 } })
      await world.call(user.lockUser, { userId: id }, world.owner)
      await world.call(user.unlockUser, { userId: id }, world.owner)
      const { body } = await world.patch(id, { op: 'replace', path: 'name.givenName', value: 'Grace' })
      assert.deepEqual([body.name.givenName, body.preferredLanguage], ['Grace', 'de'])
      await world.patch(id, { op: 'replace', path: 'active', value: false })
      await assert.rejects(world.call(user.reactivateUser, { userId: id }, world.owner), isManaged)
      await world.call(user.deleteUser, { userId: id }, world.owner)
    })

    test('is changed by others where the organization allows it, or after it was detached', async () => {
      const first = (await world.create('allowed')).id
      await allow(true)
      assert.equal((await settings()).changesAllowed, true)
      for (const [, run] of changes(first)) await run()
      await allow(false)
      const second = (await world.create('detached')).id
      await assert.rejects(change(second, { username: 'free' }), isManaged)
      await world.call(managed.detachUser, { userId: second }, world.owner)
      assert.equal(await markOf(second), undefined)
      for (const [, run] of changes(second)) await run()
      await world.patch(second, { op: 'replace', path: 'active', value: true })
      assert.equal(await markOf(second), world.directory.userId)
    })

    test('can be a group: its name and members are those of the directory', async () => {
      const { id: userId } = await world.create('grouped')
      const body = { schemas: [GROUP_SCHEMA], displayName: 'Managed', members: [{ value: userId }] }
      const { id } = (await world.send('POST', '/Groups', { body })).body
      const { group } = await world.call(GroupService.method.getGroup, { id }, world.owner)
      assert.equal(group?.managedBy?.directoryId, world.directory.userId)
      const tries = [
        () => world.call(GroupService.method.updateGroup, { id, name: 'Mine' }, world.owner),
        () => world.call(GroupService.method.addUsersToGroup, { id, userIds: [world.directory.userId] }, world.owner),
        () => world.call(GroupService.method.removeUsersFromGroup, { id, userIds: [userId] }, world.owner),
      ]
      for (const run of tries) await assert.rejects(run(), isManaged)
      await world.call(GroupService.method.updateGroup, { id, description: 'Ours' }, world.owner)
      await world.call(managed.detachGroup, { groupId: id }, world.owner)
      for (const run of tries) await run()
    })

    test('stays when the sync ends, without its mark', async () => {
      const ids: string[] = []
      for (const name of ['end-a', 'end-b']) ids.push((await world.create(name)).id)
      const body = { schemas: [GROUP_SCHEMA], displayName: 'Ending' }
      await world.send('POST', '/Groups', { body })
      const organizationId = world.defaultOrganizationId
      /** Runs what a call has left to do, and nothing else. */
      const end = async (more: object) => {
        await world.call(managed.endDirectorySync, { organizationId, ...more }, world.owner)
        const [job] = await world.store.jobs.list({ kind: 'directory.ended', descending: true, limit: 1 })
        const { signal } = new AbortController()
        await jobsOf(world.app)['directory.ended']?.({ ...job, signal } as never)
      }
      await end({ directoryId: 'another' })
      assert.equal(await markOf(ids[0] ?? ''), world.directory.userId)
      await end({ directoryId: world.directory.userId })
      const { users, groups } = await settings()
      assert.deepEqual([users, groups], [0n, 0n])
      for (const id of ids) assert.equal((await world.send('GET', `/Users/${id}`)).status, 200)
    })

    test('is not in the hands of the directory itself', async () => {
      const request = { bearer: world.directory.token }
      const organizationId = world.defaultOrganizationId
      const { id: userId } = await world.create('not-theirs')
      await assert.rejects(
        world.call(managed.setManagedUserSettings, { organizationId, changesAllowed: true }, request),
      )
      await assert.rejects(world.call(managed.endDirectorySync, { organizationId }, request))
      await assert.rejects(world.call(managed.detachUser, { userId }, request))
    })
  })
}
