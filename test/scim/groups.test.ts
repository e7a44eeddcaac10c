/** Groups by SCIM: each change is small, ends rights in its commit, and reaches no other organization. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ManagedUserService } from '../../contract/gen/signet/directory_sync/v1/managed_user_service_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { fillOrganization } from '../../faults/scim/fill.ts'
import { groups, isInGroup } from '../../src/features/groups/index.ts'
import { bothEngines } from '../support/engines.ts'
import { type Body, GROUP_SCHEMA, newUser, openScimWorld, PATCH_SCHEMA, type ScimWorld } from '../support/scim.ts'

const BULK_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'

for (const engine of bothEngines) {
  suite(`groups by SCIM on ${engine.name}`, () => {
    let world: ScimWorld
    let users: string[]

    before(async () => {
      world = await openScimWorld(engine)
      users = []
      for (const name of ['anna', 'bert', 'carl']) users.push((await world.create(name)).id)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const create = async (displayName: string, more: object = {}): Promise<Body> => {
      const reply = await world.send('POST', '/Groups', { body: { schemas: [GROUP_SCHEMA], displayName, ...more } })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body
    }
    const patch = (id: string, ...Operations: object[]) =>
      world.send('PATCH', `/Groups/${id}`, { body: { schemas: [PATCH_SCHEMA], Operations } })
    const valuesOf = (body: Body): string[] => (body.members ?? []).map(({ value }: Body) => value)
    const membersOf = async (id: string) => valuesOf((await world.send('GET', `/Groups/${id}`)).body)
    const find = async (filter: string, more = '') => {
      const reply = await world.send('GET', `/Groups?filter=${encodeURIComponent(filter)}&sortBy=displayName${more}`)
      assert.equal(reply.status, 200, `${filter}: ${JSON.stringify(reply.body)}`)
      return reply.body.Resources.map(({ displayName }: Body) => displayName)
    }
    const [value, of] = [(id: string) => ({ value: id }), (...ids: string[]) => ids.map((id) => ({ value: id }))]

    test('are created, read, replaced and removed, with what the schema does not know', async () => {
      const [anna = '', bert = '', carl = ''] = users
      const unknown = { color: 'red', 'urn:example:ext': { a: [1, { b: true }] } }
      const made = await create('Made', { externalId: 'e-1', members: of(anna, bert), ...unknown })
      const { status, body, header } = await world.send('GET', `/Groups/${made.id}`)
      assert.equal(status, 200)
      assert.deepEqual(body, made)
      assert.equal(header('etag'), made.meta.version)
      assert.deepEqual([body.externalId, body.color, body['urn:example:ext']], ['e-1', 'red', { a: [1, { b: true }] }])
      assert.deepEqual(body.members[0], {
        value: anna,
        $ref: `${made.meta.location.split('/Groups')[0]}/Users/${anna}`,
        type: 'User',
      })
      const put = (more: object) =>
        world.send('PUT', `/Groups/${made.id}`, { body: { schemas: [GROUP_SCHEMA], displayName: 'Put', ...more } })
      const kept = await put({})
      assert.deepEqual([kept.body.displayName, kept.body.externalId, kept.body.color], ['Put', undefined, undefined])
      assert.deepEqual(valuesOf(kept.body), [anna, bert])
      assert.deepEqual(valuesOf((await put({ members: of(bert, carl) })).body), [bert, carl])
      assert.equal((await put({ members: [] })).body.members, undefined)
      assert.equal((await world.send('DELETE', `/Groups/${made.id}`)).status, 204)
      assert.equal((await world.send('GET', `/Groups/${made.id}`)).status, 404)
      assert.equal((await world.send('DELETE', `/Groups/${made.id}`)).status, 404)
    })

    test('have changed when somebody joins or leaves, for filters and caches, too', async () => {
      const [anna = '', bert = ''] = users
      const { id } = await create('Turning', { members: of(anna) })
      const untouched = await create('Untouched')
      const read = async (more = '', headers = {}) => world.send('GET', `/Groups/${id}${more}`, { headers })
      const alone = '?excludedAttributes=members'
      const detach = () => world.call(ManagedUserService.method.detachGroup, { groupId: id }, world.owner)
      const steps: (() => Promise<unknown>)[] = [
        () => patch(id, { op: 'add', path: 'members', value: of(bert) }),
        () => patch(id, { op: 'remove', path: `members[value eq "${bert}"]` }),
        () => world.call(GroupService.method.addUsersToGroup, { id, userIds: [bert] }, world.owner),
        () => world.call(GroupService.method.removeUsersFromGroup, { id, userIds: [bert] }, world.owner),
      ]
      for (const step of steps) {
        await detach()
        const { body, header } = await read(alone)
        const { lastModified } = body.meta
        while (Date.now() <= Date.parse(lastModified)) await nextTurn()
        await step()
        const now = await read(alone, { 'if-none-match': header('etag') ?? '' })
        assert.equal(now.status, 200)
        assert.ok(now.body.meta.lastModified > lastModified)
        assert.equal((await read()).body.meta.lastModified, now.body.meta.lastModified)
        const since = `meta.lastModified gt "${lastModified}" and displayName eq "Turning"`
        assert.deepEqual(await find(since), ['Turning'])
        assert.deepEqual(await find(`meta.lastModified le "${lastModified}" and id eq "${id}"`), [])
        const same = await read(alone, { 'if-none-match': now.header('etag') ?? '' })
        assert.equal(same.status, 304)
      }
      // The mark is there; from now on only the members change.
      await patch(id, { op: 'add', path: 'members', value: of(bert) })
      const { header } = await read(alone)
      await patch(id, { op: 'remove', path: `members[value eq "${bert}"]` })
      const renaming = {
        schemas: [PATCH_SCHEMA],
        Operations: [{ op: 'replace', path: 'displayName', value: 'Turned' }],
      }
      const headers = { 'if-match': header('etag') ?? '' }
      assert.equal((await world.send('PATCH', `/Groups/${id}`, { body: renaming, headers })).status, 200)
      const sorted = await world.send('GET', '/Groups?sortBy=meta.lastModified&sortOrder=descending')
      const names = sorted.body.Resources.map(({ displayName }: Body) => displayName)
      assert.ok(names.indexOf('Turned') < names.indexOf(untouched.displayName))
    })

    test('refuse what cannot be a group or a member', async () => {
      const org = await world.addOrganization('Abroad')
      const stranger = await world.send('POST', '/Users', {
        body: newUser('stranger'),
        organizationId: org,
        token: world.owner.bearer ?? '',
      })
      assert.equal(stranger.status, 201)
      const { id, meta } = await create('Refusing', { members: of(users[0] ?? '') })
      const bodies: [object, number, string][] = [
        [{ displayName: 'REFUSING' }, 409, 'uniqueness'],
        [{}, 400, 'invalidValue'],
        [{ displayName: 'x', members: of(stranger.body.id) }, 400, 'invalidValue'],
        [{ displayName: 'x', members: of('nobody') }, 400, 'invalidValue'],
        [{ displayName: 'x', members: [{ value: id, type: 'Group' }] }, 400, 'invalidValue'],
        [{ displayName: 'x', other: 'y'.repeat(20_000) }, 400, 'invalidValue'],
      ]
      for (const [body, status, scimType] of bodies) {
        const reply = await world.send('POST', '/Groups', { body: { schemas: [GROUP_SCHEMA], ...body } })
        assert.deepEqual([reply.status, reply.body.scimType], [status, scimType], JSON.stringify(body).slice(0, 200))
      }
      const operations: [object, string][] = [
        [{ op: 'add', path: 'members', value: of(stranger.body.id) }, 'invalidValue'],
        [{ op: 'replace', path: 'members', value: [{ display: 'no value' }] }, 'invalidValue'],
        [{ op: 'replace', path: 'members[value eq "1"].value', value: 'x' }, 'mutability'],
        [{ op: 'remove', path: 'members[type eq "User"]' }, 'invalidPath'],
        [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
        [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
        [{ op: 'add', path: 'shoes', value: 1 }, 'invalidPath'],
      ]
      for (const [operation, scimType] of operations) {
        const reply = await patch(id, { op: 'add', path: 'members', value: of(users[1] ?? '') }, operation)
        assert.deepEqual([reply.status, reply.body.scimType], [400, scimType], JSON.stringify(operation))
      }
      assert.equal((await world.send('GET', `/Groups/${id}`)).body.meta.version, meta.version)
      // A group of another organization is not there.
      const foreign = { organizationId: org, token: world.owner.bearer ?? '' }
      assert.equal((await world.send('GET', `/Groups/${id}`, foreign)).status, 404)
      assert.equal((await world.send('DELETE', `/Groups/${id}`, foreign)).status, 404)
    })

    test('are found by every indexed attribute, sorted and walked', async () => {
      const [anna = '', bert = ''] = users
      const one = await create('List one', { externalId: 'list-1', members: of(anna, bert) })
      await create('List two', { externalId: 'list-2', members: of(bert), color: 'blue' })
      await create('List three')
      const cases: [string, string[]][] = [
        ['displayName eq "LIST ONE"', ['List one']],
        ['displayName sw "list t"', ['List three', 'List two']],
        ['externalId eq "list-2"', ['List two']],
        ['externalId eq "LIST-2"', []],
        ['displayName sw "list" and not (externalId pr)', ['List three']],
        [`id eq "${one.id}"`, ['List one']],
        [`displayName sw "list" and members.value eq "${bert}"`, ['List one', 'List two']],
        [`displayName sw "list" and members eq "${anna}"`, ['List one']],
        [`displayName sw "list" and members[value eq "${anna}"]`, ['List one']],
        [`displayName sw "list" and not (members pr)`, ['List three']],
        [`displayName sw "list" and members[value eq "${anna}" and type eq "User"]`, ['List one']],
        [`displayName sw "list" and meta.created ge "${one.meta.created}"`, ['List one', 'List three', 'List two']],
        [`displayName sw "list" and meta.lastModified lt "${one.meta.created}"`, []],
      ]
      for (const [filter, expected] of cases) {
        assert.deepEqual(await find(filter), expected, filter)
        assert.deepEqual(await find(filter, '&excludedAttributes=members'), expected, filter)
      }
      const bad = await world.send('GET', `/Groups?filter=${encodeURIComponent('shoes eq 1')}`)
      assert.deepEqual([bad.status, bad.body.scimType], [400, 'invalidFilter'])
      const lean = await world.send('GET', `/Groups/${one.id}?excludedAttributes=members`)
      assert.deepEqual([lean.body.members, lean.body.displayName], [undefined, 'List one'])
      const only = await world.send('GET', `/Groups/${one.id}?attributes=members.value`)
      assert.deepEqual(only.body.members, of(anna, bert))
      const walked: string[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { body }: { body: Body } = await world.send('GET', `/Groups?count=2&cursor=${cursor}`)
        walked.push(...body.Resources.map(({ id }: Body) => id))
        cursor = body.nextCursor
      }
      const all = await world.send('GET', '/Groups?sortBy=id')
      assert.deepEqual(
        walked,
        all.body.Resources.map(({ id }: Body) => id),
      )
    })

    test('have a version that tells of members where they are shown', async () => {
      const [anna = '', bert = ''] = users
      const { id, meta } = await create('Versions', { members: of(anna) })
      const lean = (await world.send('GET', `/Groups/${id}?excludedAttributes=members`)).header('etag') ?? ''
      const whole = meta.version
      assert.notEqual(lean, whole)
      const cached = await world.send('GET', `/Groups/${id}`, { headers: { 'if-none-match': whole } })
      assert.equal(cached.status, 304)
      await patch(id, { op: 'add', path: 'members', value: of(bert) })
      const put = (version: string, displayName: string) =>
        world.send('PUT', `/Groups/${id}`, {
          body: { schemas: [GROUP_SCHEMA], displayName, members: of(anna) },
          headers: { 'if-match': version },
        })
      assert.equal((await put(whole, 'Lost update')).status, 412)
      assert.equal((await put(lean, 'Only names were read')).status, 200)
      assert.equal((await put(lean, 'Name has changed')).status, 412)
      const headers = { 'if-match': lean }
      assert.equal((await world.send('DELETE', `/Groups/${id}`, { headers })).status, 412)
      assert.equal((await world.send('DELETE', `/Groups/${id}`, { headers: { 'if-match': '*' } })).status, 204)
    })

    test('are shown with a user, who cannot change them there', async () => {
      const { id } = await world.create('shown')
      const { id: groupId, meta } = await create('Shown', { members: of(id) })
      const { body } = await world.send('GET', `/Users/${id}`)
      assert.deepEqual(body.groups, [{ value: groupId, $ref: meta.location, display: 'Shown', type: 'direct' }])
      const replaced = await world.send('PUT', `/Users/${id}`, { body: { ...body, groups: [], title: 'New' } })
      assert.deepEqual([replaced.status, replaced.body.groups.length], [200, 1])
      const patched = await world.patch(id, { op: 'replace', value: { groups: [], title: 'Newer' } })
      assert.deepEqual([patched.status, patched.body.title, patched.body.groups.length], [200, 'Newer', 1])
      assert.equal((await world.patch(id, { op: 'remove', path: 'groups' })).body.scimType, 'mutability')
      const old = { headers: { 'if-match': patched.body.meta.version } }
      await patch(groupId, { op: 'remove', path: 'members' })
      assert.equal((await world.send('GET', `/Users/${id}`)).body.groups, undefined)
      assert.equal((await world.send('PUT', `/Users/${id}`, { ...old, body: newUser('shown') })).status, 200)
      const filter = encodeURIComponent(`groups.value eq "${groupId}"`)
      assert.equal((await world.send('GET', `/Users?filter=${filter}`)).body.totalResults, 0)
    })

    test('are created in bulk with users of the same request, whichever comes first', async () => {
      const operation = (bulkId: string, path: string, data: object) => ({ method: 'POST', bulkId, path, data })
      const Operations = [
        operation('g', '/Groups', {
          schemas: [GROUP_SCHEMA],
          displayName: 'Bulk',
          members: of('bulkId:u', 'bulkId:v'),
        }),
        operation('u', '/Users', newUser('bulk-u')),
        operation('v', '/Users', newUser('bulk-v')),
        {
          method: 'PATCH',
          path: '/Groups/bulkId:g',
          data: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'remove', path: 'members', value: of('bulkId:v') }] },
        },
        operation('x', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'Circle', members: of('bulkId:y') }),
        operation('y', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'Circle 2', members: of('bulkId:x') }),
      ]
      const { body } = await world.send('POST', '/Bulk', { body: { schemas: [BULK_SCHEMA], Operations } })
      const statuses = body.Operations.map(({ status, bulkId }: Body) => `${bulkId} ${status}`)
      assert.deepEqual(statuses, ['g 201', 'u 201', 'v 201', 'undefined 204', 'x 400', 'y 400'])
      const userId = body.Operations[1].location.split('/').at(-1)
      assert.deepEqual(await membersOf(body.Operations[0].location.split('/').at(-1)), [userId])
    })

    test('need the permissions of groups', async () => {
      const { id } = await create('Authority', { members: of(users[0] ?? '') })
      const asks: [string, string, unknown][] = [
        ['GET', `/Groups/${id}`, undefined],
        ['GET', '/Groups', undefined],
        ['POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'No' }],
        ['PATCH', `/Groups/${id}`, { schemas: [PATCH_SCHEMA], Operations: [] }],
        ['DELETE', `/Groups/${id}`, undefined],
      ]
      const tokenWith = async (role: string) => world.tokenOf(await world.addMachine({ organizationRoles: [role] }))
      const foreign = await world.addOrganization('Elsewhere')
      const expected: [string, string | undefined, number[]][] = [
        ['', undefined, [401, 401, 401, 401, 401]],
        [await tokenWith('ORG_OWNER_VIEWER'), undefined, [200, 200, 403, 403, 403]],
        [world.directory.token, foreign, [404, 404, 404, 404, 404]],
      ]
      for (const [token, organizationId, statuses] of expected) {
        for (const [index, [method, path, body]] of asks.entries()) {
          const question = { token, ...(organizationId && { organizationId }), ...(body !== undefined && { body }) }
          assert.equal((await world.send(method, path, question)).status, statuses[index], `${method} ${path}`)
        }
      }
      // The right of a directory counts at this door only.
      const request = { bearer: world.directory.token }
      await assert.rejects(world.call(GroupService.method.getGroup, { id }, request))
      await assert.rejects(world.call(GroupService.method.addUsersToGroup, { id, userIds: [users[1] ?? ''] }, request))
    })

    test('get no machine users as members, the directory itself least of all', async () => {
      const { id } = await create('People')
      for (const userId of [(await world.addMachine()).userId, world.directory.userId]) {
        const added = await patch(id, { op: 'add', path: 'members', value: of(userId) })
        assert.deepEqual([added.status, added.body.scimType], [400, 'invalidValue'], JSON.stringify(added.body))
        const body = { schemas: [GROUP_SCHEMA], displayName: 'Robots', members: of(userId) }
        assert.equal((await world.send('POST', '/Groups', { body })).status, 400)
      }
      assert.deepEqual(await membersOf(id), [])
      // One that an administrator added stays when the directory sends all members back.
      const { userId } = await world.addMachine()
      const mixed = { organizationId: world.defaultOrganizationId, name: 'Mixed' }
      const { id: mixedId } = await world.call(GroupService.method.createGroup, mixed, world.owner)
      await world.call(GroupService.method.addUsersToGroup, { id: mixedId, userIds: [userId] }, world.owner)
      const whole = { schemas: [GROUP_SCHEMA], displayName: 'Mixed', members: of(userId, users[0] ?? '') }
      assert.equal((await world.send('PUT', `/Groups/${mixedId}`, { body: whole })).status, 200)
      assert.deepEqual((await membersOf(mixedId)).sort(), [userId, users[0] ?? ''].sort())
    })

    test('of many members change by one of them in one small commit, and are replaced in pieces', async () => {
      const Operations = Array.from({ length: 105 }, (_, index) => ({
        ...{ method: 'POST', path: '/Users', bulkId: `${index}`, data: newUser(`many-${index}`) },
      }))
      const reply = await world.send('POST', '/Bulk', { body: { schemas: [BULK_SCHEMA], Operations } })
      const ids: string[] = reply.body.Operations.map(({ location }: Body) => location.split('/').at(-1))
      const last = async () => (await world.store.find(groups, { limit: 1 })).sequence
      const { id } = await create('Many', { members: ids.map(value) })
      assert.equal((await membersOf(id)).length, 105)
      const [gone = '', ...left] = ids
      const before = await last()
      await patch(id, { op: 'remove', path: `members[value eq "${gone}"]` })
      assert.equal((await last()) - before, 1)
      assert.equal(await isInGroup(world.store, id, gone), false)
      const replaced = await patch(id, { op: 'replace', path: 'members', value: left.slice(0, 20).map(value) })
      assert.deepEqual(valuesOf(replaced.body), left.slice(0, 20).sort())
    })

    test('of very many members are returned after a PATCH to those who ask for the members', async () => {
      const place = { organizationId: world.defaultOrganizationId, userId: world.directory.userId }
      const { ids } = await fillOrganization(world.store, 1_001, place)
      const { id } = await create('Large', { members: ids.map(value) })
      const body = { schemas: [PATCH_SCHEMA], Operations: [{ op: 'remove', path: `members[value eq "${users[0]}"]` }] }
      assert.equal((await world.send('PATCH', `/Groups/${id}`, { body })).status, 204)
      const asked = await world.send('PATCH', `/Groups/${id}?attributes=members`, { body })
      assert.deepEqual([asked.status, asked.body?.members?.length], [200, 1_001])
      const named = await world.send('PATCH', `/Groups/${id}?attributes=displayName`, { body })
      assert.deepEqual([named.status, named.body?.displayName], [200, 'Large'])
    })
  })
}
