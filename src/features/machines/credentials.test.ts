import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { KeyType } from '../../../contract/gen/signet/authn/v1/key_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AccessTokenType } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { matchesHash } from '../../crypto/tokens.ts'
import { appointMember } from '../administrators/index.ts'
import { users } from '../users/index.ts'
import { machineKeys, machineSecrets, NEVER, personalAccessTokens } from './documents.ts'

const v1 = ManagementService.method
const v2 = UserService.method
const asNorth = { bearer: 'north' }
const asSouth = { bearer: 'south' }
const tomorrow = timestampFromMs(NOON + 86_400_000)

const sam = {
  type: 'add_human',
  userName: 'Sam',
  profile: {
    firstName: 'S',
    lastName: 'M',
    nickName: '',
    displayName: 'S M',
    preferredLanguage: '',
    gender: 'unspecified',
  },
  email: { address: 's@example.com', isVerified: true },
  needsSetUp: false,
} as const

for (const engine of engines) {
  suite(`machines on ${engine.name}`, () => {
    let world: SmallWorld
    let count = 0
    before(async () => {
      world = await openSmallWorld(engine)
      const origin = { actor: 'server', at: NOON } as const
      await world.store.write(origin, (work) => work.decide(users, 'sam', sam, 'north'))
    })
    after(() => world.dispose())

    const newMachine = async (bearer = 'north') =>
      (await world.call(v1.addMachineUser, { userName: `Robot-${++count}`, name: 'Robot' }, { bearer })).userId
    const machineOf = async (id: string) => {
      const { user } = await world.call(v1.getUserByID, { id }, asNorth)
      assert.ok(user?.type.case === 'machine')
      return user.type.value
    }

    test('tokens and keys have the names that they were given, and none without', async () => {
      const userId = await newMachine()
      const given = { userId, expirationDate: tomorrow }
      await world.call(v2.addPersonalAccessToken, { ...given, name: ' Backup script ' }, asNorth)
      await world.call(v2.addPersonalAccessToken, given, asNorth)
      await world.call(v2.addKey, { ...given, name: 'CI' }, asNorth)
      const filters = [{ filter: { case: 'userIdFilter', value: { id: userId } } }] as const
      const namesIn = ({ result }: { readonly result: readonly { readonly name: string }[] }) =>
        result.map(({ name }) => name).sort()
      assert.deepEqual(namesIn(await world.call(v2.listPersonalAccessTokens, { filters: [...filters] }, asNorth)), [
        '',
        'Backup script',
      ])
      assert.deepEqual(namesIn(await world.call(v2.listKeys, { filters: [...filters] }, asNorth)), ['CI'])
      const lines = { ...given, name: 'a\nb' }
      await isRefused(world.call(v2.addPersonalAccessToken, lines, asNorth), 'request.invalid', 'name')
    })

    suite('changing one', () => {
      test('replaces name, description and token type', async () => {
        const userId = await newMachine()
        const change = { userId, name: 'New', description: 'Text', accessTokenType: AccessTokenType.JWT }
        const { details } = await world.call(v1.updateMachine, change, asNorth)
        assert.equal(details?.resourceOwner, 'north')
        const { name, description, accessTokenType } = await machineOf(userId)
        assert.deepEqual([name, description, accessTokenType], ['New', 'Text', AccessTokenType.JWT])
        await isRefused(world.call(v1.updateMachine, change, asNorth), 'user.machine_unchanged')
        await world.call(v1.updateMachine, { userId, name: 'New' }, asNorth)
        assert.equal((await machineOf(userId)).description, '')
      })

      test('is refused for humans, for users of other organizations and for text that cannot be shown', async () => {
        const userId = await newMachine()
        const change = (id: string, name: string, bearer: string) =>
          world.call(v1.updateMachine, { userId: id, name }, { bearer })
        await isRefused(change('sam', 'New', 'north'), 'user.not_machine')
        await isRefused(change(userId, 'New', 'south'), 'user.not_found')
        await isRefused(change(userId, 'N\u0000', 'north'), 'user.field_invalid', 'name')
      })
    })

    suite('its secret', () => {
      test('is shown once; only its hash is kept, away from the user', async () => {
        const userId = await newMachine()
        const { clientId, clientSecret, details } = await world.call(v1.generateMachineSecret, { userId }, asNorth)
        assert.equal(clientId, `Robot-${count}`)
        assert.match(clientSecret, /^[\w-]{43}$/)
        assert.equal(details?.resourceOwner, 'north')
        assert.equal((await machineOf(userId)).hasSecret, true)
        const stored = await world.store.get(machineSecrets, userId)
        assert.ok(stored?.state.status === 'set' && matchesHash(clientSecret, stored.state.secret.hash))
        const log = JSON.stringify(await world.store.events({ limit: 1000 }))
        assert.ok(!log.includes(clientSecret))
      })

      test('ends when another one is made, and when it is removed', async () => {
        const userId = await newMachine()
        const first = await world.call(v2.addSecret, { userId }, asNorth)
        const second = await world.call(v2.addSecret, { userId }, asNorth)
        assert.notEqual(first.clientSecret, second.clientSecret)
        const stored = await world.store.get(machineSecrets, userId)
        assert.ok(stored?.state.status === 'set' && !matchesHash(first.clientSecret, stored.state.secret.hash))
        await world.call(v2.removeSecret, { userId }, asNorth)
        assert.equal((await world.store.get(machineSecrets, userId))?.state.status, 'none')
        assert.equal((await machineOf(userId)).hasSecret, false)
        await isRefused(world.call(v1.removeMachineSecret, { userId }, asNorth), 'user.no_secret')
        await world.call(v1.generateMachineSecret, { userId }, asNorth)
        await world.call(v1.removeMachineSecret, { userId }, asNorth)
      })
    })

    suite('its personal access tokens', () => {
      test('are shown once, then listed without their secret', async () => {
        const userId = await newMachine()
        const { tokenId, token, details } = await world.call(v1.addPersonalAccessToken, { userId }, asNorth)
        assert.match(token, /^signet_pat_[\w-]{64}$/)
        assert.equal(details?.resourceOwner, 'north')
        const read = await world.call(v1.getPersonalAccessTokenByIDs, { userId, tokenId }, asNorth)
        assert.deepEqual(read.token?.expirationDate, timestampFromMs(NEVER))
        assert.equal(new Date(NEVER).toISOString(), '9999-12-31T23:59:59.000Z')
        assert.deepEqual(read.token.details, details)
        const listed = await world.call(v1.listPersonalAccessTokens, { userId }, asNorth)
        assert.deepEqual(listed.result, [read.token])
        assert.equal(listed.details?.totalResult, 1n)
        const log = JSON.stringify(await world.store.events({ limit: 1000 }))
        assert.ok(!log.includes(token) && !log.includes(token.slice(-43)))
      })

      test('must expire in the future, and before the year 10000', async () => {
        const userId = await newMachine()
        const add = (milliseconds: number) =>
          world.call(v1.addPersonalAccessToken, { userId, expirationDate: timestampFromMs(milliseconds) }, asNorth)
        await add(NOON + 1)
        await add(NEVER)
        await isRefused(add(NOON), 'machine.expiration_past', 'expirationDate')
        await isRefused(add(0), 'machine.expiration_past', 'expirationDate')
        await isRefused(add(NEVER + 1000), 'machine.expiration_invalid', 'expirationDate')
        const far = { seconds: 2n ** 62n, nanos: 0 }
        await isRefused(
          world.call(v2.addPersonalAccessToken, { userId, expirationDate: far }, asNorth),
          'machine.expiration_invalid',
        )
      })

      test('are removed only as those of their user', async () => {
        const userId = await newMachine()
        const other = await newMachine()
        const { tokenId } = await world.call(v2.addPersonalAccessToken, { userId, expirationDate: tomorrow }, asNorth)
        const remove = (id: string, bearer = 'north') =>
          world.call(v1.removePersonalAccessToken, { userId: id, tokenId }, { bearer })
        await isRefused(remove(other), 'machine.token_not_found')
        await isRefused(remove(userId, 'south'), 'user.not_found')
        await remove(userId)
        await isRefused(
          world.call(v1.getPersonalAccessTokenByIDs, { userId, tokenId }, asNorth),
          'machine.token_not_found',
        )
      })
    })

    suite('its keys', () => {
      test('come as a file with the private key; the public key is kept', async () => {
        const userId = await newMachine()
        const request = { userId, type: KeyType.JSON, expirationDate: tomorrow }
        const { keyId, keyDetails, details } = await world.call(v1.addMachineKey, request, asNorth)
        const file = JSON.parse(Buffer.from(keyDetails).toString())
        assert.deepEqual(Object.keys(file), ['type', 'keyId', 'key', 'expirationDate', 'userId'])
        assert.deepEqual([file.type, file.keyId, file.userId], ['serviceaccount', keyId, userId])
        assert.equal(Date.parse(file.expirationDate), NOON + 86_400_000)
        const stored = await world.store.get(machineKeys, keyId)
        assert.ok(stored?.state.status === 'active')
        const text = Buffer.from('hello')
        assert.ok(verify('sha256', text, createPublicKey(stored.state.publicKey), sign('sha256', text, file.key)))
        assert.ok(!JSON.stringify(await world.store.events({ limit: 1000 })).includes('PRIVATE'))
        const { key } = await world.call(v1.getMachineKeyByIDs, { userId, keyId }, asNorth)
        assert.equal(key?.type, KeyType.JSON)
        assert.deepEqual(key.details, details)
        assert.deepEqual((await world.call(v1.listMachineKeys, { userId }, asNorth)).result, [key])
        await world.call(v1.removeMachineKey, { userId, keyId }, asNorth)
        await isRefused(world.call(v1.getMachineKeyByIDs, { userId, keyId }, asNorth), 'machine.key_not_found')
      })

      test('may be given by the caller, who keeps the private key', async () => {
        const userId = await newMachine()
        const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
        const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
        const pair = (modulusLength: number) =>
          Buffer.from(generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding, privateKeyEncoding }).publicKey)
        const add = (publicKey: Uint8Array) =>
          world.call(v2.addKey, { userId, expirationDate: tomorrow, publicKey }, asNorth)
        const { keyId, keyContent } = await add(pair(2048))
        assert.equal(keyContent.length, 0)
        await world.call(v2.removeKey, { userId, keyId }, asNorth)
        await isRefused(add(pair(1024)), 'machine.public_key_invalid', 'publicKey')
        await isRefused(add(Buffer.from('not a key')), 'machine.public_key_invalid', 'publicKey')
      })
    })

    test('humans, users of other organizations and inactive machines get no credentials', async () => {
      const userId = await newMachine()
      const attempts = (id: string, bearer: string) => [
        () => world.call(v1.generateMachineSecret, { userId: id }, { bearer }),
        () => world.call(v1.addPersonalAccessToken, { userId: id }, { bearer }),
        () => world.call(v1.addMachineKey, { userId: id, type: KeyType.JSON }, { bearer }),
      ]
      for (const attempt of attempts('sam', 'north')) await isRefused(attempt(), 'user.not_machine')
      for (const attempt of attempts(userId, 'south')) await isRefused(attempt(), 'user.not_found')
      for (const attempt of attempts('who', 'north')) await isRefused(attempt(), 'user.not_found')
      await isRefused(world.call(v2.addSecret, { userId }, asSouth), 'user.not_found')
      await world.call(v1.lockUser, { id: userId }, asNorth)
      for (const attempt of attempts(userId, 'north')) await isRefused(attempt(), 'user.not_active')
    })

    test('callers get no credential of a machine that may do more than they', async () => {
      const userId = await newMachine()
      const scope = { level: 'instance', id: 'instance' } as const
      await world.store.write({ actor: 'server', at: NOON }, (work) =>
        appointMember(work, { scope, userId, roles: ['IAM_OWNER_VIEWER'] }),
      )
      const attempts = (bearer: string) => [
        () => world.call(v1.generateMachineSecret, { userId }, { bearer }),
        () => world.call(v1.addPersonalAccessToken, { userId }, { bearer }),
        () => world.call(v1.addMachineKey, { userId, type: KeyType.JSON }, { bearer }),
      ]
      for (const attempt of attempts('north')) await isRefused(attempt(), 'user.above_own')
      for (const attempt of attempts('boss')) await attempt()
    })

    test('a removed user is removed together with its credentials', async () => {
      const userId = await newMachine()
      const { tokenId } = await world.call(v1.addPersonalAccessToken, { userId }, asNorth)
      const { keyId } = await world.call(v1.addMachineKey, { userId, type: KeyType.JSON }, asNorth)
      await world.call(v1.generateMachineSecret, { userId }, asNorth)
      const { details } = await world.call(v1.removeUser, { id: userId }, asNorth)
      const [last] = await world.store.events({ descending: true, limit: 1 })
      assert.equal(details?.sequence, BigInt(last?.sequence ?? 0))
      assert.equal(await world.store.get(personalAccessTokens, tokenId), undefined)
      assert.equal(await world.store.get(machineKeys, keyId), undefined)
      assert.equal((await world.store.get(machineSecrets, userId))?.state.status, 'none')
    })

    test('a token added while its user is removed does not stay', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await newMachine()
        const adding = Array.from({ length: 4 }, () => world.call(v1.addPersonalAccessToken, { userId }, asNorth))
        await Promise.allSettled([...adding, world.call(v1.removeUser, { id: userId }, asNorth), ...adding])
        const left = await world.store.find(personalAccessTokens, {
          where: { field: 'userId', equals: userId },
          limit: 9,
        })
        assert.equal(left.total, 0)
      }
    })
  })
}
