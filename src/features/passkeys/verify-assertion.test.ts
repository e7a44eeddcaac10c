import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Authenticator, FLAGS, newAuthenticator } from '../../../test/support/authenticator.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { ORIGIN, type PasskeyWorld, RP_ID, withPasskeys } from '../../../test/support/parts/passkeys.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { importPasskey, keysOf, passkeys, requestAssertion, type UserVerification, verifyAssertion } from './index.ts'

for (const engine of bothEngines) {
  suite(`signing with keys on ${engine.name}`, () => {
    let world: PasskeyWorld
    before(async () => {
      world = await openWorld({ engine }, withPasskeys())
    })
    after(() => world.dispose())

    const ask = (userId: string | undefined, userVerification: UserVerification = 'required', rpId = RP_ID) =>
      requestAssertion(world.app, { userId, rpId, userVerification, at: world.clock.now })
    type Asked = Awaited<ReturnType<typeof ask>>
    const answer = ({ challenge, options }: Asked, userId: string | undefined, authenticator: Authenticator) => {
      const credential = authenticator.get(options, { origin: ORIGIN })
      return verifyAssertion(world.app, { challenge, userId, credential, at: world.clock.now })
    }

    test('a passkey signs for its user, and counts', async () => {
      const userId = await world.addPerson()
      const { authenticator, keyId } = await world.register(userId)
      const asked = await ask(userId)
      assert.deepEqual(asked.challenge, {
        challenge: (asked.options.publicKey as { challenge: string }).challenge,
        rpId: RP_ID,
        userVerification: 'required',
        allowed: [authenticator.credentialId],
        expiresAt: world.clock.now + 300_000,
      })
      const { confirm, ...signed } = await answer(asked, userId, authenticator)
      assert.deepEqual(signed, { userId, owner: 'north', keyId, use: 'passkey', userVerified: true })
      await world.store.write(world.origin(), confirm)
      const state = (await world.store.get(passkeys, keyId))?.state
      assert.equal(state?.status === 'ready' && state.signCount, authenticator.signCount)
    })

    test('without a user, any passkey of that domain signs in its user', async () => {
      const userId = await world.addPerson()
      const { authenticator } = await world.register(userId)
      const asked = await ask(undefined)
      assert.deepEqual(asked.challenge.allowed, [])
      assert.deepEqual((asked.options.publicKey as { allowCredentials: unknown }).allowCredentials, [])
      assert.equal((await answer(asked, undefined, authenticator)).userId, userId)
    })

    test('a key from another product that did not keep its flags learns them, and keeps its user handle', async () => {
      const userHandle = Buffer.from('somebody-there').toString('base64url')
      for (const isSynced of [true, false]) {
        const userId = await world.addPerson()
        const { authenticator, keyId } = await world.register(userId, 'passkey', newAuthenticator({ isSynced }))
        const made = (await world.store.get(passkeys, keyId))?.state
        assert.ok(made?.status === 'ready')
        await world.store.write(world.origin(), (work) => work.decide(passkeys, keyId, { type: 'remove' }))
        const id = `imported-${userId}`
        const { credentialId, publicKey } = made
        const key = { id, userId, owner: 'north', use: 'passkey', rpId: RP_ID, name: 'Key', signCount: 0 } as const
        await world.store.write(world.origin(), (work) =>
          importPasskey(work, { ...key, credentialId, publicKey, userHandle }),
        )
        const sign = async (setFlags: number, clearFlags: number, handle = userHandle) => {
          const { challenge, options } = await ask(undefined)
          const credential = authenticator.get(options, { origin: ORIGIN, setFlags, clearFlags, userHandle: handle })
          const given = { challenge, userId: undefined, credential, at: world.clock.now }
          const { confirm } = await verifyAssertion(world.app, given)
          await world.store.write(world.origin(), confirm)
        }
        const own = Buffer.from(userId).toString('base64url')
        await isRefused(sign(0, 0, own), 'passkey.assertion_invalid')
        await sign(0, 0)
        const state = (await world.store.get(passkeys, id))?.state
        assert.equal(state?.status === 'ready' && state.isBackupEligible, isSynced)
        await sign(0, 0)
        const [set, clear] = isSynced ? [0, FLAGS.BE | FLAGS.BS] : [FLAGS.BE, 0]
        await isRefused(sign(set, clear), 'passkey.assertion_invalid')
      }
    })

    test('a second factor need not know its user, and is no passkey', async () => {
      const userId = await world.addPerson()
      await isRefused(ask(userId, 'preferred'), 'passkey.none')
      const fob = newAuthenticator({ verifiesUser: false, counts: true })
      const { keyId } = await world.register(userId, 'second_factor', fob)
      await isRefused(ask(userId), 'passkey.none')
      for (const wish of ['preferred', 'discouraged'] as const) {
        const { confirm, ...signed } = await answer(await ask(userId, wish), userId, fob)
        assert.deepEqual(signed, { userId, owner: 'north', keyId, use: 'second_factor', userVerified: false })
      }
      const { authenticator: knowing } = await world.register(userId, 'second_factor')
      for (const key of [fob, knowing]) {
        await isRefused(answer(await ask(undefined), undefined, key), 'passkey.assertion_invalid')
      }
    })

    test('keys of one domain are not asked for on another', async () => {
      const userId = await world.addPerson()
      const { authenticator } = await world.register(userId)
      await isRefused(ask(userId, 'required', 'example.com'), 'passkey.none')
      await isRefused(ask(userId, 'required', 'evil.example'), 'passkey.domain_not_allowed', 'domain')
      // A browser would not let a key sign for another domain; other clients are refused here.
      await isRefused(
        answer(await ask(undefined, 'required', 'example.com'), undefined, authenticator),
        'passkey.assertion_invalid',
      )
    })

    test('a challenge lives five minutes', async () => {
      const userId = await world.addPerson()
      const { authenticator } = await world.register(userId)
      const asked = await ask(userId)
      world.clock.now = instant(world.clock.now + 299_999)
      await answer(asked, userId, authenticator)
      world.clock.now = instant(world.clock.now + 1)
      await isRefused(answer(asked, userId, authenticator), 'passkey.challenge_expired')
    })

    test('a key that was removed, or used further, meanwhile is refused in the write', async () => {
      const userId = await world.addPerson()
      const { authenticator, keyId } = await world.register(userId)
      const early = await answer(await ask(userId), userId, authenticator)
      const late = await answer(await ask(userId), userId, authenticator)
      await world.store.write(world.origin(), late.confirm)
      await isRefused(world.store.write(world.origin(), early.confirm), 'passkey.assertion_invalid')
      const last = await answer(await ask(userId), userId, authenticator)
      await world.store.write(world.origin(), (work) => work.decide(passkeys, keyId, { type: 'remove' }))
      await isRefused(world.store.write(world.origin(), last.confirm), 'passkey.assertion_invalid')
      await isRefused(answer({ ...(await ask(undefined)) }, undefined, authenticator), 'passkey.assertion_invalid')
    })

    test('eight confirmations of one signature over two nodes: one', async () => {
      const other = await world.another()
      for (let round = 0; round < 5; round++) {
        const userId = await world.addPerson()
        const { authenticator } = await world.register(userId)
        const { confirm } = await answer(await ask(userId), userId, authenticator)
        const nodes = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? world.store : other.store))
        const results = await Promise.allSettled(nodes.map((store) => store.write(world.origin(), confirm)))
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      }
    })

    test('a key that does not count leaves one event a day in the log, with its last use', async () => {
      const userId = await world.addPerson()
      const synced = newAuthenticator({ isSynced: true })
      const { keyId } = await world.register(userId, 'passkey', synced)
      const signThrice = async () => {
        for (let i = 0; i < 3; i++) {
          const { confirm } = await answer(await ask(userId), userId, synced)
          await world.store.write(world.origin(), confirm)
        }
        const { revision, state } = (await world.store.get(passkeys, keyId)) ?? assert.fail()
        return [revision, state.status === 'ready' && state.usedAt]
      }
      const [before] = await keysOf(world.app, userId)
      assert.equal(before?.usedAt, undefined)
      const first = world.clock.now
      assert.deepEqual(await signThrice(), [2, first])
      world.clock.now = instant(first + 86_399_999)
      assert.deepEqual(await signThrice(), [2, first])
      world.clock.now = instant(first + 86_400_000)
      assert.deepEqual(await signThrice(), [3, first + 86_400_000])
    })
  })
}
