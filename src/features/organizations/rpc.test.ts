import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import { OrgState } from '../../../contract/gen/signet/org/v1/org_pb.ts'
import { DomainFieldName, DomainValidationType } from '../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationState } from '../../../contract/gen/signet/org/v2/org_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { OrganizationFieldName } from '../../../contract/gen/signet/org/v2/query_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { jobsOf, openWorld, type World } from '../../../test/support/world.ts'
import { memberships } from '../memberships/index.ts'
import { users } from '../users/index.ts'
import { organizations } from './index.ts'

const v1 = ManagementService.method
const v2 = OrganizationService.method

async function add(world: World, name: string): Promise<string> {
  return (await world.call(v2.addOrganization, { name }, world.owner)).organizationId
}

async function names(world: World, queries: unknown[], request = world.owner) {
  const list = await world.call(
    v2.listOrganizations,
    { queries: queries as never[], sortingColumn: OrganizationFieldName.NAME, query: { asc: true } },
    request,
  )
  assert.equal(Number(list.details?.totalResult), list.result.length)
  return list.result.map(({ name }) => name)
}

function nameQuery(name: string, method: TextQueryMethod) {
  return { query: { case: 'nameQuery', value: { name, method } } }
}
function domainQuery(domain: string, method: TextQueryMethod) {
  return {
    query: { case: 'domainQuery', value: { domain, method } },
  }
}

async function prove(world: World, organizationId: string, domain: string, request = world.owner) {
  await world.call(v2.addOrganizationDomain, { organizationId, domain }, request)
  const type = DomainValidationType.DNS
  await world.call(v2.generateOrganizationDomainValidation, { organizationId, domain, type }, request)
  world.provenDomains.add(domain)
  return world.call(v2.verifyOrganizationDomain, { organizationId, domain }, request)
}

