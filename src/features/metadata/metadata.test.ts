import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ByteFilterMethod, TextFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { given } from '../../../test/support/given.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { brokenLimits } from '../../http/codec/validate.ts'
import { userMetadata } from './documents.ts'
import type { MetadataEvent } from './events.ts'

const v1 = ManagementService.method
const v2 = UserService.method
function bytes(text: string) {
  return new TextEncoder().encode(text)
}
function asText(value: Uint8Array) {
  return new TextDecoder().decode(value)
}

suite('an entry of metadata', () => {
  const entry = { userId: 'sam', key: 'Department', value: 'c2FsZXM=' }
  const set: MetadataEvent = { type: 'metadata.set.v1', data: entry }
  const removed: MetadataEvent = { type: 'metadata.removed.v1', data: {} }

  test('is set, replaced, removed and set again', () => {
    given(userMetadata)
      .when({ type: 'set', ...entry })
      .then(set)
    given(userMetadata, set, removed)
      .when({ type: 'set', ...entry })
      .then(set)
    given(userMetadata, set).when({ type: 'remove' }).then(removed)
    given(userMetadata).when({ type: 'remove' }).thenRefused('metadata.not_found')
    given(userMetadata, set, removed).when({ type: 'remove' }).thenRefused('metadata.not_found')
  })

  test('with the value it has is no event', () =>
    given(userMetadata, set)
      .when({ type: 'set', ...entry })
      .then())

  test('that was removed has nothing that a list could find', () =>
    assert.deepEqual(given(userMetadata, set, removed).state, { status: 'none' }))

  test('is found by its value only up to 200 bytes', () => {
    const stateOf = (size: number) => {
      const value = Buffer.alloc(size, 'x').toString('base64')
      const { state } = given(userMetadata, { type: 'metadata.set.v1', data: { ...entry, value } })
      return 'search' in state ? state.search.value : ''
    }
    assert.equal(stateOf(200), Buffer.alloc(200, 'x').toString('base64'))
    assert.equal(stateOf(1000), '-')
  })
})

