/** Which providers a login policy offers: all active ones, but those that were taken off it. */
import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPOwnerType, IDPType } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { settings } from '../settings/index.ts'

const own = ManagementService.method
const instance = AdminService.method
const client = { clientId: 'us', clientSecret: 'hush' }
const { IDP_OWNER_TYPE_ORG: ORG, IDP_OWNER_TYPE_SYSTEM: SYSTEM } = IDPOwnerType

for (const engine of engines) {
  suite(`the providers of a login policy on ${engine.name}`, () => {
    let world: World
    let north: CallOptions
    let south: CallOptions
    let boss: CallOptions
    const opened: World[] = []
    beforeEach(async () => {
      world = await openWorld({ engine })
      opened.push(world)
      boss = world.owner
      north = { ...boss, organizationId: world.defaultOrganizationId }
      const { organizationId } = await world.call(OrganizationService.method.addOrganization, { name: 'South' }, boss)
      south = { ...boss, organizationId }
    })
    after(() => Promise.all(opened.map((one) => one.dispose())))

    const addOwn = async (name: string, as = north) =>
      (await world.call(own.addOrgOIDCIDP, { name, issuer: 'https://op.example', ...client }, as)).idpId
    const addShared = async (name: string) =>
      (await world.call(instance.addOIDCIDP, { name, issuer: 'https://op.example', ...client }, boss)).idpId
    const names = async (as: CallOptions) =>
      (await world.call(own.listLoginPolicyIDPs, { query: { asc: true } }, as)).result.map(({ idpName }) => idpName)
    const instanceNames = async () =>
      (await world.call(instance.listLoginPolicyIDPs, { query: { asc: true } }, boss)).result.map(
        ({ idpName }) => idpName,
      )
    const active = async ({ organizationId = '' }: CallOptions) => {
      const ctx = { resourceOwner: { case: 'orgId', value: organizationId } } as const
      const found = await world.call(SettingsService.method.getActiveIdentityProviders, { ctx }, boss)
      return found.identityProviders.map(({ name }) => name)
    }
    const add = (idpId: string, as: CallOptions, ownerType: IDPOwnerType = ORG) =>
      world.call(own.addIDPToLoginPolicy, { idpId, ownerType }, as)
    const remove = (idpId: string, as: CallOptions) => world.call(own.removeIDPFromLoginPolicy, { idpId }, as)
    const lastEvent = async () => (await world.store.events({ descending: true, limit: 1 }))[0]

    test('are those that a new policy names, and the policy shows them', async () => {
      const [a, b, c] = [await addOwn('A'), await addShared('B'), await addOwn('C')]
      const policy = { allowUsernamePassword: true, allowExternalIdp: true }
      const create = (...idps: { readonly idpId: string; readonly ownerType: IDPOwnerType }[]) =>
        world.call(own.addCustomLoginPolicy, { ...policy, idps }, north)
      const elsewhere = await addOwn('Of others', south)
      await isRefused(
        create({ idpId: a, ownerType: ORG }, { idpId: elsewhere, ownerType: ORG }),
        'identity_provider.not_found',
        'idps[1].idpId',
      )
      await isRefused(create({ idpId: a, ownerType: SYSTEM }), 'identity_provider.other_owner', 'idps[0].ownerType')
      await create({ idpId: a, ownerType: ORG }, { idpId: b, ownerType: SYSTEM })
      assert.deepEqual((await names(north)).toSorted(), ['A', 'B'])
      const shown = async (as: CallOptions) =>
        (await world.call(own.getLoginPolicy, {}, as)).policy?.idps.map(({ idpId }) => idpId).toSorted()
      assert.deepEqual(await shown(north), [a, b].toSorted())
      assert.deepEqual(await shown(south), [b, elsewhere].toSorted())
      assert.deepEqual((await active(north)).toSorted(), ['A', 'B'])
      const { policy: shared } = await world.call(instance.getLoginPolicy, {}, boss)
      assert.deepEqual([shared?.idps.map(({ idpName }) => idpName), await instanceNames()], [['B'], ['B']])
      await world.call(own.resetLoginPolicyToDefault, {}, north)
      assert.deepEqual(await shown(north), [a, b, c].toSorted())
      await create()
      assert.deepEqual(await shown(north), [a, b, c].toSorted())
    })

    test('are all active ones before anything was chosen', async () => {
      const inactive = await addOwn('Inactive')
      await world.call(own.deactivateOrgIDP, { idpId: inactive }, north)
      const a = await addOwn('A')
      world.clock.now = instant(world.clock.now + 1000)
      const b = await addShared('B')
      world.clock.now = instant(world.clock.now + 1000)
      const github = await world.call(own.addGitHubProvider, { name: 'C', ...client }, north)
      await addOwn('Of others', south)
      const { result, details } = await world.call(own.listLoginPolicyIDPs, { query: { asc: true } }, north)
      assert.deepEqual(
        result.map(({ idpId, idpName, idpType }) => [idpId, idpName, idpType]),
        [
          [a, 'A', IDPType.IDP_TYPE_OIDC],
          [b, 'B', IDPType.IDP_TYPE_OIDC],
          [github.id, 'C', IDPType.IDP_TYPE_UNSPECIFIED],
        ],
      )
      assert.equal(details?.totalResult, 3n)
      assert.equal(details?.processedSequence, BigInt((await lastEvent())?.sequence ?? 0))
      assert.ok(details?.viewTimestamp)
      assert.deepEqual(await instanceNames(), ['B'])

      const page = await world.call(own.listLoginPolicyIDPs, { query: { offset: 1n, limit: 1 } }, north)
      assert.deepEqual([page.details?.totalResult, page.result.map(({ idpName }) => idpName)], [3n, ['B']])
      const tooMany = world.call(own.listLoginPolicyIDPs, { query: { limit: 1001 } }, north)
      await isRefused(tooMany, 'list.limit_too_large', 'query.limit')
    })

    test('stay as they are when one of them is put on again, as scripts do it', async () => {
      const [a, b] = [await addOwn('A'), await addShared('B')]
      const before = (await lastEvent())?.sequence
      for (const _ of [1, 2]) {
        assert.equal((await add(a, north)).details?.resourceOwner, north.organizationId)
        await add(b, north, SYSTEM)
        const { details } = await world.call(instance.addIDPToLoginPolicy, { idpId: b }, boss)
        assert.equal(details?.resourceOwner, world.instanceId)
      }
      assert.equal((await lastEvent())?.sequence, before)
      assert.deepEqual(await active(north), ['A', 'B'])
    })

    test('lose what an organization takes off, for its users alone, until it is put on again', async () => {
      const [a, b] = [await addOwn('A'), await addShared('B')]
      for (const [idpId, rest] of [
        [a, ['B']],
        [b, ['A']],
      ] as const) {
        const { details } = await remove(idpId, north)
        assert.equal(details?.resourceOwner, north.organizationId)
        assert.equal(details?.sequence, BigInt((await lastEvent())?.sequence ?? 0))
        assert.deepEqual((await lastEvent())?.data, { idpId })
        assert.deepEqual([await names(north), await active(north)], [rest, rest])
        assert.deepEqual([await names(south), await instanceNames()], [['B'], ['B']])
        await isRefused(remove(idpId, north), 'settings.provider_not_offered')
        const again = await add(idpId, north, idpId === a ? ORG : SYSTEM)
        assert.equal(again.details?.sequence, BigInt((await lastEvent())?.sequence ?? 0))
        assert.deepEqual(
          [await names(north), await active(north)],
          [
            ['A', 'B'],
            ['A', 'B'],
          ],
        )
      }
    })

    test('lose what the instance takes off, where no organization says otherwise', async () => {
      const [a, b] = [await addShared('A'), await addShared('B')]
      const { details } = await world.call(instance.removeIDPFromLoginPolicy, { idpId: a }, boss)
      assert.equal(details?.resourceOwner, world.instanceId)
      assert.deepEqual([await instanceNames(), await names(north), await active(north)], [['B'], ['B'], ['B']])
      await isRefused(
        world.call(instance.removeIDPFromLoginPolicy, { idpId: a }, boss),
        'settings.provider_not_offered',
      )
      await isRefused(remove(a, north), 'settings.provider_not_offered')
      await add(a, north, SYSTEM)
      await remove(b, north)
      assert.deepEqual([await names(north), await active(north)], [['A'], ['A']])
      assert.deepEqual([await names(south), await active(south)], [['B'], ['B']])

      await world.call(own.resetLoginPolicyToDefault, {}, north)
      assert.deepEqual(await names(north), ['B'])
      await world.call(instance.addIDPToLoginPolicy, { idpId: a }, boss)
      assert.deepEqual(
        [await instanceNames(), await names(north)],
        [
          ['A', 'B'],
          ['A', 'B'],
        ],
      )
    })

    test('keep the place of one that is not active', async () => {
      const [a, b] = [await addOwn('A'), await addOwn('B')]
      await world.call(own.deactivateOrgIDP, { idpId: a }, north)
      await world.call(own.deactivateOrgIDP, { idpId: b }, north)
      await remove(a, north)
      await add(b, north)
      assert.deepEqual(await names(north), [])
      await world.call(own.reactivateOrgIDP, { idpId: a }, north)
      await world.call(own.reactivateOrgIDP, { idpId: b }, north)
      assert.deepEqual(await names(north), ['B'])
    })

    test("are the organization's and the instance's, and the request says whose", async () => {
      const [a, b, foreign] = [await addOwn('A'), await addShared('B'), await addOwn('C', south)]
      await isRefused(add(a, north, SYSTEM), 'identity_provider.other_owner', 'ownerType')
      await isRefused(add(b, north, ORG), 'identity_provider.other_owner', 'ownerType')
      const unspecified = IDPOwnerType.IDP_OWNER_TYPE_UNSPECIFIED
      await isRefused(add(a, north, unspecified), 'request.invalid', 'ownerType')
      await isRefused(add('', north), 'request.invalid', 'idpId')
      await isRefused(add('x'.repeat(201), north), 'request.invalid', 'idpId')
      await isRefused(remove('x'.repeat(201), north), 'request.invalid', 'idpId')
      await isRefused(world.call(instance.addIDPToLoginPolicy, {}, boss), 'request.invalid', 'idpId')
      const removed = await addOwn('Removed')
      await world.call(own.removeOrgIDP, { idpId: removed }, north)
      for (const idpId of [foreign, removed, 'nothing', '__proto__']) {
        await isRefused(add(idpId, north), 'identity_provider.not_found')
        await isRefused(remove(idpId, north), 'identity_provider.not_found')
      }
      const onInstance = { idpId: a }
      await isRefused(world.call(instance.addIDPToLoginPolicy, onInstance, boss), 'identity_provider.not_found')
      await isRefused(world.call(instance.removeIDPFromLoginPolicy, onInstance, boss), 'identity_provider.not_found')
    })

    test('are read by viewers and changed by owners', async () => {
      const a = await addOwn('A')
      const { request: viewer } = await world.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
      const { request: owner } = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      assert.deepEqual(await names(viewer), ['A'])
      await isRefused(remove(a, viewer), 'access.forbidden')
      await isRefused(add(a, viewer), 'access.forbidden')
      await remove(a, owner)
      await isRefused(world.call(instance.listLoginPolicyIDPs, {}, owner), 'access.forbidden')
      await isRefused(world.call(instance.removeIDPFromLoginPolicy, { idpId: a }, owner), 'access.forbidden')
    })

    test('are forgotten with the provider, wherever it was named', async () => {
      const [a, b, kept] = [await addOwn('A'), await addShared('B'), await addShared('C')]
      for (const [idpId, as] of [
        [a, north],
        [b, north],
        [kept, north],
        [b, south],
      ] as const) {
        await remove(idpId, as)
      }
      await world.call(instance.removeIDPFromLoginPolicy, { idpId: b }, boss)
      await world.call(own.removeOrgIDP, { idpId: a }, north)
      await world.call(instance.deleteProvider, { id: b }, boss)
      await world.runJobs()
      const left = async (id = '') => (await world.store.get(settings, id))?.state.providers?.withheld
      assert.deepEqual(await Promise.all([north.organizationId, south.organizationId, world.instanceId].map(left)), [
        [kept],
        undefined,
        undefined,
      ])
      assert.deepEqual(await world.store.jobs.count('identity_provider.removed'), { waiting: 0, parked: 0 })
    })

    test('of an organization that is no more go with it', async () => {
      const a = await addOwn('A', south)
      await remove(a, south)
      const { organizationId = '' } = south
      await world.call(OrganizationService.method.deleteOrganization, { organizationId }, boss)
      await world.runJobs()
      assert.equal(await world.store.get(settings, organizationId), undefined)
      assert.deepEqual(await world.store.jobs.count('identity_provider.removed'), { waiting: 0, parked: 0 })
    })
  })
}