for (const engine of bothEngines) {
  suite(`organizations on ${engine.name}`, () => {
    test('are added with an id of choice, and owned by the users that are named, else by the caller', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const machine = await world.addMachine()
      const admins = [{ userType: { case: 'userId' as const, value: machine.userId }, roles: [] }]
      const added = await world.call(v2.addOrganization, { name: 'ACME', organizationId: 'acme', admins }, world.owner)
      assert.equal(added.organizationId, 'acme')
      assert.equal(added.details?.resourceOwner, 'acme')
      const { org } = await world.call(v1.getMyOrg, {}, { ...machine.request, organizationId: 'acme' })
      assert.equal(org?.name, 'ACME')
      assert.equal(org?.state, OrgState.ACTIVE)
      const { id, details } = await world.call(v1.addOrg, { name: 'Own' }, world.owner)
      const members = await world.store.find(memberships, { where: { field: 'scopeId', equals: id }, limit: 10 })
      assert.deepEqual(
        members.documents.map(({ state }) => state.status === 'member' && [state.userId, state.roles]),
        [[world.machineAdministratorId, ['ORG_OWNER']]],
      )
      assert.equal(Number(details?.sequence), (await world.store.get(organizations, id))?.sequence)
      const [last] = await world.store.events({ from: Number(details?.sequence) - 1, limit: 10 })
      assert.deepEqual([last?.type, last?.sequence], ['organization.domain_verified.v1', Number(details?.sequence)])
    })

    test('all or nothing: an unknown administrator leaves no organization behind', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const admin = (value: string, roles: string[]) => [{ userType: { case: 'userId' as const, value }, roles }]
      const message = { name: 'ACME', organizationId: 'acme' }
      await assert.rejects(world.call(v2.addOrganization, { ...message, admins: admin('no', []) }, world.owner), {
        code: 'membership.user_not_found',
      })
      const wrong = admin(world.administratorId, ['IAM_OWNER'])
      await assert.rejects(world.call(v2.addOrganization, { ...message, admins: wrong }, world.owner), {
        code: 'membership.roles_invalid',
      })
      assert.deepEqual(await names(world, []), ['Signet'])
      await world.call(v2.addOrganization, message, world.owner)
    })

    test('names and ids are taken whatever the case, permanently for ids, until removal for names', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      await world.call(v2.addOrganization, { name: 'ACME', organizationId: 'acme' }, world.owner)
      const again = (name: string, organizationId?: string) =>
        world.call(v2.addOrganization, { name, ...(organizationId && { organizationId }) }, world.owner)
      await assert.rejects(again('ａcme'), { code: 'organization.name_taken', kind: 'conflict' })
      await assert.rejects(again('Other', 'acme'), { code: 'organization.id_taken', kind: 'conflict' })
      await assert.rejects(again('Other', world.instanceId), { code: 'organization.id_taken' })
      await assert.rejects(again('Other', 'with space'), { code: 'organization.id_invalid', kind: 'invalid' })
      await world.call(v2.deleteOrganization, { organizationId: 'acme' }, world.owner)
      await assert.rejects(again('Other', 'acme'), { code: 'organization.id_taken' })
      await again('acme')
    })

    test('are found by name, domain, state, id and as the default one, sorted and in pages', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const [alpha, beta] = [await add(world, 'Alpha'), await add(world, 'beta')]
      await add(world, 'Gamma')
      await prove(world, alpha, 'alpha.example')
      await prove(world, alpha, 'www.other.example')
      await world.call(v2.deactivateOrganization, { organizationId: beta }, world.owner)
      assert.deepEqual(await names(world, []), ['Alpha', 'beta', 'Gamma', 'Signet'])
      assert.deepEqual(await names(world, [nameQuery('alpha', TextQueryMethod.EQUALS)]), [])
      assert.deepEqual(await names(world, [nameQuery('alpha', TextQueryMethod.EQUALS_IGNORE_CASE)]), ['Alpha'])
      assert.deepEqual(await names(world, [nameQuery('a', TextQueryMethod.ENDS_WITH)]), ['Alpha', 'beta', 'Gamma'])
      assert.deepEqual(await names(world, [nameQuery('AM', TextQueryMethod.CONTAINS_IGNORE_CASE)]), ['Gamma'])
      assert.deepEqual(await names(world, [domainQuery('Alpha.example', TextQueryMethod.EQUALS)]), ['Alpha'])
      assert.deepEqual(await names(world, [domainQuery('lpha.example', TextQueryMethod.EQUALS)]), [])
      assert.deepEqual(await names(world, [domainQuery('www.', TextQueryMethod.STARTS_WITH)]), ['Alpha'])
      assert.deepEqual(await names(world, [domainQuery('other', TextQueryMethod.STARTS_WITH)]), [])
      assert.deepEqual(await names(world, [domainQuery('other.example', TextQueryMethod.ENDS_WITH)]), ['Alpha'])
      assert.deepEqual(await names(world, [domainQuery('exam', TextQueryMethod.CONTAINS)]), ['Alpha'])
      assert.deepEqual(await names(world, [domainQuery('example\nwww', TextQueryMethod.CONTAINS)]), [])
      const state = (value: OrganizationState) => ({ query: { case: 'stateQuery', value: { state: value } } })
      assert.deepEqual(await names(world, [state(OrganizationState.INACTIVE)]), ['beta'])
      assert.deepEqual(await names(world, [state(OrganizationState.REMOVED)]), [])
      assert.deepEqual(await names(world, [{ query: { case: 'idQuery', value: { id: beta } } }]), ['beta'])
      assert.deepEqual(await names(world, [{ query: { case: 'defaultQuery', value: {} } }]), ['Signet'])
      const page = await world.call(
        v2.listOrganizations,
        { query: { limit: 2, offset: 1n }, sortingColumn: OrganizationFieldName.NAME },
        world.owner,
      )
      assert.equal(page.details?.totalResult, 4n)
      assert.deepEqual(
        page.result.map(({ name }) => name),
        ['Gamma', 'beta'],
      )
      assert.equal(page.sortingColumn, OrganizationFieldName.NAME)
    })

    test('are shown only to those who may see them, and touched only by those who may touch them', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const [mine, other] = [await add(world, 'Mine'), await add(world, 'Other')]
      const owner = await world.addMachine({ organizationId: mine, organizationRoles: ['ORG_OWNER'] })
      const viewer = await world.addMachine({ organizationId: mine, organizationRoles: ['ORG_OWNER_VIEWER'] })
      assert.deepEqual(await names(world, [], owner.request), ['Mine'])
      assert.deepEqual(await names(world, [], viewer.request), ['Mine'])
      const rename = (organizationId: string, request: typeof owner.request) =>
        world.call(v2.updateOrganization, { organizationId, name: 'New' }, request)
      await assert.rejects(rename(other, owner.request), { kind: 'forbidden' })
      await assert.rejects(rename('no-such', owner.request), { kind: 'forbidden' })
      await assert.rejects(rename(mine, viewer.request), { kind: 'forbidden' })
      await assert.rejects(rename('no-such', world.owner), { code: 'organization.not_found' })
      await assert.rejects(rename(world.instanceId, owner.request), { kind: 'forbidden' })
      await assert.rejects(world.call(v2.addOrganization, { name: 'Third' }, owner.request), { kind: 'forbidden' })
      await rename(mine, owner.request)
      assert.deepEqual(await names(world, [], owner.request), ['New'])
    })

    test('a caller without any role sees an empty list', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const organizationId = await add(world, 'Mine')
      const plain = await world.addMachine({ organizationId })
      assert.deepEqual(await names(world, [], plain.request), [])
      await assert.rejects(world.call(v2.listOrganizations, {}, {}), { kind: 'unauthenticated' })
    })

    test('renaming to the same name and removing twice succeed, and removing an unknown one says nothing', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const organizationId = await add(world, 'ACME')
      const { changeDate } = await world.call(v2.updateOrganization, { organizationId, name: 'ACME' }, world.owner)
      assert.ok(changeDate)
      for (const attempt of ['first', 'second']) {
        const { deletionDate } = await world.call(v2.deleteOrganization, { organizationId }, world.owner)
        assert.ok(deletionDate, attempt)
      }
      assert.equal((await world.store.jobs.count()).waiting, 1, 'what it owned is removed once')
      const never = await world.call(v2.deleteOrganization, { organizationId: 'never' }, world.owner)
      assert.equal(never.deletionDate, undefined)
    })

    test('deactivated, their users have no access, until they are reactivated', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const organizationId = await add(world, 'ACME')
      const owner = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const getMine = () => world.call(v1.getMyOrg, {}, owner.request)
      await getMine()
      await world.call(v1.deactivateOrg, {}, owner.request)
      await assert.rejects(getMine(), { kind: 'unauthenticated' })
      await assert.rejects(world.call(v2.deactivateOrganization, { organizationId }, world.owner), {
        code: 'organization.not_active',
      })
      await world.call(v1.reactivateOrg, {}, { ...world.owner, organizationId })
      await getMine()
      await assert.rejects(world.call(v2.activateOrganization, { organizationId }, world.owner), {
        code: 'organization.not_inactive',
      })
    })

    test('removed, they are gone at once with every token, and a job removes what they owned', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const organizationId = await add(world, 'ACME')
      const owner = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const member = await world.addMachine()
      const other = await world.addMachine({ organizationId })
      await world.call(
        v1.addOrgMember,
        { userId: member.userId, roles: ['ORG_OWNER'] },
        { ...world.owner, organizationId },
      )
      await world.call(v1.removeOrg, {}, owner.request)
      await assert.rejects(world.call(v1.getMyOrg, {}, owner.request), { kind: 'unauthenticated' })
      await assert.rejects(world.call(v1.getMyOrg, {}, { ...member.request, organizationId }), { kind: 'forbidden' })
      await assert.rejects(world.call(v1.getMyOrg, {}, { ...world.owner, organizationId }), { kind: 'not_found' })
      assert.deepEqual(await names(world, []), ['Signet'])

      const job = { id: 'j', data: { organizationId }, attempts: 0, signal: new AbortController().signal }
      await jobsOf(world.app)['organization.removed']?.({ ...job, save: async () => {} })
      for (const { userId } of [owner, other]) assert.equal(await world.store.get(users, userId), undefined)
      const left = await world.store.find(memberships, {
        where: { field: 'scopeId', equals: organizationId },
        limit: 9,
      })
      assert.equal(left.total, 0)
      assert.equal(
        (await world.store.find(memberships, { where: { field: 'userId', equals: owner.userId }, limit: 9 })).total,
        0,
      )
    })

    test('the default one stays', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const organizationId = world.defaultOrganizationId
      for (const method of [v2.deleteOrganization, v2.deactivateOrganization] as const) {
        await assert.rejects(world.call(method as typeof v2.deleteOrganization, { organizationId }, world.owner), {
          code: 'organization.is_default',
        })
      }
    })

    test('prove their domains, which then belong to no other organization', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const [one, two] = [await add(world, 'One'), await add(world, 'Two')]
      await world.call(v2.addOrganizationDomain, { organizationId: one, domain: 'shop.example' }, world.owner)
      const verify = (organizationId: string) =>
        world.call(v2.verifyOrganizationDomain, { organizationId, domain: 'shop.example' }, world.owner)
      await assert.rejects(verify(one), { code: 'organization.domain_validation_missing' })
      const challenge = await world.call(
        v2.generateOrganizationDomainValidation,
        { organizationId: one, domain: 'Shop.example', type: DomainValidationType.HTTP },
        world.owner,
      )
      assert.equal(challenge.url, `https://shop.example/.well-known/signet-challenge/${challenge.token}`)
      await assert.rejects(verify(one), { code: 'organization.domain_not_proven' })
      world.provenDomains.add('shop.example')
      await verify(one)
      await assert.rejects(prove(world, two, 'shop.example'), { code: 'organization.domain_taken', kind: 'conflict' })
      await world.call(v2.addOrganizationDomain, { organizationId: one, domain: 'apple.example' }, world.owner)
      const list = await world.call(
        v2.listOrganizationDomains,
        { organizationId: one, sortingColumn: DomainFieldName.NAME, pagination: { asc: true } },
        world.owner,
      )
      assert.deepEqual(
        list.domains.map(({ domain, isVerified, isPrimary, validationType }) => [
          domain,
          isVerified,
          isPrimary,
          validationType,
        ]),
        [
          ['apple.example', false, false, DomainValidationType.UNSPECIFIED],
          ['one.localhost', true, true, DomainValidationType.UNSPECIFIED],
          ['shop.example', true, false, DomainValidationType.HTTP],
        ],
      )
      assert.equal(list.pagination?.totalResult, 3n)
      await world.call(v2.deleteOrganizationDomain, { organizationId: one, domain: 'shop.example' }, world.owner)
      await verify(two)
      await assert.rejects(
        world.call(v2.addOrganizationDomain, { organizationId: one, domain: '127.0.0.1' }, world.owner),
        (error: { violations: { field: string }[] }) => error.violations[0]?.field === 'domain',
      )
    })
  })
}
