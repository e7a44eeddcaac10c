/** Whose URIs of resources are: an organization has proven the domain of its own, and an owner of the instance decides about all. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { resources } from '../../src/features/resources/index.ts'
import { spellingsOf } from '../../src/kernel/resource-key.ts'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { proveDomain } from '../support/proven-domain.ts'
import { resource, setResources } from '../support/resources.ts'
import { isRefused } from '../support/small-world.ts'

const NOT_PROVEN = 'resource.host_not_proven'
const FIRST = 'resources[0].uri'

for (const engine of engines) {
  suite(`hosts of resources on ${engine.name}`, () => {
    let world: OpenIdWorld
    let count = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** An organization with proven domains, a project and an owner who sets its resources. */
    const addTenant = async (...domains: readonly string[]) => {
      const v2 = OrganizationService.method
      const { organizationId } = await world.call(v2.addOrganization, { name: `Tenant ${++count}` }, world.owner)
      for (const domain of domains) await proveDomain(world, organizationId, domain)
      const projectId = await world.addProject({ organizationId })
      const { request } = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const set = (...uris: readonly string[]) => {
        const { setProjectResources } = ProjectService.method
        return world.call(setProjectResources, { projectId, resources: uris.map((uri) => resource(uri)) }, request)
      }
      return { organizationId, projectId, set }
    }

    test('an organization cannot take a URI on a host that it has not proven', async () => {
      const tenant = await addTenant('tenant.example')
      for (const uri of [
        'https://next.corp.example/mcp',
        'https://corp.example/',
        'https://corp.example./mcp',
        'https://nottenant.example/mcp',
        'https://tenant.example.corp.example/mcp',
        'https://example/mcp',
        'https://203.0.113.7/mcp',
        // Nobody can prove that these are theirs, and everybody has them.
        'http://localhost:3000/mcp',
        'http://127.0.0.1:3000/mcp',
      ]) {
        await isRefused(tenant.set(uri), NOT_PROVEN, FIRST)
      }
      await isRefused(tenant.set('https://tenant.example/mcp', 'https://corp.example/'), NOT_PROVEN, 'resources[1].uri')
    })

    test('an organization names resources in its own domain, and those who have proven a domain below it name theirs', async () => {
      const tenant = await addTenant('own.example')
      const below = await addTenant('below.own.example')
      await tenant.set('https://own.example/mcp', 'https://api.own.example:8443/mcp')
      await isRefused(tenant.set('https://mcp.below.own.example/'), NOT_PROVEN, FIRST)
      await below.set('https://mcp.below.own.example/')
      await isRefused(below.set('https://own.example/other'), NOT_PROVEN, FIRST)
    })

    test('the domain that an organization has by its name is no proof', async () => {
      const { organizationId, set } = await addTenant()
      const { domains } = await world.call(
        OrganizationService.method.listOrganizationDomains,
        { organizationId },
        world.owner,
      )
      for (const { domain } of domains) await isRefused(set(`https://${domain}/mcp`), NOT_PROVEN, FIRST)
    })

    test('an owner of the instance sets any, and the organization keeps what is there', async () => {
      const tenant = await addTenant()
      const uris = ['https://kept.example/mcp', 'http://localhost:4000/mcp']
      await setResources(world, tenant.projectId, ...uris.map((uri) => resource(uri)))
      await tenant.set(...uris)
      await isRefused(tenant.set(...uris, 'https://more.example/mcp'), NOT_PROVEN, 'resources[2].uri')
      await tenant.set('https://kept.example/mcp')
      // Left out, it is like any other.
      await isRefused(tenant.set(...uris), NOT_PROVEN, 'resources[1].uri')
    })

    test('a manager of every organization is no owner of the instance', async () => {
      const { projectId } = await addTenant()
      const { request } = await world.addMachine({ instanceRoles: ['IAM_ORG_MANAGER'] })
      const given = { projectId, resources: [resource('https://managed.example/mcp')] }
      await isRefused(world.call(ProjectService.method.setProjectResources, given, request), NOT_PROVEN, FIRST)
    })

    test('another spelling of a URI that is taken is taken, too', async () => {
      const [first, second] = [await addTenant('spelled.example'), await addTenant()]
      await first.set('https://spelled.example/mcp', 'https://mcp.spelled.example')
      for (const uri of [
        'https://spelled.example/mcp/',
        'https://spelled.example./mcp',
        'https://spelled.example./mcp/',
        'https://mcp.spelled.example/',
        'https://mcp.spelled.example./',
      ]) {
        await isRefused(setResources(world, second.projectId, resource(uri)), 'resource.uri_taken')
      }
      await isRefused(first.set('https://spelled.example/both', 'https://spelled.example/both/'), 'resource.invalid')
      // A project can change the spelling of its own.
      await first.set('https://spelled.example/mcp/')
      assert.equal((await world.store.get(resources, first.projectId))?.state.resources.length, 1)
    })
  })
}

test('a URI has four spellings, two with a slash at the end and two with the dot of the root', () => {
  const all = [
    'https://a.example:1/mcp',
    'https://a.example:1/mcp/',
    'https://a.example.:1/mcp',
    'https://a.example.:1/mcp/',
  ]
  for (const uri of all) assert.deepEqual(spellingsOf(uri), all)
  assert.deepEqual(new Set(spellingsOf('https://a.example/')), new Set(['https://a.example', 'https://a.example.']))
})
