import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AuthenticationMethodType } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { Gender, UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { EXTERNAL_URL, openWorld, type World } from '../../../test/support/world.ts'
import { listInboxMails } from '../mail/index.ts'

const v1 = ManagementService.method
const v2 = UserService.method

type Request = MessageInitShape<typeof AddHumanUserRequestSchema>

const profile = { firstName: 'Sam', lastName: 'Miller' }
function bytes(text: string) {
  return new TextEncoder().encode(text)
}
function asText(value: Uint8Array | undefined) {
  return new TextDecoder().decode(value)
}

for (const engine of bothEngines) {
  suite(`adding a human on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    let count = 0
    const fresh = (more: Request = {}): Request => {
      const email = { email: `sam-${++count}@example.com`, verification: { case: 'isVerified', value: true } } as const
      return { profile, email, ...more } as Request
    }
    const add = (request: Request, as = world.owner) => world.call(v2.addHumanUser, request, as)
    const get = async (userId: string) => (await world.call(v2.getUserByID, { userId }, world.owner)).user
    const human = async (userId: string) => {
      const user = await get(userId)
      assert.ok(user?.type.case === 'human')
      const { username, state, preferredLoginName } = user
      return { ...user.type.value, username, state, preferredLoginName }
    }
    const mailTo = async (recipient: string) => {
      await world.runJobs()
      const { mails } = await listInboxMails(world.app, { recipient, limit: 10, descending: true })
      return mails
    }

    test('keeps every field, in one commit over all streams it touches', async () => {
      const before = await world.store.events({ descending: true, limit: 1 })
      const reply = await add({
        userId: 'own-id',
        username: 'Sam.Miller',
        profile: {
          ...profile,
          nickName: 'Sammy',
          displayName: 'Sam the Miller',
          preferredLanguage: 'DE-ch',
          gender: Gender.DIVERSE,
        },
        email: { email: 'Sam.Miller@Example.com', verification: { case: 'returnCode', value: {} } },
        phone: { phone: '+41 79 123 45 67', verification: { case: 'returnCode', value: {} } },
        metadata: [
          { key: 'Department', value: bytes('sales') },
          { key: 'raw', value: new Uint8Array([0, 255, 1]) },
        ],
        passwordType: { case: 'password', value: { password: 'correct horse battery', changeRequired: true } },
      })
      assert.equal(reply.userId, 'own-id')
      assert.match(reply.emailCode ?? '', /^[A-Z0-9]{6}$/)
      assert.match(reply.phoneCode ?? '', /^[A-Z0-9]{6}$/)
      const events = await world.store.events({ from: before[0]?.sequence ?? 0, limit: 100 })
      assert.deepEqual(events.map(({ type }) => type).sort(), [
        'metadata.set.v1',
        'metadata.set.v1',
        'password.set.v1',
        'user.human_added.v1',
        'verification.issued.v1',
        'verification.issued.v1',
      ])
      const last = events.reduce((one, other) => (one.sequence > other.sequence ? one : other))
      assert.equal(last.kind, 'user')
      assert.equal(reply.details?.sequence, BigInt(last.sequence), 'that of the user, as the next read shows it')
      assert.equal(reply.details.resourceOwner, world.defaultOrganizationId)
      assert.equal(new Set(events.map(({ owner }) => owner)).size, 1)
      const user = await human('own-id')
      assert.equal(user.state, UserState.ACTIVE)
      assert.deepEqual([user.username, user.preferredLoginName], ['Sam.Miller', 'Sam.Miller'])
      assert.deepEqual(
        [user.profile?.nickName, user.profile?.displayName, user.profile?.preferredLanguage, user.profile?.gender],
        ['Sammy', 'Sam the Miller', 'de-CH', Gender.DIVERSE],
      )
      assert.deepEqual([user.email?.email, user.email?.isVerified], ['Sam.Miller@Example.com', false])
      assert.deepEqual([user.phone?.phone, user.phone?.isVerified], ['+41791234567', false])
      assert.equal(user.passwordChangeRequired, true)
      assert.equal(user.passwordChanged?.seconds, BigInt(world.clock.now / 1000))
      const { metadata } = await world.call(v2.listUserMetadata, { userId: 'own-id' }, world.owner)
      assert.deepEqual(new Map(metadata.map(({ key, value }) => [key, [...value]])).get('raw'), [0, 255, 1])
      const { authMethodTypes } = await world.call(v2.listAuthenticationMethodTypes, { userId: 'own-id' }, world.owner)
      assert.deepEqual(authMethodTypes, [AuthenticationMethodType.PASSWORD])
      assert.deepEqual(await mailTo('sam.miller@example.com'), [], 'who gets the code sends it')
      const old = (await world.call(v1.getUserByID, { id: 'own-id' }, world.owner)).user
      assert.ok(old?.type.case === 'human' && old.type.value.passwordChanged !== undefined)
    })

    test('without more makes a user who has no password, named by the address', async () => {
      const { userId, emailCode, phoneCode, details } = await add(fresh())
      assert.deepEqual([emailCode, phoneCode], [undefined, undefined])
      assert.ok(details?.changeDate)
      const user = await human(userId)
      assert.equal(user.username, user.email?.email)
      assert.equal(user.profile?.displayName, 'Sam Miller')
      assert.equal(user.email?.isVerified, true)
      assert.equal(user.state, UserState.ACTIVE)
      const { authMethodTypes } = await world.call(v2.listAuthenticationMethodTypes, { userId }, world.owner)
      assert.deepEqual(authMethodTypes, [])
    })

    suite('with an address that is', () => {
      const addWith = async (verification: NonNullable<Request['email']>['verification']) => {
        const email = `verify-${++count}@example.com`
        const reply = await add({ profile, email: { email, ...(verification && { verification }) } })
        return { ...reply, email, mails: await mailTo(email) }
      }

      test('given without a verification gets a mail with a link to our page and a code that counts', async () => {
        const { userId, emailCode, mails, email } = await addWith(undefined)
        assert.equal(emailCode, undefined)
        assert.equal(mails.length, 1)
        const link = new URL(/https?:\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '')
        assert.equal(`${link.origin}${link.pathname}`, `${EXTERNAL_URL}/verify-email`)
        assert.equal(link.searchParams.get('userId'), userId)
        const verificationCode = link.searchParams.get('code') ?? ''
        await world.call(v2.verifyEmail, { userId, verificationCode }, world.owner)
        const user = await human(userId)
        assert.deepEqual([user.email?.email, user.email?.isVerified], [email, true])
        await isRefused(
          world.call(v2.verifyEmail, { userId, verificationCode }, world.owner),
          'verification.code_invalid',
        )
      })

      test('to be sent a code gets the link of the caller', async () => {
        const urlTemplate = 'https://login.example.com/{{.OrgID}}/verify?u={{.UserID}}&c={{.Code}}'
        const { userId, mails } = await addWith({ case: 'sendCode', value: { urlTemplate } })
        const link = /https?:\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
        assert.ok(
          link.startsWith(`https://login.example.com/${world.defaultOrganizationId}/verify?u=${userId}&c=`),
          link,
        )
        assert.equal((await addWith({ case: 'sendCode', value: {} })).mails.length, 1)
      })

      test('to be returned a code gets no mail', async () => {
        const { userId, emailCode, mails } = await addWith({ case: 'returnCode', value: {} })
        assert.equal(mails.length, 0)
        await world.call(v2.verifyEmail, { userId, verificationCode: emailCode ?? '' }, world.owner)
        assert.equal((await human(userId)).email?.isVerified, true)
      })

      test('verified gets neither', async () => {
        const { userId, emailCode, mails } = await addWith({ case: 'isVerified', value: true })
        assert.deepEqual([emailCode, mails.length], [undefined, 0])
        assert.equal((await human(userId)).email?.isVerified, true)
      })

      test('not verified, and said to be so, gets neither', async () => {
        const { userId, emailCode, mails } = await addWith({ case: 'isVerified', value: false })
        assert.deepEqual([emailCode, mails.length], [undefined, 0])
        assert.equal((await human(userId)).email?.isVerified, false)
        await isRefused(world.call(v2.resendEmailCode, { userId }, world.owner), 'user.no_code')
        await world.call(v2.sendEmailCode, { userId }, world.owner)
        await world.call(v2.resendEmailCode, { userId }, world.owner)
      })
    })

    test('with a phone: a code is sent, also where no provider for text messages is active', async () => {
      const phone = { phone: '+41 79 765 43 21' }
      const send = { ...phone, verification: { case: 'sendCode', value: {} } } as const
      const texts = async () => (await world.store.jobs.count('sms')).waiting
      const before = await texts()
      await add(fresh({ phone: send }))
      assert.equal(await texts(), before + 1)
      const { userId, phoneCode } = await add(fresh({ phone }))
      assert.equal(phoneCode, undefined)
      assert.deepEqual((await human(userId)).phone?.phone, '+41797654321')
      const verified = { ...phone, verification: { case: 'isVerified', value: true } } as const
      assert.equal((await human((await add(fresh({ phone: verified }))).userId)).phone?.isVerified, true)
      assert.equal((await human((await add(fresh({ phone: { phone: '' } }))).userId)).phone?.phone, '')
    })

    test('names every field that cannot be used', async () => {
      const request = fresh({
        username: 'sam\u200b',
        userId: 'two words',
        profile: { firstName: ' ', lastName: 'Miller', displayName: 'a\u0007', preferredLanguage: 'en_US' },
        email: {
          email: 'a..b@example.com',
          verification: { case: 'sendCode', value: { urlTemplate: 'https://{{.Code}}.example.com' } },
        },
        phone: { phone: 'call me' },
      })
      const fields = ['firstName', 'displayName', 'preferredLanguage'].map((name) => `profile.${name}`)
      await isRefused(
        add(request),
        'user.field_invalid',
        ...['userId', 'username', 'email.email', 'email.sendCode.urlTemplate', 'phone.phone', ...fields],
      )
      const metadata = [{ key: 'a\nb', value: bytes('x') }]
      await isRefused(add(fresh({ metadata })), 'metadata.key_invalid', 'metadata[0].key')
    })

    test('names a bad password, hash or metadata key together with the other fields', async () => {
      const metadata = [{ key: 'a\nb', value: bytes('x') }]
      const email = { email: 'a..b@example.com' }
      const [plain, hashed] = [{ password: 'xkwqz7' }, { hash: '$nothing$' }]
      await isRefused(
        add(fresh({ email, metadata, passwordType: { case: 'password', value: plain } })),
        'user.email_invalid',
        ...['email.email', 'metadata[0].key', 'password.password'],
      )
      await isRefused(
        add(fresh({ email, passwordType: { case: 'hashedPassword', value: hashed } })),
        'user.email_invalid',
        ...['email.email', 'hashedPassword.hash'],
      )
    })

    test('does not keep spaces around a user name', async () => {
      const { userId } = await add(fresh({ username: '  spacious\t' }))
      const { user } = await world.call(v2.getUserByID, { userId }, world.owner)
      assert.equal(user?.username, 'spacious')
      await isRefused(add(fresh({ username: ' Spacious' })), 'user.username_taken')
      await isRefused(add(fresh({ username: '   ' })), 'user.username_invalid', 'username')
    })

    test('checks a password by the rules, and a hash by its bounds', async () => {
      const withPassword = (password: string) => add(fresh({ passwordType: { case: 'password', value: { password } } }))
      await isRefused(withPassword('xkwqz7'), 'password.against_policy', 'password.password')
      await isRefused(withPassword('password1'), 'password.against_policy', 'password.password')
      await isRefused(withPassword('sam miller'), 'password.against_policy', 'password.password')
      const withHash = (hash: string) => add(fresh({ passwordType: { case: 'hashedPassword', value: { hash } } }))
      await isRefused(withHash('$nothing$'), 'password.hash_unreadable', 'hashedPassword.hash')
      await isRefused(withHash(`$2b$31$${'a'.repeat(53)}`), 'password.hash_cost_out_of_bounds', 'hashedPassword.hash')
      const { userId } = await withHash('$2b$12$GhvMmNVjRW29ulnudl.LbuAnUtN/LRfe1JsBm1Xu6LE3059z5Tr8m')
      const { authMethodTypes } = await world.call(v2.listAuthenticationMethodTypes, { userId }, world.owner)
      assert.deepEqual(authMethodTypes, [AuthenticationMethodType.PASSWORD])
    })

    test('is refused with a name, or an id, that a user has or had', async () => {
      const { userId } = await add(fresh({ username: 'Taken' }))
      await isRefused(add(fresh({ username: 'tAKEN' })), 'user.username_taken')
      await isRefused(add(fresh({ username: 'ｔａｋｅｎ' })), 'user.username_taken')
      await isRefused(add(fresh({ userId })), 'user.id_taken')
      await world.call(v2.deleteUser, { userId }, world.owner)
      await isRefused(add(fresh({ userId })), 'user.id_taken')
      await add(fresh({ username: 'TAKEN' }))
    })

    test('of eight at once with one name lets one in, over two nodes', async () => {
      const other = await world.another()
      const attempts = Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? world : other).call(v2.addHumanUser, fresh({ username: 'racer' }), world.owner),
      )
      const outcomes = await Promise.allSettled(attempts)
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'user.username_taken')
      }
    })

    test('with a link to a provider that is not there writes nothing', async () => {
      const link = { idpId: 'nowhere', userId: '4711', userName: 'sam' }
      const request = fresh({ idpLinks: [link], username: 'linked' })
      await isRefused(add(request), 'user.identity_provider_not_found', 'idpLinks[0].idpId')
      assert.equal(await world.store.findClaimHolder('username', 'linked'), undefined)
    })

    test('removed, leaves nothing that could be found or used', async () => {
      const { userId } = await add(
        fresh({
          userId: 'to-remove',
          email: { email: 'gone@example.com', verification: { case: 'returnCode', value: {} } },
          metadata: [{ key: 'gone', value: bytes('x') }],
          passwordType: { case: 'password', value: { password: 'correct horse battery' } },
        }),
      )
      await world.call(v2.deleteUser, { userId }, world.owner)
      const left = await world.store.events({ id: userId, limit: 100 })
      assert.deepEqual(
        left
          .map(({ type }) => type)
          .filter((type) => type.endsWith('removed.v1'))
          .sort(),
        ['password.removed.v1', 'user.removed.v1'],
      )
      const codes = await world.store.events({ id: `${userId}/email`, limit: 100 })
      assert.equal(codes.at(-1)?.type, 'verification.removed.v1')
      const entries = await world.store.events({ id: `${userId} gone`, limit: 100 })
      assert.equal(entries.at(-1)?.type, 'metadata.removed.v1')
      assert.deepEqual((await world.call(v2.listUserMetadata, { userId }, world.owner)).metadata, [])
    })

    test('folded again from the log is the same', async () => {
      const query = { orderBy: 'id', limit: 1000 } as const
      const { users } = await import('../users/documents.ts')
      const { documents } = await world.store.find(users, query)
      await world.store.rebuild()
      assert.deepEqual((await world.store.find(users, query)).documents, documents)
    })

    test('keeps its metadata bytes', async () => {
      const { userId } = await add(
        fresh({
          metadata: [
            { key: 'k', value: bytes('one') },
            { key: 'k', value: bytes('two') },
          ],
        }),
      )
      const { metadata } = await world.call(v2.listUserMetadata, { userId }, world.owner)
      assert.deepEqual(
        metadata.map(({ value }) => asText(value)),
        ['two'],
      )
    })
  })
}
