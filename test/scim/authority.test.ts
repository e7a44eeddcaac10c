/** Who may do what by SCIM: the right of a directory reaches ordinary users of its organization, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserState } from '../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { appointMember } from '../../src/features/administrators/index.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/openid-world.ts'
import { newUser, openScimWorld, PATCH_SCHEMA, type ScimWorld } from '../support/scim.ts'

for (const engine of engines) {
  suite(`authority by SCIM on ${engine.name}`, () => {
    let world: ScimWorld

    before(async () => {
      world = await openScimWorld(engine)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const tokenWith = async (...organizationRoles: string[]) =>
      world.tokenOf(await world.addMachine(organizationRoles.length === 0 ? {} : { organizationRoles }))

    test('ends in the middle of a long request when the caller is deactivated', async () => {
      const machine = await world.addMachine({ organizationRoles: ['ORG_DIRECTORY_SYNC'] })
      const operations = Array.from({ length: 800 }, (_, index) => ({
        ...{ method: 'POST', path: '/Users', bulkId: `${index}`, data: newUser(`late-${index}`) },
      }))
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations }
      const running = world.send('POST', '/Bulk', { token: world.tokenOf(machine), body })
      for (let found = 0; found === 0; ) {
        found = (await world.send('GET', '/Users?filter=userName%20eq%20%22late-3%22')).body.totalResults
      }
      await world.call(UserService.method.deactivateUser, { userId: machine.userId }, world.owner)
      const { Operations: answers } = (await running).body as { Operations: { status: string }[] }
      assert.equal(answers.length, 800)
      assert.equal(answers[0]?.status, '201')
      assert.equal(answers.at(-1)?.status, '401')
    })

    test('needs a token, a role in the organization, and the permission', async () => {
      const { id } = await world.create('needs')
      const nobody = await tokenWith()
      const viewer = await tokenWith('ORG_OWNER_VIEWER')
      const manager = await tokenWith('ORG_USER_MANAGER')
      const foreign = await world.addOrganization('Foreign')
      const asks: [string, string, unknown][] = [
        ['GET', `/Users/${id}`, undefined],
        ['GET', '/Users', undefined],
        ['POST', '/Users', newUser('needs-2')],
        ['PUT', `/Users/${id}`, newUser('needs')],
        ['PATCH', `/Users/${id}`, { schemas: [PATCH_SCHEMA], Operations: [] }],
        ['DELETE', `/Users/${id}`, undefined],
      ]
      const expected: [string, string, number[]][] = [
        ['', '', [401, 401, 401, 401, 401, 401]],
        ['nonsense', '', [401, 401, 401, 401, 401, 401]],
        [nobody, '', [404, 404, 404, 404, 404, 404]],
        [world.directory.token, foreign, [404, 404, 404, 404, 404, 404]],
        [world.owner.bearer ?? '', 'nowhere', [404, 404, 404, 404, 404, 404]],
        [world.owner.bearer ?? '', foreign, [404, 200, 201, 404, 404, 404]],
        [viewer, '', [200, 200, 403, 403, 403, 403]],
        [manager, '', [200, 200, 409, 200, 200, 204]],
      ]
      for (const [token, organizationId, statuses] of expected) {
        for (const [index, [method, path, body]] of asks.entries()) {
          const question = { token, ...(organizationId && { organizationId }), ...(body !== undefined && { body }) }
          const reply = await world.send(method, path, question)
          assert.equal(reply.status, statuses[index], `${method} ${path} ${index} ${JSON.stringify(reply.body)}`)
        }
      }
    })

    test('of a directory counts at this door only', async () => {
      const { id } = await world.create('door')
      const request = { bearer: world.directory.token }
      await assert.rejects(world.call(UserService.method.getUserByID, { userId: id }, request))
      await assert.rejects(world.call(UserService.method.deleteUser, { userId: id }, request))
      await assert.rejects(world.call(ManagementService.method.lockUser, { id }, request))
      const { result } = await world.call(UserService.method.listUsers, {}, request)
      assert.deepEqual(
        result.map(({ userId }) => userId),
        [world.directory.userId],
      )
      const me = await world.send('GET', '/Me')
      assert.equal(me.status, 501)
      assert.match(me.body.detail, /the caller is a machine user/)
    })

    test('of a directory does not reach who has a role above it', async () => {
      for (const [name, scope, role] of [
        ['boss', { level: 'organization', id: world.defaultOrganizationId }, 'ORG_OWNER'],
        ['helper', { level: 'organization', id: world.defaultOrganizationId }, 'ORG_USER_MANAGER'],
        ['root', { level: 'instance', id: world.instanceId }, 'IAM_OWNER'],
      ] as const) {
        const { id, meta } = await world.create(name)
        await world.store.write(world.origin(), (work) => appointMember(work, { scope, userId: id, roles: [role] }))
        const body = { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'active', value: false }] }
        const replies = [
          await world.send('PATCH', `/Users/${id}`, { body }),
          await world.send('PUT', `/Users/${id}`, { body: newUser(name, { password: PASSWORD }) }),
          await world.send('DELETE', `/Users/${id}`),
          await world.send('DELETE', `/Users/${id}`, { headers: { 'if-match': meta.version } }),
        ]
        for (const reply of replies) assert.equal(reply.status, 403, JSON.stringify(reply.body))
        assert.equal((await world.send('GET', `/Users/${id}`)).body.active, true)
      }
    })

    test('does not reach machine users', async () => {
      const { userId } = await world.addMachine()
      assert.equal((await world.send('GET', `/Users/${userId}`)).status, 404)
      assert.equal((await world.send('DELETE', `/Users/${userId}`)).status, 404)
      const { body } = await world.send('GET', `/Users?filter=${encodeURIComponent(`id eq "${userId}"`)}`)
      assert.equal(body.totalResults, 0)
    })

    test('ends everything with a deactivation, in the same commit', async () => {
      for (const how of ['deactivate', 'delete']) {
        const { id } = await world.create(`ends-${how}`, { password: PASSWORD })
        const check = { checks: { user: { search: { case: 'userId', value: id } }, password: { password: PASSWORD } } }
        const session = await world.call(SessionService.method.createSession, check as never, world.owner)
        const request = { bearer: session.sessionToken }
        await world.call(UserService.method.getUserByID, { userId: id }, request)
        if (how === 'delete') await world.send('DELETE', `/Users/${id}`)
        else await world.patch(id, { op: 'Replace', path: 'active', value: 'False' })
        await assert.rejects(world.call(UserService.method.getUserByID, { userId: id }, request))
        await assert.rejects(world.call(SessionService.method.createSession, check as never, world.owner))
        const { sessionId } = session
        await assert.rejects(world.call(SessionService.method.getSession, { sessionId }, request))
      }
    })

    test('does not lift what an administrator has locked', async () => {
      const { id } = await world.create('locked')
      await world.call(UserService.method.lockUser, { userId: id }, world.owner)
      await world.patch(id, { op: 'replace', path: 'title', value: 'Clerk' })
      await world.patch(id, { op: 'replace', path: 'active', value: true })
      const { user } = await world.call(UserService.method.getUserByID, { userId: id }, world.owner)
      assert.equal(user?.state, UserState.LOCKED)
    })

    test('is recorded with the name of the token', async () => {
      const { id } = await world.create('recorded')
      const { events } = await world.call(AdminService.method.listEvents, { aggregateId: id } as never, world.owner)
      assert.ok(events.length > 0)
      for (const event of events) assert.equal(event.editor?.userId, world.directory.userId)
    })

    test('shows oneself at /Me, if the permission is there', async () => {
      const ada = await world.addPerson('me')
      await world.store.write(world.origin(), (work) =>
        appointMember(work, {
          scope: { level: 'organization', id: world.defaultOrganizationId },
          userId: ada,
          roles: ['ORG_OWNER'],
        }),
      )
      const checks = { user: { search: { case: 'userId', value: ada } }, password: { password: PASSWORD } }
      const { sessionToken } = await world.call(SessionService.method.createSession, { checks } as never, world.owner)
      const { status, body } = await world.send('GET', '/Me', { token: sessionToken })
      assert.deepEqual([status, body.id], [200, ada])
    })
  })
}