for (const engine of bothEngines) {
  suite(`metadata on ${engine.name}`, () => {
    let world: SmallWorld
    const north = { bearer: 'north' }

    const addRobot = async (name: string, metadata: Record<string, string>) => {
      const entries = Object.entries(metadata).map(([key, value]) => ({ key, value: bytes(value) }))
      const request = {
        organizationId: 'north',
        userId: name,
        userType: { case: 'machine', value: { name } },
        metadata: entries,
      } as const
      await world.call(v2.createUser, request, north)
    }
    const keysOf = async (userId: string, filters: object[] = []) => {
      const request = { userId, filters: filters as never[], pagination: { asc: true } }
      const { metadata, pagination } = await world.call(v2.listUserMetadata, request, north)
      assert.equal(pagination?.totalResult, BigInt(metadata.length))
      return metadata.map(({ key }) => key)
    }
    before(async () => {
      world = await openSmallWorld(engine)
      await addRobot('one', { Department: 'sales', level: '1' })
      await addRobot('two', { department: 'Sales', level: '2' })
      await addRobot('three', { level: 'sales', big: 'x'.repeat(1000) })
    })
    after(() => world.dispose())

    test('is set by key, and other keys stay', async () => {
      await addRobot('keys', { a: '1', b: '2' })
      const entries = [
        { key: 'b', value: bytes('3') },
        { key: 'ü/ \u{1f600}', value: bytes('4') },
      ]
      const { setDate } = await world.call(v2.setUserMetadata, { userId: 'keys', metadata: entries }, north)
      assert.ok(setDate)
      const { metadata } = await world.call(v2.listUserMetadata, { userId: 'keys', pagination: { asc: true } }, north)
      assert.deepEqual(
        metadata.map(({ key, value }) => [key, asText(value)]),
        [
          ['a', '1'],
          ['b', '3'],
          ['ü/ \u{1f600}', '4'],
        ],
      )
      await world.call(v2.deleteUserMetadata, { userId: 'keys', keys: ['a', 'ü/ \u{1f600}', 'a'] }, north)
      assert.deepEqual(await keysOf('keys'), ['b'])
      await isRefused(
        world.call(v2.deleteUserMetadata, { userId: 'keys', keys: ['b', 'none'] }, north),
        'metadata.not_found',
      )
      assert.deepEqual(await keysOf('keys'), ['b'], 'all or nothing')
    })

    test('is removed by an empty value; deleting no key is refused', async () => {
      await addRobot('emptied', { a: '1', b: '2', c: '3' })
      const empty = (key: string) => ({ key, value: bytes('') })
      await world.call(v2.setUserMetadata, { userId: 'emptied', metadata: [empty('a'), empty('never')] }, north)
      assert.deepEqual(await keysOf('emptied'), ['b', 'c'])
      await world.call(v2.updateUser, { userId: 'emptied', metadata: [empty('b')] }, north)
      assert.deepEqual(await keysOf('emptied'), ['c'])
      await addRobot('never-set', { a: '' })
      assert.deepEqual(await keysOf('never-set'), [])
      const broken = brokenLimits(
        v2.deleteUserMetadata.input,
        create(v2.deleteUserMetadata.input, { userId: 'emptied' }),
      )
      assert.deepEqual(
        broken.map(({ field }) => field),
        ['keys'],
      )
    })

    test('of a new human is given in the request or in the human, not in both', async () => {
      const metadata = [{ key: 'k', value: bytes('v') }]
      const profile = { firstName: 'Ada', lastName: 'Lovelace' }
      const human = (userId: string, inner: typeof metadata, outer: typeof metadata) => {
        const email = { email: `${userId}@example.com` }
        const userType = { case: 'human', value: { profile, email, metadata: inner } } as const
        return world.call(v2.createUser, { organizationId: 'north', userId, userType, metadata: outer }, north)
      }
      await human('inner', metadata, [])
      await human('outer', [], metadata)
      assert.deepEqual([await keysOf('inner'), await keysOf('outer')], [['k'], ['k']])
      await isRefused(human('both', metadata, metadata), 'user.field_invalid', 'human.metadata')
    })

    test('of an organization is set, listed by key, and removed', async () => {
      const org = OrganizationService.method
      const of = { organizationId: 'north' }
      const entries = [
        { key: 'Plan', value: bytes('gold') },
        { key: 'seats', value: bytes('7') },
        { key: 'none', value: bytes('') },
      ]
      assert.ok((await world.call(org.setOrganizationMetadata, { ...of, metadata: entries }, north)).setDate)
      const list = async (filters: object[] = [], caller = north) => {
        const message = { ...of, filters: filters as never[], pagination: { asc: true } }
        const { metadata, pagination } = await world.call(org.listOrganizationMetadata, message, caller)
        assert.equal(pagination?.totalResult, BigInt(metadata.length))
        return metadata.map(({ key, value }) => [key, asText(value)])
      }
      assert.deepEqual(await list(), [
        ['Plan', 'gold'],
        ['seats', '7'],
      ])
      const value = { key: 'plan', method: TextFilterMethod.EQUALS_IGNORE_CASE }
      assert.deepEqual(await list([{ filter: { case: 'keyFilter', value } }]), [['Plan', 'gold']])
      await world.call(org.setOrganizationMetadata, { ...of, metadata: [{ key: 'Plan', value: bytes('') }] }, north)
      for (const attempt of ['first', 'second']) {
        const { deletionDate } = await world.call(org.deleteOrganizationMetadata, { ...of, keys: ['seats'] }, north)
        assert.ok(deletionDate, attempt)
      }
      assert.deepEqual(await list(), [])
      const south = { bearer: 'south' }
      assert.deepEqual(await list([], south), [])
      await isRefused(world.call(org.setOrganizationMetadata, { ...of, metadata: entries }, south), 'access.forbidden')
      const nowhere = { organizationId: 'nowhere', metadata: entries }
      await isRefused(world.call(org.setOrganizationMetadata, nowhere, { bearer: 'boss' }), 'organization.not_found')
    })

    test('is listed by its key', async () => {
      const key = (text: string, method: TextFilterMethod) => ({
        filter: { case: 'keyFilter', value: { key: text, method } },
      })
      assert.deepEqual(await keysOf('one'), ['Department', 'level'])
      assert.deepEqual(await keysOf('one', [key('department', TextFilterMethod.EQUALS)]), [])
      assert.deepEqual(await keysOf('one', [key('department', TextFilterMethod.EQUALS_IGNORE_CASE)]), ['Department'])
      assert.deepEqual(await keysOf('one', [key('eve', TextFilterMethod.CONTAINS)]), ['level'])
    })

    test('of the v1 service is the same', async () => {
      await addRobot('old', {})
      const set = await world.call(v1.setUserMetadata, { id: 'old', key: 'k', value: bytes('v') }, north)
      assert.equal(set.id, 'old')
      assert.ok(set.details?.sequence)
      const many = [
        { key: 'k', value: bytes('w') },
        { key: 'm', value: bytes('x') },
      ]
      await world.call(v1.bulkSetUserMetadata, { id: 'old', metadata: many }, north)
      const { metadata } = await world.call(v1.getUserMetadata, { id: 'old', key: 'k' }, north)
      assert.equal(asText(metadata?.value ?? bytes('')), 'w')
      const { result, details } = await world.call(v1.listUserMetadata, { id: 'old', query: { asc: true } }, north)
      assert.deepEqual(
        result.map(({ key }) => key),
        ['k', 'm'],
      )
      assert.equal(details?.totalResult, 2n)
      await world.call(v1.removeUserMetadata, { id: 'old', key: 'k' }, north)
      await isRefused(world.call(v1.getUserMetadata, { id: 'old', key: 'k' }, north), 'metadata.not_found')
      await isRefused(world.call(v1.removeUserMetadata, { id: 'old', key: 'never' }, north), 'metadata.not_found')
      const south = { bearer: 'south' }
      for (const attempt of [
        () => world.call(v1.setUserMetadata, { id: 'old', key: 'k', value: bytes('v') }, south),
        () => world.call(v1.bulkSetUserMetadata, { id: 'old', metadata: many }, south),
        () => world.call(v1.listUserMetadata, { id: 'old' }, south),
        () => world.call(v1.removeUserMetadata, { id: 'old', key: 'm' }, south),
      ]) {
        await isRefused(attempt(), 'user.not_found')
      }
    })

    suite('finds users', () => {
      const find = async (queries: object[]) => {
        const { result, details } = await world.call(v2.listUsers, { queries: queries as never[] }, { bearer: 'boss' })
        assert.equal(details?.totalResult, BigInt(result.length))
        return result.map(({ userId }) => userId).sort()
      }
      const key = (text: string, method: TextFilterMethod = TextFilterMethod.EQUALS) => ({
        query: { case: 'metadataKeyFilter', value: { key: text, method } },
      })
      const value = (text: string, method: ByteFilterMethod = ByteFilterMethod.EQUALS) => ({
        query: { case: 'metadataValueFilter', value: { value: bytes(text), method } },
      })

      test('by a key', async () => {
        assert.deepEqual(await find([key('Department')]), ['one'])
        assert.deepEqual(await find([key('DEPARTMENT', TextFilterMethod.EQUALS_IGNORE_CASE)]), ['one', 'two'])
        assert.deepEqual(await find([key('nothing')]), [])
      })

      test('by a value, byte for byte', async () => {
        assert.deepEqual(await find([value('sales')]), ['one', 'three'])
        assert.deepEqual(await find([value('')]), [])
        assert.deepEqual(await find([key('level'), value('1', ByteFilterMethod.NOT_EQUALS)]), ['three', 'two'])
      })

      test('by a key and a value of one entry', async () => {
        assert.deepEqual(await find([key('level'), value('sales')]), ['three'])
        const both = { query: { case: 'andQuery', value: { queries: [key('Department'), value('sales')] } } }
        assert.deepEqual(await find([both]), ['one'])
        assert.deepEqual(await find([key('Department'), value('1')]), [])
      })

      test('by several conditions, and those who do not meet them', async () => {
        const either = { query: { case: 'orQuery', value: { queries: [value('1'), value('2')] } } }
        assert.deepEqual(await find([either]), ['one', 'two'])
        const not = { query: { case: 'notQuery', value: { query: key('level') } } }
        assert.deepEqual((await find([not])).includes('one'), false)
        const inNorth = { query: { case: 'organizationIdQuery', value: { organizationId: 'north' } } }
        assert.deepEqual(await find([inNorth, key('big')]), ['three'])
      })

      test('no longer, once it is removed', async () => {
        await addRobot('leaver', { leaving: 'soon' })
        assert.deepEqual(await find([key('leaving')]), ['leaver'])
        await world.call(v2.deleteUserMetadata, { userId: 'leaver', keys: ['leaving'] }, north)
        assert.deepEqual(await find([key('leaving')]), [])
      })
    })
  })
}
