/**
 * For every "verify" step of WebAuthn Level 3 §7.1 and §7.2 at least one credential that is right but for that step. Each
 * is refused as the caller's mistake, never as a fault, and nothing of it is kept.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import {
  type Authenticator,
  type CreateTwists,
  FLAGS,
  type GetTwists,
  newAuthenticator,
} from '../../../test/support/authenticator.ts'
import { type Cbor, encodeCbor } from '../../../test/support/cbor.ts'
import { ORIGIN, type PasskeyWorld, RP_ID, withPasskeys } from '../../../test/support/parts/passkeys.ts'
import { openWorld } from '../../../test/support/world.ts'
import { ASSERTIONS, REGISTRATIONS } from '../../../test/support/wrong-credentials.ts'
import { Refused } from '../../kernel/refusal.ts'
import { finishRegistration, keysOf, requestAssertion, startRegistration, verifyAssertion } from './index.ts'

function isInvalid(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof Refused, String((error as Error).stack))
    assert.deepEqual([error.code, error.kind], [code, 'invalid'])
    return true
  }
}

suite('credentials that are wrong in one way', () => {
  let world: PasskeyWorld
  before(async () => {
    world = await openWorld({}, withPasskeys())
  })
  after(() => world.dispose())

  test('are more than sixty', () => {
    assert.ok(Object.keys(REGISTRATIONS).length + Object.keys(ASSERTIONS).length >= 60)
  })

  suite('registration refuses', () => {
    let userId: string
    before(async () => {
      userId = await world.addPerson()
    })
    const finish = async (twists: Partial<CreateTwists>, authenticator = newAuthenticator()) => {
      const { app, origin } = world
      const { passkeyId, options } = await startRegistration(app, origin(), { userId, use: 'passkey', domain: '' })
      const credential = authenticator.create(options, { origin: ORIGIN, ...twists })
      return finishRegistration(app, origin(), {
        userId,
        use: 'passkey',
        passkeyId,
        credential,
        name: 'Key',
        nameField: 'passkeyName',
      })
    }
    for (const [what, twists] of Object.entries(REGISTRATIONS)) {
      test(what, async () => {
        await assert.rejects(finish(twists), isInvalid('passkey.attestation_invalid'))
        assert.deepEqual(await keysOf(world.app, userId), [])
      })
    }

    test('the challenge of an earlier registration, of another user, of a second factor', async () => {
      const other = await world.addPerson()
      const of = { userId, use: 'passkey', domain: '' } as const
      for (const earlier of [of, { ...of, userId: other }, { ...of, use: 'second_factor' }] as const) {
        const { options } = await startRegistration(world.app, world.origin(), earlier)
        const { challenge } = options.publicKey as { challenge: string }
        await assert.rejects(finish({ challenge }), isInvalid('passkey.attestation_invalid'))
      }
    })

    test('a credential that is registered already, also of another user', async () => {
      const authenticator = newAuthenticator()
      const other = await world.addPerson()
      await world.register(other, 'second_factor', authenticator)
      await assert.rejects(finish({}, authenticator), isInvalid('passkey.credential_taken'))
      assert.deepEqual(await keysOf(world.app, userId), [])
    })

    test('and takes the same when nothing is wrong', async () => {
      for (const alg of ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256'] as const) {
        await finish({}, newAuthenticator({ alg }))
        await finish({ selfAttests: true }, newAuthenticator({ alg }))
      }
      await finish({ setFlags: FLAGS.ED, extensions: encodeCbor(new Map([['credProtect', 2]])) })
      await finish({ crossOrigin: true, topOrigin: ORIGIN })
      // Statements that lead to certificates are like none: what they lead to is never followed.
      for (const format of ['packed', 'android-key', 'apple', 'tpm', 'fido-u2f', 'android-safetynet']) {
        const statement = new Map<string, Cbor>(
          Object.entries({ alg: -7, sig: randomBytes(70), x5c: [randomBytes(99)] }),
        )
        await finish({ format, statement })
      }
      await finish({ format: 'compound', statement: [] })
      await finish({}, newAuthenticator({ idLength: 1023, isSynced: true }))
      assert.equal((await keysOf(world.app, userId)).length, 22)
    })
  })

  suite('signing in refuses', () => {
    let userId: string
    let authenticator: Authenticator
    before(async () => {
      userId = await world.addPerson()
      authenticator = newAuthenticator({ counts: true })
      await world.register(userId, 'passkey', authenticator)
      await signIn({ signCount: 5 }).then(({ confirm }) => world.store.write(world.origin(), confirm))
    })
    const ask = (of: { userId?: string } = { userId }) =>
      requestAssertion(world.app, {
        userId: of.userId,
        rpId: RP_ID,
        userVerification: 'required',
        at: world.clock.now,
      })
    const signIn = async (twists: Partial<GetTwists>) => {
      const { challenge, options } = await ask()
      const credential = authenticator.get(options, { origin: ORIGIN, signCount: 6, ...twists })
      return verifyAssertion(world.app, { challenge, userId, credential, at: world.clock.now })
    }
    for (const [what, twists] of Object.entries(ASSERTIONS)) {
      test(what, () => assert.rejects(signIn(twists), isInvalid('passkey.assertion_invalid')))
    }

    test('a credential of another user, of another use, or one that was not asked for', async () => {
      const other = await world.addPerson()
      const theirs = await world.register(other)
      const second = await world.register(userId, 'second_factor')
      const later = newAuthenticator()
      const { challenge, options } = await ask()
      await world.register(userId, 'passkey', later)
      for (const one of [theirs.authenticator, second.authenticator, later]) {
        const credential = one.get(options, { origin: ORIGIN, signCount: 6 })
        const given = { challenge, userId, credential, at: world.clock.now }
        await assert.rejects(verifyAssertion(world.app, given), isInvalid('passkey.assertion_invalid'))
      }
    })

    test('a discoverable credential without the handle of its user', async () => {
      const { challenge, options } = await ask({})
      const verify = (twists: Partial<GetTwists>) => {
        const credential = authenticator.get(options, { origin: ORIGIN, signCount: 6, ...twists })
        return verifyAssertion(world.app, { challenge, userId: undefined, credential, at: world.clock.now })
      }
      await assert.rejects(verify({ userHandle: undefined }), isInvalid('passkey.assertion_invalid'))
      await assert.rejects(verify({ userHandle: 'AAAA' }), isInvalid('passkey.assertion_invalid'))
      assert.equal((await verify({})).userId, userId)
    })

    test('and takes the same when nothing is wrong', async () => {
      assert.equal((await signIn({})).userId, userId)
      assert.equal((await signIn({ userHandle: undefined })).userId, userId)
      assert.equal((await signIn({ crossOrigin: true, topOrigin: ORIGIN })).userId, userId)
    })
  })
})
