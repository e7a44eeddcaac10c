/** Administrators see and end the access of clients that nobody prepared, and approve such clients for an organization. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AgentAccessService } from '../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import { AgentClientKind } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import {
  allowAt,
  allowHere,
  CALLBACK,
  CLIENT,
  metadataOf,
  openRequest,
  openWeb,
  redeemCode,
  tokensFor,
} from '../support/agents.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { introspect } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const v2 = AgentAccessService.method

for (const engine of engines) {
  suite(`agents of an organization on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let organizationId: string
    let api: Application
    let adaId: string
    let applicationId: string
    const ask = { resource: MCP, scope: 'tools:read' }

    before(async () => {
      world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
      organizationId = world.defaultOrganizationId
      adaId = await world.addPerson('ada')
      await world.addPerson('bo')
      const projectId = await world.addProject()
      api = await world.addApi(projectId)
      await setResources(world, projectId, resource(MCP))
      web.publish(CLIENT, metadataOf(CLIENT))
      await allowHere(world, { clientIdMetadataDocuments: { enabled: true } })
      await allowAt(world, projectId, { clientIdMetadataDocuments: true })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const isActive = async (token: string) => (await introspect(world, api, token)).body.active
    const listed = async () => (await world.call(v2.listAgentAccess, { organizationId }, world.owner)).access
    const approvals = async () => (await world.call(v2.listAgentApprovals, { organizationId }, world.owner)).approvals
    const approve = (scopes = ['tools:read'], more = {}) =>
      world.call(v2.approveAgent, { organizationId, applicationId, resource: MCP, scopes, ...more }, world.owner)
    const withdraw = () =>
      world.call(v2.withdrawAgentApproval, { organizationId, applicationId, resource: MCP }, world.owner)
    /** Whether a user is asked; with the token that the client gets otherwise. */
    const unasked = async (name: string, more = {}) => {
      const { page } = await openRequest(world, CLIENT, { ...ask, ...more }, { name })
      if (!page.url.startsWith(CALLBACK)) return undefined
      return (await redeemCode(world, CLIENT, page)).body.access_token as string
    }

    test('administrators see who allowed what, and end it for a user', async () => {
      const { access_token: token } = await tokensFor(world, CLIENT, ask)
      const [own] = await listed()
      assert.deepEqual(
        [own?.userId, own?.userName, own?.clientId, own?.name, own?.resource, own?.scopes],
        [adaId, 'ada', CLIENT, 'Agent (agent.example)', MCP, ['tools:read']],
      )
      assert.deepEqual(
        [own?.organizationId, own?.projectId, own?.agentClientKind],
        [organizationId, api.projectId, AgentClientKind.METADATA_DOCUMENT],
      )
      applicationId = own?.applicationId ?? ''
      await world.call(v2.removeAgentAccess, { userId: adaId, applicationId }, world.owner)
      assert.equal(await isActive(token), false)
      assert.deepEqual(await listed(), [])
      assert.equal(await unasked('ada'), undefined)
    })

    test('an approved client is not asked about, for what is approved, until that is withdrawn', async () => {
      assert.equal(await unasked('bo'), undefined)
      await approve()
      const token = (await unasked('bo')) ?? assert.fail('the user was asked')
      assert.equal(await isActive(token), true)
      assert.equal(await unasked('bo', { scope: 'tools:read tools:write' }), undefined)
      assert.equal(await unasked('bo', { prompt: 'consent' }), undefined)
      assert.deepEqual(
        (await approvals()).map(({ clientId, scopes }) => [clientId, scopes]),
        [[CLIENT, ['tools:read']]],
      )
      const { access_token: own } = await tokensFor(world, CLIENT, { ...ask, prompt: 'consent' })
      await withdraw()
      assert.equal(await isActive(token), false)
      assert.equal(await isActive(own), true, 'ada allowed it herself')
      assert.equal(await unasked('bo'), undefined)
      assert.deepEqual(await approvals(), [])
      await withdraw()
    })

    test('what ended with an approval does not count again when the client is approved anew', async () => {
      await approve()
      const token = (await unasked('bo')) ?? assert.fail('the user was asked')
      await approve(['tools:write'])
      assert.equal(await isActive(token), true, 'more was approved')
      await withdraw()
      await approve()
      assert.equal(await isActive(token), false)
      const next = (await unasked('bo')) ?? assert.fail('the user was asked')
      assert.equal(await isActive(next), true)
      await withdraw()
    })

    test('approvals are for clients that nobody prepared, for their resources and their scopes', async () => {
      await assert.rejects(approve(['tools:delete']), /scope is none of the resource/)
      await assert.rejects(approve(['tools:read'], { resource: 'https://other.example/mcp' }), /nobody prepared/)
      await assert.rejects(approve(['tools:read'], { applicationId: api.id }), /nobody prepared/)
      assert.deepEqual(await approvals(), [])
    })

    test('without an organization, lists show all those in which the caller may read', async () => {
      await tokensFor(world, CLIENT, ask)
      await approve()
      const other = await world.call(OrganizationService.method.addOrganization, { name: 'Other' }, world.owner)
      const roles = { organizationRoles: ['ORG_OWNER'] }
      const { request: here } = await world.addMachine(roles)
      const { request: elsewhere } = await world.addMachine({ ...roles, organizationId: other.organizationId })
      const seenBy = async (caller: CallOptions) => {
        const { access } = await world.call(v2.listAgentAccess, {}, caller)
        const { approvals } = await world.call(v2.listAgentApprovals, {}, caller)
        return { seesAda: access.some(({ userId }) => userId === adaId), names: approvals.map(({ name }) => name) }
      }
      const all = { seesAda: true, names: ['Agent (agent.example)'] }
      assert.deepEqual(await seenBy(world.owner), all)
      assert.deepEqual(await seenBy(here), all)
      assert.deepEqual(await seenBy(elsewhere), { seesAda: false, names: [] })
      await assert.rejects(world.call(v2.listAgentAccess, { organizationId }, elsewhere), /permission/i)
      await withdraw()
      await world.call(v2.removeAgentAccess, { userId: adaId, applicationId }, world.owner)
    })

    test('the organization does not decide for users who have more rights than its owner', async () => {
      const userId = await world.addPerson('root')
      await approve()
      const token = (await unasked('root')) ?? assert.fail('the user was asked')
      await world.call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)
      assert.equal(await isActive(token), false)
      assert.equal(await unasked('root'), undefined)
      await withdraw()
    })

    test('an approval counts for those whom its giver covers, also when they are promoted later', async () => {
      const { request: manager } = await world.addMachine({ organizationRoles: ['ORG_SETTINGS_MANAGER'] })
      const userId = await world.addPerson('chief')
      const approveAs = (caller: CallOptions, scopes = ['tools:read']) =>
        world.call(v2.approveAgent, { organizationId, applicationId, resource: MCP, scopes }, caller)
      await approveAs(manager)
      const token = (await unasked('chief')) ?? assert.fail('the user was asked')
      const ofPeer = (await unasked('bo')) ?? assert.fail('the user was asked')
      const member = { userId, resource: { resource: { case: 'organizationId', value: organizationId } } } as const
      const { createAdministrator } = InternalPermissionService.method
      await world.call(createAdministrator, { ...member, roles: ['ORG_OWNER'] }, world.owner)
      assert.deepEqual([await isActive(token), await isActive(ofPeer)], [false, true])
      assert.equal(await unasked('chief'), undefined)
      await approveAs(world.owner, ['tools:write'])
      assert.equal(await unasked('chief'), undefined, 'an owner who approves more has not approved the rest')
      await approveAs(world.owner, ['tools:read', 'tools:write'])
      assert.notEqual(await unasked('chief'), undefined)
      await withdraw()
    })
  })
}
