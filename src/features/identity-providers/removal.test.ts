/** What ends with a provider: links to accounts there; and what ends providers: the removal of their organization. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { IDENTITY_LINK_CLAIM } from '../identity-links/index.ts'
import { PROVIDER_NAME_CLAIM } from './documents.ts'
import { findProvider, identityProviders, providerSecrets } from './index.ts'

const v1 = ManagementService.method
const v2 = UserService.method
const client = { clientId: 'us', clientSecret: 'hush', issuer: 'https://login.example' }

for (const engine of bothEngines) {
  suite(`what ends with a provider on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const addProvider = async (organizationId = world.defaultOrganizationId) => {
      const request = { ...world.owner, organizationId }
      return (await world.call(v1.addOrgOIDCIDP, { name: `Provider ${++count}`, ...client }, request)).idpId
    }
    const addPerson = async (idpLinks: object[] = [], organizationId = world.defaultOrganizationId) => {
      const { userId } = await world.call(
        v2.addHumanUser,
        {
          organisation: { org: { case: 'orgId', value: organizationId } },
          profile: { firstName: 'Mini', lastName: 'Mouse' },
          email: { email: `mini${++count}@example.com`, verification: { case: 'isVerified', value: true } },
          idpLinks,
        } as object,
        world.owner,
      )
      return userId
    }
    const linksOf = async (userId: string) => (await world.call(v2.listIDPLinks, { userId }, world.owner)).result
    const link = (idpId: string, userId = `ext${++count}`) => ({ idpId, userId, userName: `${userId}@corp.example` })

    test('users are added with links to providers of their organization and of the instance', async () => {
      const own = await addProvider()
      const { idpId: shared } = await world.call(
        AdminService.method.addOIDCIDP,
        { name: 'Shared', ...client },
        world.owner,
      )
      const { organizationId: elsewhere } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Elsewhere' },
        world.owner,
      )
      const foreign = await addProvider(elsewhere)
      const [one, other] = [link(own), link(shared)]
      const userId = await addPerson([one, other])
      const found = (await linksOf(userId)).map(({ $typeName: _, ...rest }) => rest)
      assert.deepEqual(
        found.sort((a, b) => (a.idpId < b.idpId ? -1 : 1)),
        [one, other].sort((a, b) => (a.idpId < b.idpId ? -1 : 1)),
      )
      await isRefused(addPerson([link(foreign)]), 'user.identity_provider_not_found', 'idpLinks[0].idpId')
      await isRefused(addPerson([one]), 'identity_link.taken')
      // One account name at two providers means two accounts.
      await addPerson([{ ...one, idpId: shared }])
    })

    test('links are added, listed and removed one by one', async () => {
      const idpId = await addProvider()
      const [userId, second] = [await addPerson(), await addPerson()]
      const idpLink = link(idpId)
      const { details } = await world.call(v2.addIDPLink, { userId, idpLink }, world.owner)
      assert.equal(details?.resourceOwner, world.defaultOrganizationId)
      await isRefused(world.call(v2.addIDPLink, { userId, idpLink }, world.owner), 'identity_link.taken')
      await isRefused(world.call(v2.addIDPLink, { userId: second, idpLink }, world.owner), 'identity_link.taken')
      await isRefused(
        world.call(v2.addIDPLink, { userId, idpLink: link('nowhere') }, world.owner),
        'user.identity_provider_not_found',
        'idpLink.idpId',
      )
      await isRefused(
        world.call(v2.addIDPLink, { userId: world.machineAdministratorId, idpLink: link(idpId) }, world.owner),
        'identity_link.user_above_provider',
      )
      await isRefused(
        world.call(v2.addIDPLink, { userId: 'nobody', idpLink: link(idpId) }, world.owner),
        'user.not_found',
      )
      await isRefused(world.call(v2.addIDPLink, { userId }, world.owner), 'request.invalid', 'idpLink')
      const remove = { userId, idpId, linkedUserId: idpLink.userId }
      await isRefused(
        world.call(v2.removeIDPLink, { ...remove, userId: second }, world.owner),
        'identity_link.not_found',
      )
      await world.call(v2.removeIDPLink, remove, world.owner)
      await world.call(v2.addIDPLink, { userId: second, idpLink }, world.owner)
      assert.deepEqual([(await linksOf(userId)).length, (await linksOf(second)).length], [0, 1])
    })

    test('a caller cannot link an account to a user above them', async () => {
      const idpId = await addProvider()
      const { request } = await world.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
      const idpLink = link(idpId)
      await isRefused(world.call(v2.addIDPLink, { userId: world.administratorId, idpLink }, request), 'user.above_own')
      await world.call(v2.addIDPLink, { userId: await addPerson(), idpLink }, request)
      // Who has no roles can link nothing, not even to themself: an account is proven by signing in with it.
      const plain = await world.addMachine()
      await isRefused(
        world.call(v2.addIDPLink, { userId: plain.userId, idpLink: link(idpId) }, plain.request),
        'access.forbidden',
      )
      await world.call(v2.listIDPLinks, { userId: plain.userId }, plain.request)
      await isRefused(world.call(v2.listIDPLinks, { userId: world.administratorId }, plain.request), 'access.forbidden')
    })

    test('a removed provider is gone at once, its links soon, and others stay', async () => {
      const [idpId, kept] = [await addProvider(), await addProvider()]
      const mine = link(idpId)
      const first = await addPerson([mine, link(kept)])
      const second = await addPerson([link(kept)])
      // More than one step of the removal takes, of two users who each have fewer than the limit.
      for (let number = 0; number < 120; number++) {
        const userId = number % 2 === 0 ? first : second
        await world.call(v2.addIDPLink, { userId, idpLink: link(idpId) }, world.owner)
      }
      assert.equal((await world.store.get(providerSecrets, idpId))?.state.status, 'set')
      await world.call(v1.removeOrgIDP, { idpId }, world.owner)
      assert.equal(await findProvider(world.app, idpId), undefined)
      assert.equal(await world.store.get(providerSecrets, idpId), undefined)
      await isRefused(
        world.call(v2.addIDPLink, { userId: first, idpLink: link(idpId) }, world.owner),
        'user.identity_provider_not_found',
      )
      await world.runJobs()
      for (const userId of [first, second]) {
        assert.deepEqual(
          (await linksOf(userId)).map((one) => one.idpId),
          [kept],
        )
      }
      assert.equal(await world.store.findClaimHolder(IDENTITY_LINK_CLAIM, `${idpId} ${mine.userId}`), undefined)
      assert.deepEqual(await world.store.jobs.count('identity_provider.removed'), { waiting: 0, parked: 0 })
    })

    test('the providers of an organization go with it', async () => {
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Short lived' },
        world.owner,
      )
      const ids = [await addProvider(organizationId), await addProvider(organizationId)]
      const stays = await addProvider()
      const name = (await findProvider(world.app, ids[0] ?? ''))?.state.name ?? ''
      await world.call(OrganizationService.method.deleteOrganization, { organizationId }, world.owner)
      await isRefused(addProvider(organizationId), 'access.organization_not_found')
      await world.runJobs()
      for (const id of ids) {
        assert.equal(await findProvider(world.app, id), undefined)
        assert.equal(await world.store.get(providerSecrets, id), undefined)
      }
      const where = { field: 'owner', equals: organizationId } as const
      assert.equal((await world.store.find(identityProviders, { where, limit: 1 })).total, 0)
      assert.equal(
        await world.store.findClaimHolder(PROVIDER_NAME_CLAIM, `${organizationId}\n${name.toLowerCase()}`),
        undefined,
      )
      assert.ok(await findProvider(world.app, stays))
    })
  })
}
