/** What administrators of an organization see of its directory: tokens, counts and the last requests. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectorySyncService } from '../../contract/gen/signet/directory_sync/v1/directory_sync_service_pb.ts'
import { bothEngines } from '../support/engines.ts'
import { newUser, openScimWorld, type ScimWorld } from '../support/scim.ts'

for (const engine of bothEngines) {
  suite(`directory sync on ${engine.name}`, () => {
    let world: ScimWorld
    before(async () => {
      world = await openScimWorld(engine)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const { getDirectorySync } = DirectorySyncService.method
    /** What another node shows as soon as it shows as many requests, and one with this status. */
    const look = async (count: number, status: number, organizationId = world.defaultOrganizationId) => {
      const { call } = await world.another()
      for (;;) {
        const shown = await call(getDirectorySync, { organizationId }, world.owner)
        if (shown.requests.length >= count && shown.requests.some((one) => one.status === status)) return shown
        await sleep(100)
      }
    }
    const tokenIn = async (organizationId: string) =>
      world.tokenOf(await world.addMachine({ organizationId, organizationRoles: ['ORG_DIRECTORY_SYNC'] }))

    test('shows the address, the tokens, what came, and the last requests with the reasons of refusals', async () => {
      await world.create('shown')
      await world.send('POST', '/Users', { body: newUser('shown') })
      await world.send('GET', `/Users?filter=${encodeURIComponent('userName eq "shown"')}&cursor=&token=secret`)
      const { address, tokens, users, requests, lastRequestDate } = await look(3, 200)
      assert.ok(address.endsWith(`/scim/v2/${world.defaultOrganizationId}`))
      assert.deepEqual(
        tokens.map(({ userId }) => userId),
        [world.directory.userId],
      )
      assert.equal(users, 1n)
      const shown = requests
        .map(({ method, path, status, scimType, message }) => ({ ...{ method, path, status, scimType, message } }))
        .sort((one, other) => one.status - other.status)
      const served = { scimType: '', message: '' }
      assert.deepEqual(shown, [
        { method: 'GET', path: '/Users?filter=userName eq "shown"', status: 200, ...served },
        { method: 'POST', path: '/Users', status: 201, ...served },
        {
          ...{ method: 'POST', path: '/Users', status: 409, scimType: 'uniqueness' },
          message: 'The username is already taken.',
        },
      ])
      assert.ok(requests.every(({ userId, name }) => userId === world.directory.userId && name !== ''))
      assert.deepEqual(lastRequestDate, requests[0]?.date)
    })

    test('keeps the last requests of each kind, however many there are, and says what of a bulk request was refused', async () => {
      const organizationId = await world.addOrganization('Busy')
      const question = { organizationId, token: await tokenIn(organizationId) }
      const operations = ['busy', 'busy', 'other'].map((name, index) => ({
        ...{ method: 'POST', path: '/Users', bulkId: `${index}`, data: newUser(name) },
      }))
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations }
      assert.equal((await world.send('POST', '/Bulk', { ...question, body })).status, 200)
      for (let number = 0; number < 120; number++) await world.send('GET', '/Users?count=0', question)
      const { requests } = await look(101, 200, organizationId)
      assert.equal(requests.length, 101)
      assert.equal(
        requests.at(-1)?.message,
        '1 of 3 operations were refused. The first: The username is already taken.',
      )
      const { jobs } = world.app.store
      assert.ok((await jobs.list({ kind: 'directory.requests', limit: 1_000 })).length < 200)
    })

    test('keeps a few requests of strangers, none of organizations that do not exist, and no password', async () => {
      const organizationId = await world.addOrganization('Knocked at')
      const token = await tokenIn(organizationId)
      for (let number = 0; number < 5; number++) await world.send('GET', '/Users', { organizationId, token: 'wrong' })
      await world.send('GET', '/Users', { organizationId: 'nowhere', token: 'wrong' })
      const filter = encodeURIComponent('password eq "correct horse"')
      await world.send('GET', `/Users?filter=${filter}`, { organizationId, token })
      await world.send('GET', '/Users?count=1', { organizationId, token })
      const { requests } = await look(3, 200, organizationId)
      assert.deepEqual(requests.map(({ status, userId }) => [status, userId !== '']).sort(), [
        [200, true],
        [400, true],
        [401, false],
      ])
      const rows = await world.app.store.jobs.list({ kind: 'directory.requests', limit: 1_000 })
      assert.ok(!JSON.stringify(rows).includes('correct horse'))
      assert.ok(rows.every(({ id }) => !id.includes('nowhere')))
    })

    test('is shown to nobody but administrators of the organization', async () => {
      const organizationId = await world.addOrganization('Theirs')
      const owner = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      await world.call(getDirectorySync, { organizationId }, owner.request)
      const others = [
        await world.addMachine({ organizationId, organizationRoles: ['ORG_DIRECTORY_SYNC'] }),
        await world.addMachine({ organizationId, organizationRoles: ['ORG_USER_MANAGER'] }),
        await world.addMachine({ organizationRoles: ['ORG_OWNER'] }),
      ]
      for (const { request } of others) {
        const refused = world.call(getDirectorySync, { organizationId }, request)
        await assert.rejects(refused, { code: 'access.forbidden' })
      }
    })
  })
}
