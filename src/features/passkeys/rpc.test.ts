import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { PasskeyAuthenticator } from '../../../contract/gen/signet/user/v2/passkey_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Authenticator, type CreateTwists, newAuthenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import { ORIGIN, openPasskeyHouse, type PasskeyHouse, RP_ID } from '../../../test/support/passkey-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { instant } from '../../kernel/instant.ts'
import { users } from '../users/index.ts'
import { findPasskeyMethods, keysOf, passkeyRegistrations, passkeys, removePasskeysOf } from './index.ts'

const { registerPasskey, verifyPasskeyRegistration, listPasskeys, renamePasskey, removePasskey } = UserService.method
const { registerU2F, verifyU2FRegistration, renameU2F, removeU2F } = UserService.method

for (const engine of engines) {
  suite(`passkeys on ${engine.name}`, () => {
    let house: PasskeyHouse
    before(async () => {
      house = await openPasskeyHouse(engine)
    })
    after(() => house.dispose())

    const wait = (milliseconds: number) => {
      house.clock.now = instant(house.clock.now + milliseconds)
    }
    const start = async (userId: string, bearer = userId) => {
      const reply = await house.call(registerPasskey, { userId }, { bearer })
      return { ...reply, options: reply.publicKeyCredentialCreationOptions ?? {} }
    }
    const finish = (
      userId: string,
      { passkeyId, options }: { passkeyId: string; options: Awaited<ReturnType<typeof start>>['options'] },
      { bearer = userId, authenticator = newAuthenticator(), ...twists }: Finish = {},
    ) => {
      const publicKeyCredential = authenticator.create(options, { origin: ORIGIN, ...twists })
      const message = { userId, passkeyId, publicKeyCredential, passkeyName: 'My phone' }
      return house.call(verifyPasskeyRegistration, message, { bearer })
    }
    type Finish = { bearer?: string; authenticator?: Authenticator } & Partial<CreateTwists>
    const names = async (userId: string) =>
      (await house.call(listPasskeys, { userId }, { bearer: userId })).result.map(({ name }) => name)

    test('a person registers a passkey, sees, renames and removes it', async () => {
      const userId = await house.addPerson()
      wait(1000)
      const begun = await start(userId)
      assert.equal(begun.details?.resourceOwner, 'north')
      assert.equal(timestampMs(begun.details?.changeDate ?? assert.fail()), house.clock.now)
      wait(1000)
      const { details } = await finish(userId, begun)
      assert.equal(details?.resourceOwner, 'north')
      assert.equal(timestampMs(details?.changeDate ?? assert.fail()), house.clock.now)
      assert.equal(timestampMs(details?.creationDate ?? assert.fail()), house.clock.now)
      const [last] = await house.store.events({ descending: true, limit: 1 })
      assert.equal(details?.sequence, BigInt(last?.sequence ?? 0))

      const listed = await house.call(listPasskeys, { userId }, { bearer: userId })
      assert.equal(listed.details?.totalResult, 1n)
      assert.deepEqual(
        listed.result.map(({ id, name, state }) => ({ id, name, state })),
        [{ id: begun.passkeyId, name: 'My phone', state: AuthFactorState.READY }],
      )
      const which = { userId, passkeyId: begun.passkeyId }
      await house.call(renamePasskey, { ...which, passkeyName: 'Old phone' }, { bearer: userId })
      assert.deepEqual(await names(userId), ['Old phone'])
      await isRefused(
        house.call(renamePasskey, { ...which, passkeyName: 'two\nlines' }, { bearer: userId }),
        'passkey.name_invalid',
        'passkeyName',
      )
      await house.call(removePasskey, which, { bearer: userId })
      assert.deepEqual(await names(userId), [])
      await isRefused(house.call(removePasskey, which, { bearer: userId }), 'passkey.not_found')
      await isRefused(
        house.call(renamePasskey, { ...which, passkeyName: 'x' }, { bearer: userId }),
        'passkey.not_found',
      )
    })

    test('the options ask for what the contract says', async () => {
      const userId = await house.addPerson()
      const { authenticator } = await house.register(userId)
      await house.register(userId, 'second_factor')
      const message = { userId, authenticator: PasskeyAuthenticator.CROSS_PLATFORM, domain: 'example.com' }
      const { publicKeyCredentialCreationOptions: options } = await house.call(registerPasskey, message, {
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
      const userId = await house.addPerson({ userId: `long-${'x'.repeat(100)}` })
      const { options } = await start(userId)
      const { user } = options.publicKey as { user: { id: string } }
      assert.equal(Buffer.from(user.id, 'base64url').length, 32)
      await house.register(userId)
    })

    test('a domain that is none of ours is named', async () => {
      const userId = await house.addPerson()
      for (const domain of ['evil.example', 'com', 'https://id.example.com']) {
        const message = { userId, domain }
        await isRefused(
          house.call(registerPasskey, message, { bearer: userId }),
          'passkey.domain_not_allowed',
          'domain',
        )
        await isRefused(house.call(registerU2F, message, { bearer: userId }), 'passkey.domain_not_allowed', 'domain')
      }
    })

    test('who may: oneself and those with the permission where the user is, and nobody else', async () => {
      const userId = await house.addPerson()
      const other = await house.addPerson()
      for (const bearer of [other, 'viewer', 'manager', 'south']) {
        await isRefused(start(userId, bearer), 'access.forbidden')
      }
      const begun = await start(userId)
      for (const bearer of [other, 'viewer', 'manager', 'south']) {
        await isRefused(finish(userId, begun, { bearer }), 'access.forbidden')
      }
      await isRefused(start('nobody-there', other), 'access.forbidden')
      await isRefused(start('nobody-there', 'boss'), 'user.not_found')
      await isRefused(finish('nobody-there', begun, { bearer: 'boss' }), 'user.not_found')
      await finish(userId, await start(userId, 'login'), { bearer: 'north' })
      house.mighty.add(userId)
      await isRefused(start(userId, 'north'), 'passkey.above_own')
      await start(userId)
    })

    test('a session that was opened long ago registers nothing', async () => {
      const userId = await house.addPerson()
      const fresh = { bearer: `new.${userId}` }
      const old = { bearer: `old.${userId}` }
      await isRefused(house.call(registerPasskey, { userId }, old), 'access.sign_in_again')
      await isRefused(house.call(registerU2F, { userId }, old), 'access.sign_in_again')
      await house.call(registerPasskey, { userId }, fresh)
      await house.call(registerU2F, { userId }, fresh)
    })

    test('a registration is chosen by its id, finished once, and ends when another is begun', async () => {
      const userId = await house.addPerson()
      const other = await house.addPerson()
      const first = await start(userId)
      await isRefused(finish(userId, { ...first, passkeyId: 'no-such-id' }), 'passkey.not_found')
      await isRefused(finish(other, first), 'passkey.not_found')
      const second = await start(userId)
      await isRefused(finish(userId, first), 'passkey.not_found')
      await isRefused(finish(userId, second, { origin: 'https://evil.example' }), 'passkey.attestation_invalid')
      await finish(userId, second)
      assert.equal((await house.store.get(passkeyRegistrations, `${userId}/passkey`))?.state.status, 'none')
      await isRefused(finish(userId, second), 'passkey.already_registered')
      await isRefused(finish(userId, first), 'passkey.not_found')
      // However often one begins, there is one place for it.
      for (let i = 0; i < 3; i++) await start(userId)
      assert.equal((await house.store.get(passkeyRegistrations, `${userId}/passkey`))?.state.status, 'open')
      assert.equal((await keysOf(house.store, userId)).length, 1)
    })

    test('a registration takes five minutes at most', async () => {
      const userId = await house.addPerson()
      const begun = await start(userId)
      wait(300_000)
      await isRefused(finish(userId, begun), 'passkey.registration_expired')
      const again = await start(userId)
      wait(299_999)
      await finish(userId, again)
    })

    test('only an active person gets a key, and machines none', async () => {
      const userId = await house.addPerson()
      const begun = await start(userId)
      await house.store.write(house.origin(), (work) => work.decide(users, userId, { type: 'deactivate' }))
      await isRefused(finish(userId, begun, { bearer: 'boss' }), 'user.not_active')
      await isRefused(start(userId, 'boss'), 'user.not_active')
      await house.store.write(house.origin(), (work) => work.decide(users, userId, { type: 'reactivate' }))
      await finish(userId, begun)
      const machine = { type: 'add_machine', userName: 'robot-1', name: 'Robot', description: '' } as const
      await house.store.write(house.origin(), (work) =>
        work.decide(users, 'robot-1', { ...machine, accessTokenType: 'bearer' }, 'north'),
      )
      await isRefused(start('robot-1', 'boss'), 'user.not_human')
    })

    test('a person whom nobody has set up yet is set up by a passkey', async () => {
      const userId = await house.addPerson({ needsSetUp: true })
      await house.register(userId, 'second_factor')
      const statusOf = async () => (await house.store.get(users, userId))?.state.status
      assert.equal(await statusOf(), 'initial')
      await house.register(userId, 'passkey')
      assert.equal(await statusOf(), 'active')
    })

    test('second-factor keys have a place, a list and a name of their own', async () => {
      const userId = await house.addPerson()
      const bearer = userId
      const passkey = await start(userId)
      const reply = await house.call(registerU2F, { userId }, { bearer })
      const { u2fId, publicKeyCredentialCreationOptions: options = {} } = reply
      const authenticator = newAuthenticator({ verifiesUser: false })
      const publicKeyCredential = authenticator.create(options, { origin: ORIGIN })
      const message = { userId, u2fId, publicKeyCredential, tokenName: 'Fob' }
      // Neither id is good for the other method.
      const swapped = { userId, passkeyId: u2fId, publicKeyCredential, passkeyName: 'Fob' }
      await isRefused(house.call(verifyPasskeyRegistration, swapped, { bearer }), 'passkey.not_found')
      await house.call(verifyU2FRegistration, message, { bearer })
      await finish(userId, passkey)
      assert.deepEqual(await names(userId), ['My phone'])
      const keys = await keysOf(house.store, userId, 'second_factor')
      assert.deepEqual(
        keys.map(({ id, name }) => [id, name]),
        [[u2fId, 'Fob']],
      )
      await isRefused(house.call(removePasskey, { userId, passkeyId: u2fId }, { bearer }), 'passkey.not_found')
      await isRefused(house.call(removeU2F, { userId, u2fId: passkey.passkeyId }, { bearer }), 'passkey.not_found')
      await house.call(renameU2F, { userId, u2fId, tokenName: 'Ring' }, { bearer })
      assert.deepEqual([...(await findPasskeyMethods(house.store)(userId))].sort(), ['passkey', 'u2f'])
      const elsewhere = { name: 'example.org', withUnbound: true }
      assert.deepEqual(await findPasskeyMethods(house.store)(userId, elsewhere), [])
      await house.call(removeU2F, { userId, u2fId }, { bearer })
      assert.deepEqual(await findPasskeyMethods(house.store)(userId), ['passkey'])
    })

    test('a credential that was removed may be registered again', async () => {
      const userId = await house.addPerson()
      const { authenticator, keyId } = await house.register(userId)
      await isRefused(finish(userId, await start(userId), { authenticator }), 'passkey.credential_taken')
      await house.call(removePasskey, { userId, passkeyId: keyId }, { bearer: userId })
      await finish(userId, await start(userId), { authenticator })
    })

    test('a removed user leaves no key and no registration behind', async () => {
      const userId = await house.addPerson()
      const { keyId, authenticator } = await house.register(userId)
      await start(userId)
      const remove = () => house.store.write(house.origin(), (work) => removePasskeysOf(house.store)(work, userId))
      await remove()
      await remove()
      assert.equal(await house.store.get(passkeys, keyId), undefined)
      assert.equal(await house.store.get(passkeyRegistrations, `${userId}/passkey`), undefined)
      await house.register(await house.addPerson(), 'passkey', authenticator)
    })

    test('secrets stand where the audit does not look', async () => {
      const events = await house.store.events({ types: ['passkey_registration.started.v1'], limit: 100 })
      assert.ok(events.length > 10)
      for (const { data } of events) {
        const { secret, ...open } = data as { secret: { challenge: string } }
        assert.ok(!JSON.stringify(open).includes(secret.challenge))
      }
    })

    test('what is folded again is the same', async () => {
      const where = { field: 'owner', equals: 'north' } as const
      const read = async () => JSON.stringify((await house.store.find(passkeys, { where, limit: 1000 })).documents)
      const before = await read()
      await house.store.rebuild([passkeys, passkeyRegistrations])
      assert.equal(await read(), before)
    })
  })
}
