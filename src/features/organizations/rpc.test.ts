import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import { OrgState } from '../../../contract/gen/signet/org/v1/org_pb.ts'
import { DomainFieldName, DomainValidationType } from '../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationState } from '../../../contract/gen/signet/org/v2/org_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { OrganizationFieldName } from '../../../contract/gen/signet/org/v2/query_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type House, openHouse } from '../../../test/support/in-memory.ts'
import { memberships } from '../memberships/index.ts'
import { users } from '../users/index.ts'

const v1 = ManagementService.method
const v2 = OrganizationService.method

async function add(house: House, name: string): Promise<string> {
  return (await house.call(v2.addOrganization, { name }, house.owner)).organizationId
}

async function names(house: House, queries: unknown[], request = house.owner) {
  const list = await house.call(
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

async function prove(house: House, organizationId: string, domain: string, request = house.owner) {
  await house.call(v2.addOrganizationDomain, { organizationId, domain }, request)
  const type = DomainValidationType.DNS
  await house.call(v2.generateOrganizationDomainValidation, { organizationId, domain, type }, request)
  house.provenDomains.add(domain)
  return house.call(v2.verifyOrganizationDomain, { organizationId, domain }, request)
}

for (const engine of engines) {
  suite(`organizations on ${engine.name}`, () => {
    test('are added with an id of choice, and owned by whoever is named, else by the caller', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const machine = await house.addMachine()
      const admins = [{ userType: { case: 'userId' as const, value: machine.userId }, roles: [] }]
      const added = await house.call(v2.addOrganization, { name: 'ACME', organizationId: 'acme', admins }, house.owner)
      assert.equal(added.organizationId, 'acme')
      assert.equal(added.details?.resourceOwner, 'acme')
      const { org } = await house.call(v1.getMyOrg, {}, { ...machine.request, organizationId: 'acme' })
      assert.equal(org?.name, 'ACME')
      assert.equal(org?.state, OrgState.ACTIVE)
      const { id, details } = await house.call(v1.addOrg, { name: 'Own' }, house.owner)
      const members = await house.store.find(memberships, { where: { field: 'scopeId', equals: id }, limit: 10 })
      assert.deepEqual(
        members.documents.map(({ state }) => state.status === 'member' && [state.userId, state.roles]),
        [[house.machineAdministratorId, ['ORG_OWNER']]],
      )
      assert.equal(Number(details?.sequence), members.sequence)
    })

    test('all or nothing: an unknown administrator leaves no organization behind', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const admin = (value: string, roles: string[]) => [{ userType: { case: 'userId' as const, value }, roles }]
      const message = { name: 'ACME', organizationId: 'acme' }
      await assert.rejects(house.call(v2.addOrganization, { ...message, admins: admin('no', []) }, house.owner), {
        code: 'membership.user_not_found',
      })
      const wrong = admin(house.administratorId, ['IAM_OWNER'])
      await assert.rejects(house.call(v2.addOrganization, { ...message, admins: wrong }, house.owner), {
        code: 'membership.roles_invalid',
      })
      assert.deepEqual(await names(house, []), ['Signet'])
      await house.call(v2.addOrganization, message, house.owner)
    })

    test('names and ids are taken whatever the case, for ever for ids, until removal for names', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      await house.call(v2.addOrganization, { name: 'ACME', organizationId: 'acme' }, house.owner)
      const again = (name: string, organizationId?: string) =>
        house.call(v2.addOrganization, { name, ...(organizationId && { organizationId }) }, house.owner)
      await assert.rejects(again('ａcme'), { code: 'organization.name_taken', kind: 'conflict' })
      await assert.rejects(again('Other', 'acme'), { code: 'organization.id_taken', kind: 'conflict' })
      await assert.rejects(again('Other', house.instanceId), { code: 'organization.id_taken' })
      await assert.rejects(again('Other', 'with space'), { code: 'organization.id_invalid', kind: 'invalid' })
      await house.call(v2.deleteOrganization, { organizationId: 'acme' }, house.owner)
      await assert.rejects(again('Other', 'acme'), { code: 'organization.id_taken' })
      await again('acme')
    })

    test('are found by name, domain, state, id and as the default one, sorted and in pages', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const [alpha, beta] = [await add(house, 'Alpha'), await add(house, 'beta')]
      await add(house, 'Gamma')
      await prove(house, alpha, 'alpha.example')
      await prove(house, alpha, 'www.other.example')
      await house.call(v2.deactivateOrganization, { organizationId: beta }, house.owner)
      assert.deepEqual(await names(house, []), ['Alpha', 'beta', 'Gamma', 'Signet'])
      assert.deepEqual(await names(house, [nameQuery('alpha', TextQueryMethod.EQUALS)]), [])
      assert.deepEqual(await names(house, [nameQuery('alpha', TextQueryMethod.EQUALS_IGNORE_CASE)]), ['Alpha'])
      assert.deepEqual(await names(house, [nameQuery('a', TextQueryMethod.ENDS_WITH)]), ['Alpha', 'beta', 'Gamma'])
      assert.deepEqual(await names(house, [nameQuery('AM', TextQueryMethod.CONTAINS_IGNORE_CASE)]), ['Gamma'])
      assert.deepEqual(await names(house, [domainQuery('Alpha.example', TextQueryMethod.EQUALS)]), ['Alpha'])
      assert.deepEqual(await names(house, [domainQuery('lpha.example', TextQueryMethod.EQUALS)]), [])
      assert.deepEqual(await names(house, [domainQuery('www.', TextQueryMethod.STARTS_WITH)]), ['Alpha'])
      assert.deepEqual(await names(house, [domainQuery('other', TextQueryMethod.STARTS_WITH)]), [])
      assert.deepEqual(await names(house, [domainQuery('other.example', TextQueryMethod.ENDS_WITH)]), ['Alpha'])
      assert.deepEqual(await names(house, [domainQuery('exam', TextQueryMethod.CONTAINS)]), ['Alpha'])
      assert.deepEqual(await names(house, [domainQuery('example\nwww', TextQueryMethod.CONTAINS)]), [])
      const state = (value: OrganizationState) => ({ query: { case: 'stateQuery', value: { state: value } } })
      assert.deepEqual(await names(house, [state(OrganizationState.INACTIVE)]), ['beta'])
      assert.deepEqual(await names(house, [state(OrganizationState.REMOVED)]), [])
      assert.deepEqual(await names(house, [{ query: { case: 'idQuery', value: { id: beta } } }]), ['beta'])
      assert.deepEqual(await names(house, [{ query: { case: 'defaultQuery', value: {} } }]), ['Signet'])
      const page = await house.call(
        v2.listOrganizations,
        { query: { limit: 2, offset: 1n }, sortingColumn: OrganizationFieldName.NAME },
        house.owner,
      )
      assert.equal(page.details?.totalResult, 4n)
      assert.deepEqual(
        page.result.map(({ name }) => name),
        ['Gamma', 'beta'],
      )
      assert.equal(page.sortingColumn, OrganizationFieldName.NAME)
    })

    test('are shown only to those who may see them, and touched only by those who may touch them', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const [mine, other] = [await add(house, 'Mine'), await add(house, 'Other')]
      const owner = await house.addMachine({ organizationId: mine, organizationRoles: ['ORG_OWNER'] })
      const viewer = await house.addMachine({ organizationId: mine, organizationRoles: ['ORG_OWNER_VIEWER'] })
      const nobody = await house.addMachine({ organizationId: mine })
      assert.deepEqual(await names(house, [], owner.request), ['Mine'])
      assert.deepEqual(await names(house, [], viewer.request), ['Mine'])
      await assert.rejects(names(house, [], nobody.request), { kind: 'forbidden' })
      const rename = (organizationId: string, request: typeof owner.request) =>
        house.call(v2.updateOrganization, { organizationId, name: 'New' }, request)
      await assert.rejects(rename(other, owner.request), { kind: 'forbidden' })
      await assert.rejects(rename('no-such', owner.request), { kind: 'forbidden' })
      await assert.rejects(rename(mine, viewer.request), { kind: 'forbidden' })
      await assert.rejects(rename('no-such', house.owner), { code: 'organization.not_found' })
      await assert.rejects(rename(house.instanceId, owner.request), { kind: 'forbidden' })
      await assert.rejects(house.call(v2.addOrganization, { name: 'Third' }, owner.request), { kind: 'forbidden' })
      await rename(mine, owner.request)
      assert.deepEqual(await names(house, [], owner.request), ['New'])
    })

    test('deactivated, their users have no access, until they are reactivated', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const organizationId = await add(house, 'ACME')
      const owner = await house.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const getMine = () => house.call(v1.getMyOrg, {}, owner.request)
      await getMine()
      await house.call(v1.deactivateOrg, {}, owner.request)
      await assert.rejects(getMine(), { kind: 'unauthenticated' })
      await assert.rejects(house.call(v2.deactivateOrganization, { organizationId }, house.owner), {
        code: 'organization.not_active',
      })
      await house.call(v1.reactivateOrg, {}, { ...house.owner, organizationId })
      await getMine()
      await assert.rejects(house.call(v2.activateOrganization, { organizationId }, house.owner), {
        code: 'organization.not_inactive',
      })
    })

    test('removed, they are gone at once with every token, and a job removes what they owned', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const organizationId = await add(house, 'ACME')
      const owner = await house.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const guest = await house.addMachine()
      const other = await house.addMachine({ organizationId })
      await house.call(
        v1.addOrgMember,
        { userId: guest.userId, roles: ['ORG_OWNER'] },
        { ...house.owner, organizationId },
      )
      await house.call(v1.removeOrg, {}, owner.request)
      await assert.rejects(house.call(v1.getMyOrg, {}, owner.request), { kind: 'unauthenticated' })
      await assert.rejects(house.call(v1.getMyOrg, {}, { ...guest.request, organizationId }), { kind: 'forbidden' })
      await assert.rejects(house.call(v1.getMyOrg, {}, { ...house.owner, organizationId }), { kind: 'not_found' })
      assert.deepEqual(await names(house, []), ['Signet'])

      const signal = new AbortController().signal
      await house.jobs['organization.removed']?.({ id: 'j', data: { organizationId }, attempts: 0, signal })
      for (const { userId } of [owner, other]) assert.equal(await house.store.get(users, userId), undefined)
      const left = await house.store.find(memberships, {
        where: { field: 'scopeId', equals: organizationId },
        limit: 9,
      })
      assert.equal(left.total, 0)
      assert.equal(
        (await house.store.find(memberships, { where: { field: 'userId', equals: owner.userId }, limit: 9 })).total,
        0,
      )
    })

    test('the default one stays', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const organizationId = house.defaultOrganizationId
      for (const method of [v2.deleteOrganization, v2.deactivateOrganization] as const) {
        await assert.rejects(house.call(method as typeof v2.deleteOrganization, { organizationId }, house.owner), {
          code: 'organization.is_default',
        })
      }
    })

    test('prove their domains, which then belong to nobody else', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const [one, two] = [await add(house, 'One'), await add(house, 'Two')]
      await house.call(v2.addOrganizationDomain, { organizationId: one, domain: 'shop.example' }, house.owner)
      const verify = (organizationId: string) =>
        house.call(v2.verifyOrganizationDomain, { organizationId, domain: 'shop.example' }, house.owner)
      await assert.rejects(verify(one), { code: 'organization.domain_validation_missing' })
      const challenge = await house.call(
        v2.generateOrganizationDomainValidation,
        { organizationId: one, domain: 'Shop.example', type: DomainValidationType.HTTP },
        house.owner,
      )
      assert.equal(challenge.url, `https://shop.example/.well-known/signet-challenge/${challenge.token}`)
      await assert.rejects(verify(one), { code: 'organization.domain_not_proven' })
      house.provenDomains.add('shop.example')
      await verify(one)
      await assert.rejects(prove(house, two, 'shop.example'), { code: 'organization.domain_taken', kind: 'conflict' })
      await house.call(v2.addOrganizationDomain, { organizationId: one, domain: 'apple.example' }, house.owner)
      const list = await house.call(
        v2.listOrganizationDomains,
        { organizationId: one, sortingColumn: DomainFieldName.NAME, pagination: { asc: true } },
        house.owner,
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
          ['shop.example', true, true, DomainValidationType.HTTP],
        ],
      )
      assert.equal(list.pagination?.totalResult, 2n)
      await house.call(v2.deleteOrganizationDomain, { organizationId: one, domain: 'shop.example' }, house.owner)
      await verify(two)
      await assert.rejects(
        house.call(v2.addOrganizationDomain, { organizationId: one, domain: '127.0.0.1' }, house.owner),
        (error: { violations: { field: string }[] }) => error.violations[0]?.field === 'domain',
      )
    })
  })
}
