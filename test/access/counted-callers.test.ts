/** Whose share a request uses: its caller's, whichever door it comes through, once whoever serves it knows who that is. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { currentOwners } from '../../src/access/current-caller.ts'
import { appointMember } from '../../src/features/administrators/index.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import { type Instant, systemClock } from '../../src/kernel/instant.ts'
import { allowAt, allowHere, CLIENT, metadataOf, openWeb } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { openAgent } from '../support/mcp-agent.ts'
import { signedIn } from '../support/openid-pages.ts'
import { type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { newUser } from '../support/scim.ts'

const ON = { mcpServer: { enabled: true }, clientIdMetadataDocuments: { enabled: true, allowedDomains: [] } }

for (const engine of engines) {
  suite(`what a request uses on ${engine.name}`, () => {
    const web = openWeb()
    /** Those who were counted, whenever anything asked for the time. */
    const seen = new Set<string>()
    const clock = (): Instant => {
      seen.add(currentOwners().join(' '))
      return systemClock()
    }
    let world: OpenIdWorld
    let adaId: string

    before(async () => {
      world = await openOpenIdWorld({ engine, clock, fetchOutside: web.fetchOutside })
      adaId = await world.addPerson('ada')
      await world.store.write(world.origin(), (work) =>
        appointMember(work, {
          scope: { level: 'instance', id: world.instanceId },
          userId: adaId,
          roles: ['IAM_OWNER'],
        }),
      )
      web.publish(CLIENT, metadataOf(CLIENT))
      await allowHere(world, ON)
      await allowAt(world, await apiProjectId(world.app), { clientIdMetadataDocuments: true })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    beforeEach(() => seen.clear())

    const isCounted = (userId: string) => seen.has(`${world.defaultOrganizationId} ${userId}`)

    test('counts for the machine of a directory', async () => {
      const { userId, request } = await world.addMachine({ organizationRoles: ['ORG_DIRECTORY_SYNC'] })
      const body = JSON.stringify(newUser('grace', { password: PASSWORD }))
      const headers = { 'content-type': 'application/scim+json', authorization: `Bearer ${request.bearer}` }
      const url = `${world.url}/scim/v2/${world.defaultOrganizationId}/Users`
      seen.clear()
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 201)
      assert.ok(isCounted(userId), [...seen].join())
    })

    test('counts for the person who is signed in on a page', async () => {
      const browser = await signedIn(world, 'ada')
      seen.clear()
      await browser.open(`${world.url}/ui/account`)
      assert.ok(isCounted(adaId), [...seen].join())
    })

    test('counts for the person whose agent calls a tool', async () => {
      const agent = openAgent(world, { name: 'ada', clientId: CLIENT })
      await agent.connect()
      seen.clear()
      await agent.call('list_users', {})
      assert.ok(isCounted(adaId), [...seen].join())
      await agent.close()
    })

    test('counts for a place in the network while nobody is known', async () => {
      await (await fetch(`${world.url}/ui/login`)).arrayBuffer()
      const headers = { authorization: 'Bearer invented' }
      await (await fetch(`${world.url}/scim/v2/${world.defaultOrganizationId}/Users`, { headers })).arrayBuffer()
      assert.deepEqual(
        [...seen].filter((one) => one !== ''),
        ['127.0.0.1'],
      )
    })
  })
}
