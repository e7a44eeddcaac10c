import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import { ORIGIN, type PasskeyWorld, withPasskeys } from '../../../test/support/parts/passkeys.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { users } from '../users/index.ts'
import { attempts, countFailures, NO_ATTEMPTS } from '../verifications/index.ts'
import { keysOf } from './index.ts'

const { registerPasskey, verifyPasskeyRegistration, createPasskeyRegistrationLink } = UserService.method
const HOUR = 3_600_000
const returnCode = { case: 'returnCode', value: {} } as const

for (const engine of engines) {
  suite(`registration links on ${engine.name}`, () => {
    let world: PasskeyWorld
    before(async () => {
      world = await openWorld({ engine }, withPasskeys())
    })
    after(() => world.dispose())

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    interface Code {
      readonly id: string
      readonly code: string
    }
    const newCode = async (userId: string): Promise<Code> => {
      const { code } = await world.call(
        createPasskeyRegistrationLink,
        { userId, medium: returnCode },
        { bearer: 'boss' },
      )
      return { id: code?.id ?? '', code: code?.code ?? '' }
    }
    /** The links that were mailed to a user, oldest first. */
    const linksOf = async (userId: string) =>
      (await world.mailed()).filter(({ data }) => data.userId === userId).map(({ values }) => String(values.link))
    const codeInQuery = (link = ''): Code => {
      const { searchParams } = new URL(link)
      return { id: searchParams.get('codeId') ?? '', code: searchParams.get('code') ?? '' }
    }
    const start = (userId: string, code: Code, bearer = 'outsider', call = world.call) =>
      call(registerPasskey, { userId, code }, { bearer })
    const finish = async (
      userId: string,
      begun: Awaited<ReturnType<typeof start>>,
      { origin = ORIGIN, call = world.call }: { origin?: string; call?: typeof world.call } = {},
    ) => {
      const options = begun.publicKeyCredentialCreationOptions ?? {}
      const publicKeyCredential = newAuthenticator().create(options, { origin })
      const message = { userId, passkeyId: begun.passkeyId, publicKeyCredential, passkeyName: 'By link' }
      return call(verifyPasskeyRegistration, message, { bearer: 'login' })
    }
    const wrong = ({ id, code }: Code): Code => ({ id, code: code.replace(/./, (sign) => (sign === 'A' ? 'B' : 'A')) })

    test('a returned code is long, stored only as a hash, and not sent', async () => {
      const userId = await world.addPerson()
      const { length } = await world.mailed()
      const { id, code } = await newCode(userId)
      assert.match(code, /^[2-9A-HJ-NP-Z]{16}$/)
      assert.equal((await world.mailed()).length, length)
      assert.ok(!JSON.stringify(await world.store.events({ id: `${userId}/passkey`, limit: 10 })).includes(code))
      assert.match(id, /^\d{18}$/)
    })

    test('a link is mailed to the user, with the template that was asked for', async () => {
      const userId = await world.addPerson()
      const reply = await world.call(createPasskeyRegistrationLink, { userId }, { bearer: 'north' })
      assert.equal(reply.code, undefined)
      assert.equal(reply.details?.resourceOwner, 'north')
      const urlTemplate = 'https://login.example.com/{{.UserID}}/{{.CodeID}}/{{.Code}}'
      const medium = { case: 'sendLink', value: { urlTemplate } } as const
      await world.call(createPasskeyRegistrationLink, { userId, medium }, { bearer: 'north' })
      const [first, second] = await linksOf(userId)
      const own = codeInQuery(first)
      assert.ok(first?.startsWith(`${ORIGIN}/ui/passkeys/register?userId=${userId}&`))
      const [id = '', code = ''] = second?.replace(`https://login.example.com/${userId}/`, '').split('/') ?? []
      const bad = { case: 'sendLink', value: { urlTemplate: 'ftp://x' } } as const
      await isRefused(
        world.call(createPasskeyRegistrationLink, { userId, medium: bad }, { bearer: 'north' }),
        'passkey.link_invalid',
        'sendLink.urlTemplate',
      )
      await finish(userId, await start(userId, own))
      await finish(userId, await start(userId, { id, code }))
    })

    test('links stay valid side by side: each can be used once, and their registrations too', async () => {
      const userId = await world.addPerson()
      const first = await newCode(userId)
      const second = await newCode(userId)
      const withFirst = await start(userId, first)
      const withSecond = await start(userId, second)
      const list = async () =>
        (await world.call(UserService.method.listPasskeys, { userId }, { bearer: 'boss' })).result
      assert.deepEqual(await list(), [], 'only registered ones are listed')
      await isRefused(start(userId, { ...first, code: second.code }), 'verification.code_invalid')
      await finish(userId, withFirst)
      await isRefused(start(userId, first), 'verification.code_invalid')
      await finish(userId, withSecond)
      await isRefused(start(userId, second), 'verification.code_invalid')
      assert.deepEqual(
        (await list()).map(({ state }) => state),
        [AuthFactorState.READY, AuthFactorState.READY],
      )
    })

    test('five wrong codes end one link and not the other', async () => {
      const userId = await world.addPerson()
      const first = await newCode(userId)
      const second = await newCode(userId)
      for (let i = 0; i < 5; i++) {
        await isRefused(start(userId, wrong(first)), 'verification.code_invalid')
        // A wrong code of the other link in between starts no count over.
        if (i === 0) await isRefused(start(userId, wrong(second)), 'verification.code_invalid')
        wait(60_000)
      }
      await isRefused(start(userId, first, 'login'), 'verification.code_invalid')
      await finish(userId, await start(userId, second))
    })

    test('a link begins one registration, also when that is never finished', async () => {
      const userId = await world.addPerson()
      const code = await newCode(userId)
      const begun = await start(userId, code)
      await isRefused(start(userId, code), 'verification.code_invalid')
      await isRefused(finish(userId, begun, { origin: 'https://evil.example' }), 'passkey.attestation_invalid')
      await isRefused(start(userId, code), 'verification.code_invalid')
      await finish(userId, begun)
      assert.equal((await keysOf(world.app, userId)).length, 1)

      const late = await newCode(userId)
      const forgotten = await start(userId, late)
      wait(6 * 60_000)
      await isRefused(finish(userId, forgotten), 'passkey.registration_expired')
      await isRefused(start(userId, late), 'verification.code_invalid')
    })

    test('a registration from before a lockout is not completed when that is undone', async () => {
      const userId = await world.addPerson()
      const begun = await start(userId, await newCode(userId))
      await world.call(UserService.method.lockUser, { userId }, { bearer: 'boss' })
      await world.call(UserService.method.unlockUser, { userId }, { bearer: 'boss' })
      await isRefused(finish(userId, begun), 'passkey.registration_expired')
      assert.equal((await keysOf(world.app, userId)).length, 0)
      await finish(userId, await start(userId, await newCode(userId)))
    })

    test('eight that begin with one link at once are one', async () => {
      const userId = await world.addPerson()
      const code = await newCode(userId)
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => start(userId, code)))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const one of results) if (one.status === 'rejected') assert.ok(one.reason instanceof Refused)
    })

    test('the registration of a link is finished once', async () => {
      const userId = await world.addPerson()
      const code = await newCode(userId)
      const begun = await start(userId, code)
      const other = await world.another()
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          finish(userId, begun, { call: index % 2 === 0 ? world.call : other.call }),
        ),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const one of results) if (one.status === 'rejected') assert.ok(one.reason instanceof Refused)
      assert.equal((await keysOf(world.app, userId)).length, 1)
    })

    test('a link lives an hour, and failures do not extend that', async () => {
      const userId = await world.addPerson()
      const code = await newCode(userId)
      wait(HOUR - 1000)
      await isRefused(start(userId, wrong(code)), 'verification.code_invalid')
      const late = await newCode(userId)
      wait(1000)
      await isRefused(start(userId, code), 'verification.code_invalid')
      await finish(userId, await start(userId, late))
    })

    test('a link counts for its user and its id, and ends with the address it was mailed to', async () => {
      const userId = await world.addPerson()
      const other = await world.addPerson()
      const code = await newCode(userId)
      const theirs = await newCode(other)
      await isRefused(start(other, code), 'verification.code_invalid')
      await isRefused(start(userId, { ...code, id: theirs.id }), 'verification.code_invalid')
      await start(userId, code)
      await world.call(createPasskeyRegistrationLink, { userId }, { bearer: 'boss' })
      const [link] = await linksOf(userId)
      const mailed = codeInQuery(link)
      const begun = await start(userId, mailed)
      const change = { type: 'change_email', address: 'new@example.com', isVerified: true, basis: 'asserted' } as const
      await world.store.write(world.origin(), (work) => work.decide(users, userId, { ...change, at: work.origin.at }))
      await isRefused(start(userId, mailed), 'verification.code_invalid')
      await isRefused(finish(userId, begun), 'verification.code_invalid')
    })

    test('an account that was deactivated ends what was begun', async () => {
      const userId = await world.addPerson()
      const code = await newCode(userId)
      const begun = await start(userId, code)
      const unused = await newCode(userId)
      await world.store.write(world.origin(), (work) => work.decide(users, userId, { type: 'deactivate' }))
      await isRefused(finish(userId, begun), 'user.not_active')
      await isRefused(start(userId, unused, 'login'), 'user.not_active')
      await isRefused(start(userId, unused), 'verification.code_invalid')
      await isRefused(
        world.call(createPasskeyRegistrationLink, { userId, medium: returnCode }, { bearer: 'boss' }),
        'user.not_active',
      )
    })

    test('wrong codes are counted per user, and five end a code', async () => {
      const userId = await world.addPerson()
      const code = await newCode(userId)
      for (let i = 0; i < 5; i++) await isRefused(start(userId, wrong(code)), 'verification.code_invalid')
      assert.equal(countFailures((await world.store.get(attempts, userId))?.state ?? NO_ATTEMPTS), 5)
      // A caller without permission gets the same answer; a caller who may read users is told why.
      await isRefused(start(userId, code), 'verification.code_invalid')
      await isRefused(start(userId, code, 'login'), 'attempts.too_many')
      wait(60_000)
      await isRefused(start(userId, code, 'login'), 'verification.code_invalid')
    })

    test('a caller without permission cannot find out who exists', async () => {
      const userId = await world.addPerson()
      for (const id of [userId, 'nobody-there']) {
        await isRefused(start(id, { id: 'x', code: 'y' }), 'verification.code_invalid')
      }
      await isRefused(start('nobody-there', { id: 'x', code: 'y' }, 'login'), 'user.not_found')
    })

    test('a link is made with the permission for the user, and only for users who hold no more than the caller', async () => {
      const userId = await world.addPerson()
      const other = await world.addPerson()
      const make = (bearer: string, medium?: typeof returnCode) =>
        world.call(createPasskeyRegistrationLink, { userId, ...(medium && { medium }) }, { bearer })
      for (const bearer of [other, 'viewer', 'manager']) await isRefused(make(bearer), 'access.forbidden')
      await isRefused(make('south'), 'user.not_found')
      await make(userId)
      await make(`old.${userId}`)
      await isRefused(make(`old.${userId}`, returnCode), 'access.sign_in_again')
      await world.makeMighty(userId)
      await isRefused(make('north'), 'user.above_own')
      await isRefused(make('north', returnCode), 'user.above_own')
      await make('boss')
    })
  })
}
