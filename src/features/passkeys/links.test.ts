import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import { ORIGIN, openPasskeyHouse, type PasskeyHouse } from '../../../test/support/passkey-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { users } from '../users/index.ts'
import { attempts } from '../verifications/index.ts'
import { keysOf } from './index.ts'

const { registerPasskey, verifyPasskeyRegistration, createPasskeyRegistrationLink } = UserService.method
const HOUR = 3_600_000
const returnCode = { case: 'returnCode', value: {} } as const

for (const engine of engines) {
  suite(`registration links on ${engine.name}`, () => {
    let house: PasskeyHouse
    before(async () => {
      house = await openPasskeyHouse(engine)
    })
    after(() => house.dispose())

    const wait = (milliseconds: number) => {
      house.clock.now = instant(house.clock.now + milliseconds)
    }
    interface Code {
      readonly id: string
      readonly code: string
    }
    const newCode = async (userId: string): Promise<Code> => {
      const { code } = await house.call(
        createPasskeyRegistrationLink,
        { userId, medium: returnCode },
        { bearer: 'boss' },
      )
      return { id: code?.id ?? '', code: code?.code ?? '' }
    }
    const start = (userId: string, code: Code, bearer = 'somebody', call = house.call) =>
      call(registerPasskey, { userId, code }, { bearer })
    const finish = async (
      userId: string,
      begun: Awaited<ReturnType<typeof start>>,
      { origin = ORIGIN, call = house.call }: { origin?: string; call?: typeof house.call } = {},
    ) => {
      const options = begun.publicKeyCredentialCreationOptions ?? {}
      const publicKeyCredential = newAuthenticator().create(options, { origin })
      const message = { userId, passkeyId: begun.passkeyId, publicKeyCredential, passkeyName: 'By link' }
      return call(verifyPasskeyRegistration, message, { bearer: 'login' })
    }
    const wrong = ({ id, code }: Code): Code => ({ id, code: code.replace(/./, (sign) => (sign === 'A' ? 'B' : 'A')) })

    test('a returned code is long, stored only as a hash, and not sent', async () => {
      const userId = await house.addPerson()
      const { length } = house.mailed
      const { id, code } = await newCode(userId)
      assert.match(code, /^[2-9A-HJ-NP-Z]{16}$/)
      assert.equal(house.mailed.length, length)
      assert.ok(!JSON.stringify(await house.store.events({ id: `${userId}/passkey`, limit: 10 })).includes(code))
      assert.match(id, /^[0-9a-f-]{36}$/)
    })

    test('a link is mailed to the person, with the template that was asked for', async () => {
      const userId = await house.addPerson()
      const reply = await house.call(createPasskeyRegistrationLink, { userId }, { bearer: 'north' })
      assert.equal(reply.code, undefined)
      assert.equal(reply.details?.resourceOwner, 'north')
      const urlTemplate = 'https://login.example.com/{{.UserID}}/{{.CodeID}}/{{.Code}}'
      const medium = { case: 'sendLink', value: { urlTemplate } } as const
      await house.call(createPasskeyRegistrationLink, { userId, medium }, { bearer: 'north' })
      const [first, second] = house.mailed.slice(-2)
      assert.deepEqual([first?.user.id, first?.urlTemplate], [userId, undefined])
      assert.equal(second?.urlTemplate, urlTemplate)
      const bad = { case: 'sendLink', value: { urlTemplate: 'ftp://x' } } as const
      await isRefused(
        house.call(createPasskeyRegistrationLink, { userId, medium: bad }, { bearer: 'north' }),
        'passkey.link_invalid',
        'sendLink.urlTemplate',
      )
      // The later link is the one that counts.
      const codeOf = (message: typeof first) => ({ id: message?.codeId ?? '', code: message?.code ?? '' })
      await isRefused(start(userId, codeOf(first)), 'verification.code_invalid')
      await finish(userId, await start(userId, codeOf(second)))
    })

    test('a link stays good until a registration with it succeeded', async () => {
      const userId = await house.addPerson()
      const code = await newCode(userId)
      await start(userId, code)
      const again = await start(userId, code)
      await isRefused(finish(userId, again, { origin: 'https://evil.example' }), 'passkey.attestation_invalid')
      await start(userId, code)
      wait(HOUR - 1000)
      const last = await start(userId, code)
      await finish(userId, last)
      assert.equal((await keysOf(house.store, userId)).length, 1)
      await isRefused(start(userId, code), 'verification.code_invalid')
    })

    test('two registrations that were begun with one link cannot both be finished', async () => {
      const userId = await house.addPerson()
      const code = await newCode(userId)
      const begun = await start(userId, code)
      const other = await house.another()
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          finish(userId, begun, { call: index % 2 === 0 ? house.call : other.call }),
        ),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const one of results) if (one.status === 'rejected') assert.ok(one.reason instanceof Refused)
      assert.equal((await keysOf(house.store, userId)).length, 1)
    })

    test('a link lives an hour, and failures do not lengthen it', async () => {
      const userId = await house.addPerson()
      const code = await newCode(userId)
      wait(HOUR - 1000)
      await isRefused(start(userId, wrong(code)), 'verification.code_invalid')
      const begun = await start(userId, code)
      wait(1000)
      await isRefused(start(userId, code), 'verification.code_invalid')
      await isRefused(finish(userId, begun), 'verification.code_invalid')
      assert.deepEqual(await keysOf(house.store, userId), [])
    })

    test('a link counts for its user and its id, and dies with the address it was mailed to', async () => {
      const userId = await house.addPerson()
      const other = await house.addPerson()
      const code = await newCode(userId)
      const theirs = await newCode(other)
      await isRefused(start(other, code), 'verification.code_invalid')
      await isRefused(start(userId, { ...code, id: theirs.id }), 'verification.code_invalid')
      await start(userId, code)
      await house.call(createPasskeyRegistrationLink, { userId }, { bearer: 'boss' })
      const mail = house.mailed.at(-1)
      const mailed = { id: mail?.codeId ?? '', code: mail?.code ?? '' }
      const begun = await start(userId, mailed)
      await house.store.write(house.origin(), (work) =>
        work.decide(users, userId, { type: 'change_email', address: 'new@example.com', isVerified: true }),
      )
      await isRefused(start(userId, mailed), 'verification.code_invalid')
      await isRefused(finish(userId, begun), 'verification.code_invalid')
    })

    test('a link that was replaced or an account that was deactivated ends what was begun', async () => {
      const userId = await house.addPerson()
      const begun = await start(userId, await newCode(userId))
      const code = await newCode(userId)
      await isRefused(finish(userId, begun), 'verification.code_invalid')
      await house.store.write(house.origin(), (work) => work.decide(users, userId, { type: 'deactivate' }))
      await isRefused(start(userId, code, 'login'), 'user.not_active')
      await isRefused(start(userId, code), 'verification.code_invalid')
      await isRefused(
        house.call(createPasskeyRegistrationLink, { userId, medium: returnCode }, { bearer: 'boss' }),
        'user.not_active',
      )
    })

    test('wrong codes are counted per person, and five end a code', async () => {
      const userId = await house.addPerson()
      const code = await newCode(userId)
      for (let i = 0; i < 5; i++) await isRefused(start(userId, wrong(code)), 'verification.code_invalid')
      assert.equal((await house.store.get(attempts, userId))?.state.failures, 5)
      // A stranger hears the same; who may read users hears why.
      await isRefused(start(userId, code), 'verification.code_invalid')
      await isRefused(start(userId, code, 'login'), 'attempts.too_many')
      wait(60_000)
      await isRefused(start(userId, code, 'login'), 'verification.code_invalid')
    })

    test('a stranger with a code cannot tell who exists', async () => {
      const userId = await house.addPerson()
      for (const id of [userId, 'nobody-there']) {
        await isRefused(start(id, { id: 'x', code: 'y' }), 'verification.code_invalid')
      }
      await isRefused(start('nobody-there', { id: 'x', code: 'y' }, 'login'), 'user.not_found')
    })

    test('who may make one: with the permission where the user is; a code only for those who may do no more', async () => {
      const userId = await house.addPerson()
      const other = await house.addPerson()
      const make = (bearer: string, medium?: typeof returnCode) =>
        house.call(createPasskeyRegistrationLink, { userId, ...(medium && { medium }) }, { bearer })
      for (const bearer of [other, 'viewer', 'manager', 'south']) await isRefused(make(bearer), 'access.forbidden')
      await make(userId)
      await make(`old.${userId}`)
      await isRefused(make(`old.${userId}`, returnCode), 'access.sign_in_again')
      house.mighty.add(userId)
      await make('north')
      await isRefused(make('north', returnCode), 'passkey.above_own')
    })
  })
}
