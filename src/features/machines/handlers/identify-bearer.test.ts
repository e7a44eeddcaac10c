import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../../test/support/small-world.ts'
import { instant } from '../../../kernel/instant.ts'
import { appointMember } from '../../administrators/index.ts'
import { organizations } from '../../organizations/index.ts'
import { identifyByPersonalAccessToken } from '../index.ts'

const v1 = ManagementService.method
const asBoss = { bearer: 'boss' }
const system = { actor: 'server', at: NOON } as const

for (const engine of engines) {
  suite(`who shows a personal access token on ${engine.name}`, () => {
    let world: SmallWorld
    let count = 0
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const identify = (bearer: string, at = NOON) => identifyByPersonalAccessToken(world.app, bearer, at)

    const newToken = async (expiresAt?: number, organizationId = 'north') => {
      const request = { userName: `robot-${++count}`, name: 'Robot' }
      const { userId } = await world.call(v1.addMachineUser, request, { ...asBoss, organizationId })
      const expirationDate = expiresAt === undefined ? undefined : timestampFromMs(expiresAt)
      const { tokenId, token } = await world.call(
        v1.addPersonalAccessToken,
        { userId, ...(expirationDate && { expirationDate }) },
        { ...asBoss, organizationId },
      )
      return { userId, tokenId, token }
    }

    test('is its user, with the organization and what the user holds', async () => {
      const { userId, token } = await newToken()
      assert.deepEqual(await identify(token), { userId, organizationId: 'north', grants: [] })
      const scope = { level: 'organization', id: 'south' } as const
      await world.store.write(system, (work) => appointMember(work, { scope, userId, roles: ['ORG_OWNER'] }))
      assert.deepEqual(await identify(token), {
        userId,
        organizationId: 'north',
        grants: [{ scope: { organizationId: 'south' }, roles: ['ORG_OWNER'] }],
      })
      const { user } = await world.call(AuthService.method.getMyUser, {}, { bearer: token })
      assert.equal(user?.id, userId)
    })

    test('is no caller from the moment the token expires', async () => {
      const { token } = await newToken(NOON + 1000)
      assert.notEqual(await identify(token, instant(NOON + 999)), undefined)
      assert.equal(await identify(token, instant(NOON + 1000)), undefined)
      world.clock.now = instant(NOON + 1000)
      await isRefused(world.call(AuthService.method.getMyUser, {}, { bearer: token }), 'access.unauthenticated')
      world.clock.now = NOON
    })

    test('is no caller once the token is removed', async () => {
      const { userId, tokenId, token } = await newToken()
      await world.call(v1.removePersonalAccessToken, { userId, tokenId }, asBoss)
      assert.equal(await identify(token), undefined)
    })

    test('is no caller while the user is deactivated or locked, and forever once the user is removed', async () => {
      const { userId: id, token } = await newToken()
      await world.call(v1.deactivateUser, { id }, asBoss)
      assert.equal(await identify(token), undefined)
      await world.call(v1.reactivateUser, { id }, asBoss)
      assert.notEqual(await identify(token), undefined)
      await world.call(v1.lockUser, { id }, asBoss)
      assert.equal(await identify(token), undefined)
      await world.call(v1.unlockUser, { id }, asBoss)
      assert.notEqual(await identify(token), undefined)
      await world.call(v1.removeUser, { id }, asBoss)
      assert.equal(await identify(token), undefined)
    })

    test('is no caller while the organization is deactivated', async () => {
      const { token } = await newToken(undefined, 'south')
      const decide = (type: 'deactivate' | 'reactivate') =>
        world.store.write(system, (work) => work.decide(organizations, 'south', { type, isDefault: false }))
      await decide('deactivate')
      assert.equal(await identify(token), undefined)
      await decide('reactivate')
      assert.notEqual(await identify(token), undefined)
    })

    test('is no caller with a token that is changed in any place', async () => {
      const { token } = await newToken()
      const prefix = 'signet_pat_'.length
      for (let index = 0; index < token.length; index++) {
        assert.equal(await identify(token.slice(0, index)), undefined, `cut after ${index}`)
        assert.equal(await identify(token.slice(index + 1)), undefined, `without the first ${index + 1}`)
        const character = token.charAt(index)
        const isLower = character === character.toLowerCase()
        const flipped = isLower ? character.toUpperCase() : character.toLowerCase()
        const other = flipped === character ? (character === '_' ? '-' : '_') : flipped
        const changed = token.slice(0, index) + other + token.slice(index + 1)
        assert.equal(await identify(changed), undefined, `${index < prefix ? 'prefix' : 'body'} changed at ${index}`)
      }
      for (const more of [' ', '=', 'A', '\n', '\0', '.', token]) {
        assert.equal(await identify(token + more), undefined)
        assert.equal(await identify(more + token), undefined)
      }
      for (const nonsense of ['', 'signet_pat_', `signet_pat_${'A'.repeat(64)}`, 'x'.repeat(16_384)]) {
        assert.equal(await identify(nonsense), undefined)
      }
      assert.notEqual(await identify(token), undefined)
    })

    test('is no caller with the id of one token and the secret of another', async () => {
      const one = await newToken()
      const two = await newToken()
      const bytes = (token: string) => Buffer.from(token.slice('signet_pat_'.length), 'base64url')
      const mixed = Buffer.concat([bytes(one.token).subarray(0, 16), bytes(two.token).subarray(16)])
      assert.equal(await identify(`signet_pat_${mixed.toString('base64url')}`), undefined)
    })
  })
}
