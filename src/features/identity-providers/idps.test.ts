/** The older methods: operations 1 and 2 and what stands beside them, on the organization and on the instance. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPOwnerType, IDPState, IDPStylingType, OIDCMappingField } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'

const own = ManagementService.method
const instance = AdminService.method
const [north, south, boss] = ['north', 'south', 'boss'].map((bearer) => ({ bearer }))

const client = { clientId: 'us', clientSecret: 'hush', issuer: 'https://login.example' }

for (const engine of bothEngines) {
  suite(`identity providers by the older methods on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())
    const add = (name: string, more: object = {}, as = north) =>
      world.call(own.addOrgOIDCIDP, { name, ...client, ...more }, as)
    const get = async (id: string, as = north) => (await world.call(own.getOrgIDPByID, { idpId: id }, as)).idp

    test('one that is added is active at once and shows all but its secret', async () => {
      const { idpId, details } = await add('Corp', {
        stylingType: IDPStylingType.STYLING_TYPE_GOOGLE,
        scopes: ['openid', 'email'],
        displayNameMapping: OIDCMappingField.OIDC_MAPPING_FIELD_EMAIL,
        usernameMapping: OIDCMappingField.OIDC_MAPPING_FIELD_PREFERRED_USERNAME,
        autoRegister: true,
      })
      const [last] = await world.store.events({ descending: true, limit: 1 })
      assert.equal(details?.sequence, BigInt(last?.sequence ?? 0))
      assert.deepEqual(
        [details?.resourceOwner, details?.creationDate && timestampMs(details.creationDate), details?.changeDate],
        ['north', NOON, details?.creationDate],
      )
      const idp = await get(idpId)
      assert.deepEqual(
        [idp?.id, idp?.name, idp?.state, idp?.stylingType, idp?.owner, idp?.autoRegister],
        [
          idpId,
          'Corp',
          IDPState.IDP_STATE_ACTIVE,
          IDPStylingType.STYLING_TYPE_GOOGLE,
          IDPOwnerType.IDP_OWNER_TYPE_ORG,
          true,
        ],
      )
      const { $typeName: _, ...config } = idp?.config.value ?? assert.fail()
      assert.deepEqual(config, {
        clientId: 'us',
        issuer: 'https://login.example',
        scopes: ['openid', 'email'],
        displayNameMapping: 2,
        usernameMapping: 1,
      })
      assert.deepEqual(idp?.details, details)
    })

    test('a name is taken in one organization, whatever its case, and free again afterwards', async () => {
      const { idpId } = await add('Tak\u00c9n  Name')
      await isRefused(add('  tak\u00e9n name'), 'identity_provider.name_taken')
      const other = await add('Tak\u00c9n Name', {}, south)
      const ofInstance = await world.call(instance.addOIDCIDP, { name: 'Tak\u00c9n Name', ...client }, boss)
      const { idpId: second } = await add('Second')
      await isRefused(
        world.call(own.updateOrgIDP, { idpId: second, name: 'tak\u00e9n name' }, north),
        'identity_provider.name_taken',
      )
      await world.call(own.updateOrgIDP, { idpId, name: 'Renamed' }, north)
      await add('tak\u00e9n name')
      await world.call(own.removeOrgIDP, { idpId: other.idpId }, south)
      await add('Tak\u00c9n Name', {}, south)
      assert.notEqual(ofInstance.idpId, other.idpId)
    })

    test('an issuer that is no https URL is refused by its name, and nothing is written', async () => {
      const events = async () => (await world.store.events({ descending: true, limit: 1 }))[0]?.sequence
      const sequence = await events()
      for (const issuer of [
        'http://login.example',
        'login.example',
        'ftp://login.example',
        'https://login.example?a=b',
      ]) {
        await isRefused(add('Bad', { issuer }), 'identity_provider.issuer_invalid', 'issuer')
      }
      await isRefused(add('\u200bBad'), 'identity_provider.field_invalid', 'name')
      await isRefused(
        add(' ', { clientId: 'a\nb', scopes: ['openid', 'a"b'] }),
        'identity_provider.field_invalid',
        'name',
        'clientId',
        'scopes[1]',
      )
      assert.equal(await events(), sequence)
      await add('Here', { issuer: 'http://localhost:4000' })
    })

    test('the whole display is replaced; what is not sent is empty, and the OpenID part stays', async () => {
      const { idpId, details: added } = await add('Old', { stylingType: 1, autoRegister: true, scopes: ['openid'] })
      world.clock.now = instant(NOON + 5000)
      const { details } = await world.call(own.updateOrgIDP, { idpId, name: 'New' }, north)
      assert.deepEqual(
        [details?.resourceOwner, details?.creationDate, details?.changeDate && timestampMs(details.changeDate)],
        ['north', added?.creationDate, NOON + 5000],
      )
      assert.ok((details?.sequence ?? 0n) > (added?.sequence ?? 0n))
      const idp = await get(idpId)
      assert.deepEqual([idp?.name, idp?.stylingType, idp?.autoRegister], ['New', 0, false])
      assert.equal(idp?.config.value?.issuer, 'https://login.example')
      await isRefused(world.call(own.updateOrgIDP, { idpId, name: 'New' }, north), 'identity_provider.unchanged')
      await world.call(own.updateOrgIDP, { idpId, name: 'NEW' }, north)
    })

    test('one of another organization, of the instance, or of none is not found when it is changed', async () => {
      const { idpId } = await add('Mine')
      const { idpId: shared } = await world.call(instance.addOIDCIDP, { name: 'Shared', ...client }, boss)
      for (const [id, as] of [
        [idpId, south],
        [shared, north],
        ['nothing', north],
      ] as const) {
        const change = world.call(own.updateOrgIDP, { idpId: id, name: 'Stolen' }, as)
        await isRefused(change, 'identity_provider.not_found')
        const part = { idpId: id, clientId: 'us', issuer: 'https://evil.example' }
        await isRefused(world.call(own.updateOrgIDPOIDCConfig, part, as), 'identity_provider.not_found')
        await isRefused(world.call(own.deactivateOrgIDP, { idpId: id }, as), 'identity_provider.not_found')
        await isRefused(world.call(own.removeOrgIDP, { idpId: id }, as), 'identity_provider.not_found')
      }
      await isRefused(get(idpId, south), 'identity_provider.not_found')
      await isRefused(world.call(instance.getIDPByID, { idpId }, boss), 'identity_provider.not_found')
      await isRefused(world.call(instance.removeIDP, { idpId }, boss), 'identity_provider.not_found')
      await isRefused(world.call(own.updateOrgIDP, { idpId, name: 'x' }, { bearer: 'viewer' }), 'access.forbidden')
      // Its users can use the instance's, so an organization sees them.
      assert.equal((await get(shared))?.owner, IDPOwnerType.IDP_OWNER_TYPE_SYSTEM)
    })

    test('the OpenID part is replaced', async () => {
      const { idpId } = await add('Parts', { usernameMapping: 2 })
      const part = { idpId, clientId: 'we', issuer: 'https://other.example', scopes: ['profile'] }
      await world.call(own.updateOrgIDPOIDCConfig, { ...part, clientSecret: 'again' }, north)
      const { $typeName: _, ...config } = (await get(idpId))?.config.value ?? assert.fail()
      const { idpId: __, ...kept } = part
      assert.deepEqual(config, { ...kept, displayNameMapping: 0, usernameMapping: 0 })
      await isRefused(world.call(own.updateOrgIDPOIDCConfig, part, north), 'identity_provider.unchanged')
      const later = instant(world.clock.now + 1000)
      world.clock.now = later
      const { details } = await world.call(own.updateOrgIDPOIDCConfig, { ...part, clientSecret: 'new' }, north)
      assert.equal(details?.changeDate && timestampMs(details.changeDate), later)
      const bad = { ...part, issuer: 'http://other.example' }
      await isRefused(world.call(own.updateOrgIDPOIDCConfig, bad, north), 'identity_provider.issuer_invalid', 'issuer')
    })

    test('on the instance it all works the same', async () => {
      const { idpId, details } = await world.call(instance.addOIDCIDP, { name: 'Everybody', ...client }, boss)
      assert.equal(details?.resourceOwner, 'instance')
      await world.call(instance.updateIDP, { idpId, name: 'All', stylingType: 1 }, boss)
      const part = { idpId, clientId: 'all', issuer: 'https://all.example', clientSecret: 'again' }
      await world.call(instance.updateIDPOIDCConfig, part, boss)
      await world.call(instance.deactivateIDP, { idpId }, boss)
      await isRefused(world.call(instance.deactivateIDP, { idpId }, boss), 'identity_provider.inactive')
      const { idp } = await world.call(instance.getIDPByID, { idpId }, boss)
      assert.deepEqual([idp?.name, idp?.stylingType, idp?.state], ['All', 1, IDPState.IDP_STATE_INACTIVE])
      await world.call(instance.reactivateIDP, { idpId }, boss)
      await isRefused(world.call(instance.reactivateIDP, { idpId }, boss), 'identity_provider.active')
      await world.call(instance.removeIDP, { idpId }, boss)
      await isRefused(world.call(instance.getIDPByID, { idpId }, boss), 'identity_provider.not_found')
      await isRefused(world.call(instance.addOIDCIDP, { name: 'x', ...client }, north), 'access.forbidden')
    })

    test('lists are filtered, sorted and cut', async () => {
      const names = async (request: object, as = north) => {
        const { result, details } = await world.call(own.listOrgIDPs, request, as)
        return [Number(details?.totalResult), ...result.map(({ name }) => name)]
      }
      const name = (text: string, method: TextQueryMethod) => ({
        query: { case: 'idpNameQuery', value: { name: text, method } },
      })
      for (const one of ['List B', 'list a', 'List C']) await add(one)
      await add('List D', {}, south)
      const { idpId } = await world.call(instance.addOIDCIDP, { name: 'List E', ...client }, boss)
      const starting = name('LIST', TextQueryMethod.STARTS_WITH_IGNORE_CASE)
      const query = { asc: true }
      const sortingColumn = 1
      assert.deepEqual(await names({ queries: [starting], query, sortingColumn }), [
        4,
        'list a',
        'List B',
        'List C',
        'List E',
      ])
      assert.deepEqual(
        await names({ queries: [starting], query: { asc: true, offset: 1n, limit: 2 }, sortingColumn }),
        [4, 'List B', 'List C'],
      )
      assert.deepEqual(await names({ queries: [starting] }), [4, 'List E', 'List C', 'list a', 'List B'])
      assert.deepEqual(await names({ queries: [name('List a', TextQueryMethod.EQUALS)] }), [0])
      const ofType = (ownerType: IDPOwnerType) => ({ query: { case: 'ownerTypeQuery', value: { ownerType } } })
      assert.deepEqual(await names({ queries: [starting, ofType(IDPOwnerType.IDP_OWNER_TYPE_SYSTEM)] }), [1, 'List E'])
      assert.deepEqual(
        await names({ queries: [starting, ofType(IDPOwnerType.IDP_OWNER_TYPE_ORG)], query, sortingColumn }),
        [3, 'list a', 'List B', 'List C'],
      )
      assert.deepEqual(await names({ queries: [{ query: { case: 'idpIdQuery', value: { id: idpId } } }] }), [
        1,
        'List E',
      ])
      const { result } = await world.call(instance.listIDPs, { queries: [starting] } as object, boss)
      assert.deepEqual(
        result.map((one) => one.name),
        ['List E'],
      )
    })

    test('of eight at once with one name, one is added, over two nodes', async () => {
      const other = await world.another()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? world : other).call(own.addOrgOIDCIDP, { name: 'Racer', ...client }, north),
        ),
      )
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'identity_provider.name_taken')
      }
    })
  })
}
