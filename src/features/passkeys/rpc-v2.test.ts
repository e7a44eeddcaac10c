import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { PasskeyAuthenticator } from '../../../contract/gen/signet/user/v2/passkey_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Authenticator, type CreateTwists, newAuthenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import { ORIGIN, type PasskeyWorld, RP_ID, withPasskeys } from '../../../test/support/parts/passkeys.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { setPassword } from '../passwords/index.ts'
import { users } from '../users/index.ts'
import { passkeyRegistrations } from './documents.ts'
import { removePasskeysOf } from './handlers/change-key.ts'
import { findPasskeyMethods, keysOf, passkeys } from './index.ts'

const { registerPasskey, verifyPasskeyRegistration, listPasskeys, renamePasskey, removePasskey } = UserService.method
const { registerU2F, verifyU2FRegistration, renameU2F, removeU2F } = UserService.method

for (const engine of engines) {
  suite(`passkeys on ${engine.name}`, () => {
    let world: PasskeyWorld
    before(async () => {
      world = await openWorld({ engine }, withPasskeys())
    })
    after(() => world.dispose())

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const start = async (userId: string, bearer = userId) => {
      const reply = await world.call(registerPasskey, { userId }, { bearer })
      return { ...reply, options: reply.publicKeyCredentialCreationOptions ?? {} }
    }
    const finish = (
      userId: string,
      { passkeyId, options }: { passkeyId: string; options: Awaited<ReturnType<typeof start>>['options'] },
      { bearer = userId, authenticator = newAuthenticator(), ...twists }: Finish = {},
    ) => {
      const publicKeyCredential = authenticator.create(options, { origin: ORIGIN, ...twists })
      const message = { userId, passkeyId, publicKeyCredential, passkeyName: 'My phone' }
      return world.call(verifyPasskeyRegistration, message, { bearer })
    }
    type Finish = { bearer?: string; authenticator?: Authenticator } & Partial<CreateTwists>
    const names = async (userId: string) =>
      (await world.call(listPasskeys, { userId }, { bearer: userId })).result.map(({ name }) => name)

    /** Another way to sign in: users cannot remove their last one. */
    const addPassword = async (userId: string) => {
      const hash = await world.app.hashing.hash('correct horse battery staple')
      await world.store.write(world.origin(), (work) =>
        setPassword(work, { userId, owner: 'north', hash, changeRequired: false }),
      )
    }

    test('a user registers a passkey, lists, renames and removes it', async () => {
      const userId = await world.addPerson()
      await addPassword(userId)
      wait(1000)
      const begun = await start(userId)
      assert.equal(begun.details?.resourceOwner, 'north')
      assert.equal(timestampMs(begun.details?.changeDate ?? assert.fail()), world.clock.now)
      wait(1000)
      const { details } = await finish(userId, begun)
      assert.equal(details?.resourceOwner, 'north')
      assert.equal(timestampMs(details?.changeDate ?? assert.fail()), world.clock.now)
      assert.equal(timestampMs(details?.creationDate ?? assert.fail()), world.clock.now)
      const [last] = await world.store.events({ descending: true, limit: 1 })
      assert.equal(details?.sequence, BigInt(last?.sequence ?? 0))

      const listed = await world.call(listPasskeys, { userId }, { bearer: userId })
      assert.equal(listed.details?.totalResult, 1n)
      assert.deepEqual(
        listed.result.map(({ id, name, state }) => ({ id, name, state })),
        [{ id: begun.passkeyId, name: 'My phone', state: AuthFactorState.READY }],
      )
      const which = { userId, passkeyId: begun.passkeyId }
      await world.call(renamePasskey, { ...which, passkeyName: 'Old phone' }, { bearer: userId })
      assert.deepEqual(await names(userId), ['Old phone'])
      await isRefused(
        world.call(renamePasskey, { ...which, passkeyName: 'two\nlines' }, { bearer: userId }),
        'passkey.name_invalid',
        'passkeyName',
      )
      await world.call(removePasskey, which, { bearer: userId })
      assert.deepEqual(await names(userId), [])
      await world.call(removePasskey, which, { bearer: userId })
      await isRefused(
        world.call(renamePasskey, { ...which, passkeyName: 'x' }, { bearer: userId }),
        'passkey.not_found',
      )
    })

    test('a key that was begun and not verified is not listed, and can be removed', async () => {
      const userId = await world.addPerson()
      await addPassword(userId)
      const { passkeyId } = await start(userId)
      const { u2fId } = await world.call(registerU2F, { userId }, { bearer: userId })
      const listed = await world.call(listPasskeys, { userId }, { bearer: userId })
      assert.deepEqual([listed.details?.totalResult, listed.result], [0n, []])
      const factors = async (...states: AuthFactorState[]) => {
        const message = { userId, states }
        const { result } = await world.call(UserService.method.listAuthenticationFactors, message, { bearer: userId })
        return result.map(({ state, type }) => [state, type.case === 'u2f' ? type.value.id : ''])
      }
      assert.deepEqual(await factors(), [], 'only those that are ready, unless asked for others')
      assert.deepEqual(await factors(AuthFactorState.NOT_READY), [[AuthFactorState.NOT_READY, u2fId]])
      const { details } = await world.call(removePasskey, { userId, passkeyId }, { bearer: userId })
      assert.ok(details?.changeDate)
      await world.call(removeU2F, { userId, u2fId }, { bearer: userId })
      assert.deepEqual([await names(userId), await factors(AuthFactorState.NOT_READY)], [[], []])
      await isRefused(world.call(removePasskey, { userId, passkeyId }, { bearer: userId }), 'passkey.not_found')
    })

    test('the options ask for what the contract says', async () => {
      const userId = await world.addPerson()
      const { authenticator } = await world.register(userId)
      await world.register(userId, 'second_factor')
      const message = { userId, authenticator: PasskeyAuthenticator.CROSS_PLATFORM, domain: 'example.com' }
      const { publicKeyCredentialCreationOptions: options } = await world.call(registerPasskey, message, {
        bearer: userId,
      })
      const { publicKey } = options as { publicKey: Record<string, unknown> }
      const { challenge, pubKeyCredParams, ...rest } = publicKey
      assert.equal(Buffer.from(String(challenge), 'base64url').length, 32)
      assert.deepEqual(
        (pubKeyCredParams as { alg: number }[]).map(({ alg }) => alg).sort((a, b) => b - a),
        [-7, -8, -35, -36, -37, -38, -39, -257, -258, -259],
      )
      assert.deepEqual(rest, {
        rp: { id: 'example.com', name: 'Signet' },
        user: {
          id: Buffer.from(userId).toString('base64url'),
          name: `name of ${userId}`,
          displayName: 'Ada Lovelace',
        },
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: {
          authenticatorAttachment: 'cross-platform',
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      })
      const own = (await start(userId)).options.publicKey as { rp: { id: string }; excludeCredentials: unknown }
      assert.equal(own.rp.id, RP_ID)
      assert.deepEqual(own.excludeCredentials, [
        { type: 'public-key', id: authenticator.credentialId, transports: ['internal'] },
      ])
    })

    test('a user id that is longer than a handle can be is hashed into one', async () => {
      const userId = await world.addPerson({ userId: `long-${'x'.repeat(100)}` })
      const { options } = await start(userId)
      const { user } = options.publicKey as { user: { id: string } }
      assert.equal(Buffer.from(user.id, 'base64url').length, 32)
      await world.register(userId)
    })

    test('a domain that is none of ours is named', async () => {
      const userId = await world.addPerson()
      for (const domain of ['evil.example', 'com', 'https://id.example.com']) {
        const message = { userId, domain }
        await isRefused(
          world.call(registerPasskey, message, { bearer: userId }),
          'passkey.domain_not_allowed',
          'domain',
        )
        await isRefused(world.call(registerU2F, message, { bearer: userId }), 'passkey.domain_not_allowed', 'domain')
      }
    })

    test('a passkey is registered by its user and by callers with the permission for that user, and no other', async () => {
      const userId = await world.addPerson()
      const other = await world.addPerson()
      for (const bearer of [other, 'viewer', 'manager']) {
        await isRefused(start(userId, bearer), 'access.forbidden')
      }
      await isRefused(start(userId, 'south'), 'user.not_found')
      const begun = await start(userId)
      for (const bearer of [other, 'viewer', 'manager']) {
        await isRefused(finish(userId, begun, { bearer }), 'access.forbidden')
      }
      await isRefused(finish(userId, begun, { bearer: 'south' }), 'user.not_found')
      await isRefused(start('nobody-there', other), 'access.forbidden')
      await isRefused(start('nobody-there', 'boss'), 'user.not_found')
      await isRefused(finish('nobody-there', begun, { bearer: 'boss' }), 'user.not_found')
      await finish(userId, await start(userId, 'login'), { bearer: 'north' })
      await world.makeMighty(userId)
      await isRefused(start(userId, 'north'), 'user.above_own')
      await start(userId)
    })

    test('a session that was opened long ago registers nothing', async () => {
      const userId = await world.addPerson()
      const fresh = { bearer: `new.${userId}` }
      const old = { bearer: `old.${userId}` }
      await isRefused(world.call(registerPasskey, { userId }, old), 'access.sign_in_again')
      await isRefused(world.call(registerU2F, { userId }, old), 'access.sign_in_again')
      await world.call(registerPasskey, { userId }, fresh)
      await world.call(registerU2F, { userId }, fresh)
    })

    test('a registration is chosen by its id, finished once, and ends when another is begun', async () => {
      const userId = await world.addPerson()
      const other = await world.addPerson()
      const first = await start(userId)
      await isRefused(finish(userId, { ...first, passkeyId: 'no-such-id' }), 'passkey.not_found')
      await isRefused(finish(other, first), 'passkey.not_found')
      const second = await start(userId)
      await isRefused(finish(userId, first), 'passkey.not_found')
      await isRefused(finish(userId, second, { origin: 'https://evil.example' }), 'passkey.attestation_invalid')
      await finish(userId, second)
      const open = async () => (await world.store.get(passkeyRegistrations, `${userId}/passkey`))?.state.open.length
      assert.equal(await open(), 0)
      await isRefused(finish(userId, second), 'passkey.already_registered')
      await isRefused(finish(userId, first), 'passkey.not_found')
      // However often a registration is begun, only one is under way.
      for (let i = 0; i < 3; i++) await start(userId)
      assert.equal(await open(), 1)
      assert.equal((await keysOf(world.app, userId)).length, 1)
    })

    test('a registration takes five minutes at most', async () => {
      const userId = await world.addPerson()
      const begun = await start(userId)
      wait(300_000)
      await isRefused(finish(userId, begun), 'passkey.registration_expired')
      const again = await start(userId)
      wait(299_999)
      await finish(userId, again)
    })

    test('only an active human gets a key, and machines none', async () => {
      const userId = await world.addPerson()
      const begun = await start(userId)
      await world.store.write(world.origin(), (work) => work.decide(users, userId, { type: 'deactivate' }))
      await isRefused(finish(userId, begun, { bearer: 'boss' }), 'user.not_active')
      await isRefused(start(userId, 'boss'), 'user.not_active')
      await world.store.write(world.origin(), (work) => work.decide(users, userId, { type: 'reactivate' }))
      await finish(userId, begun)
      const machine = { type: 'add_machine', userName: 'robot-1', name: 'Robot', description: '' } as const
      await world.store.write(world.origin(), (work) =>
        work.decide(users, 'robot-1', { ...machine, accessTokenType: 'bearer' }, 'north'),
      )
      await isRefused(start('robot-1', 'boss'), 'user.not_human')
    })

    test('a passkey finishes the set-up of a new user', async () => {
      const userId = await world.addPerson({ needsSetUp: true })
      await world.register(userId, 'second_factor')
      const statusOf = async () => (await world.store.get(users, userId))?.state.status
      assert.equal(await statusOf(), 'initial')
      await world.register(userId, 'passkey')
      assert.equal(await statusOf(), 'active')
    })

    test('second-factor keys have ids, a list and names of their own', async () => {
      const userId = await world.addPerson()
      const bearer = userId
      const passkey = await start(userId)
      const reply = await world.call(registerU2F, { userId }, { bearer })
      const { u2fId, publicKeyCredentialCreationOptions: options = {} } = reply
      const authenticator = newAuthenticator({ verifiesUser: false })
      const publicKeyCredential = authenticator.create(options, { origin: ORIGIN })
      const message = { userId, u2fId, publicKeyCredential, tokenName: 'Fob' }
      // Neither id is good for the other method.
      const swapped = { userId, passkeyId: u2fId, publicKeyCredential, passkeyName: 'Fob' }
      await isRefused(world.call(verifyPasskeyRegistration, swapped, { bearer }), 'passkey.not_found')
      await world.call(verifyU2FRegistration, message, { bearer })
      await finish(userId, passkey)
      assert.deepEqual(await names(userId), ['My phone'])
      const keys = await keysOf(world.app, userId, 'second_factor')
      assert.deepEqual(
        keys.map(({ id, name }) => [id, name]),
        [[u2fId, 'Fob']],
      )
      await isRefused(world.call(removePasskey, { userId, passkeyId: u2fId }, { bearer }), 'passkey.not_found')
      await isRefused(world.call(removeU2F, { userId, u2fId: passkey.passkeyId }, { bearer }), 'passkey.not_found')
      await world.call(renameU2F, { userId, u2fId, tokenName: 'Ring' }, { bearer })
      assert.deepEqual([...(await findPasskeyMethods(world.app, userId))].sort(), ['passkey', 'u2f'])
      const elsewhere = { name: 'example.org' }
      assert.deepEqual(await findPasskeyMethods(world.app, userId, elsewhere), [])
      await world.call(removeU2F, { userId, u2fId }, { bearer })
      assert.deepEqual(await findPasskeyMethods(world.app, userId), ['passkey'])
    })

    test('a credential that was removed may be registered again', async () => {
      const userId = await world.addPerson()
      await addPassword(userId)
      const { authenticator, keyId } = await world.register(userId)
      await isRefused(finish(userId, await start(userId), { authenticator }), 'passkey.credential_taken')
      await world.call(removePasskey, { userId, passkeyId: keyId }, { bearer: userId })
      await finish(userId, await start(userId), { authenticator })
    })

    test('a removed user leaves no key and no registration behind', async () => {
      const userId = await world.addPerson()
      const { keyId, authenticator } = await world.register(userId)
      await start(userId)
      const remove = () => world.store.write(world.origin(), (work) => removePasskeysOf(world.app, work, userId))
      await remove()
      await remove()
      assert.equal(await world.store.get(passkeys, keyId), undefined)
      assert.equal(await world.store.get(passkeyRegistrations, `${userId}/passkey`), undefined)
      await world.register(await world.addPerson(), 'passkey', authenticator)
    })

    test('challenges are stored as secrets only', async () => {
      const events = await world.store.events({ types: ['passkey_registration.started.v1'], limit: 100 })
      assert.ok(events.length > 10)
      for (const { data } of events) {
        const { secret, ...open } = data as { secret: { challenge: string } }
        assert.ok(!JSON.stringify(open).includes(secret.challenge))
      }
    })

    test('a rebuild gives the same documents', async () => {
      const where = { field: 'owner', equals: 'north' } as const
      const read = async () => JSON.stringify((await world.store.find(passkeys, { where, limit: 1000 })).documents)
      const before = await read()
      await world.store.rebuild([passkeys, passkeyRegistrations])
      assert.equal(await read(), before)
    })
  })
}
