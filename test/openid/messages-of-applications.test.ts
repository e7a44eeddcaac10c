/**
 * A message that gives power to its reader goes where the user's own settings say. Nobody chooses its link, or gets its
 * code, because they are the user: least of all an application that holds a token of the user.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE, openSession, tokensOf, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const v2 = UserService.method
const own = AuthService.method
const v1 = ManagementService.method

const THEIRS = 'https://attacker.example/{{.Code}}'
const link = { case: 'sendLink', value: { urlTemplate: THEIRS } } as const
const mail = { case: 'sendCode', value: { urlTemplate: THEIRS } } as const
const code = { case: 'returnCode', value: {} } as const
const vouched = { case: 'isVerified', value: true } as const

type Try = (world: OpenIdWorld, userId: string, as: CallOptions) => Promise<unknown>

/** What gives its caller the power over a user: each names the user, and none proves anything. */
const TRIES: Readonly<Record<string, Try>> = {
  'a reset with a link': (world, userId, as) => world.call(v2.passwordReset, { userId, medium: link }, as),
  'a reset with the code': (world, userId, as) => world.call(v2.passwordReset, { userId, medium: code }, as),
  'an address with a link': (world, userId, as) =>
    world.call(v2.setEmail, { userId, email: 'new@example.com', verification: mail }, as),
  'an address with the code': (world, userId, as) =>
    world.call(v2.setEmail, { userId, email: 'new@example.com', verification: code }, as),
  'an address that is vouched for': (world, userId, as) =>
    world.call(v2.setEmail, { userId, email: 'new@example.com', verification: vouched }, as),
  'a code again with a link': (world, userId, as) => world.call(v2.resendEmailCode, { userId, verification: mail }, as),
  'a code again that is returned': (world, userId, as) =>
    world.call(v2.resendEmailCode, { userId, verification: code }, as),
  'a code with a link': (world, userId, as) => world.call(v2.sendEmailCode, { userId, verification: mail }, as),
  'a code that is returned': (world, userId, as) => world.call(v2.sendEmailCode, { userId, verification: code }, as),
  'a number with the code': (world, userId, as) =>
    world.call(v2.setPhone, { userId, phone: '+41791234567', verification: code }, as),
  'a code for the number': (world, userId, as) => world.call(v2.resendPhoneCode, { userId, verification: code }, as),
  'a change with a link': (world, userId, as) =>
    world.call(v2.updateHumanUser, { userId, email: { email: 'new@example.com', verification: mail } }, as),
  'a change with the code': (world, userId, as) => {
    const userType = { case: 'human', value: { email: { email: 'new@example.com', verification: code } } } as const
    return world.call(v2.updateUser, { userId, userType }, as)
  },
  'a passkey link': (world, userId, as) => world.call(v2.createPasskeyRegistrationLink, { userId, medium: link }, as),
  'a passkey code': (world, userId, as) => world.call(v2.createPasskeyRegistrationLink, { userId, medium: code }, as),
  'a passkey link of one’s own': (world, _, as) => world.call(own.addMyPasswordlessLink, {}, as),
  'a passkey link in v1': (world, userId, as) => world.call(v1.addPasswordlessRegistration, { userId }, as),
  'an invitation with a link': (world, userId, as) =>
    world.call(v2.createInviteCode, { userId, verification: mail }, as),
  'an invitation with the code': (world, userId, as) =>
    world.call(v2.createInviteCode, { userId, verification: code }, as),
  'a one-time code with a link': (world, userId, as) => {
    const otpEmail = { deliveryType: mail }
    const checks = { user: { search: { case: 'userId', value: userId } } } as const
    return world.call(SessionService.method.createSession, { checks, challenges: { otpEmail } }, as)
  },
  'a one-time code that is returned': (world, userId, as) => {
    const otpEmail = { deliveryType: code }
    const checks = { user: { search: { case: 'userId', value: userId } } } as const
    return world.call(SessionService.method.createSession, { checks, challenges: { otpEmail } }, as)
  },
  'a password without a proof': (world, userId, as) =>
    world.call(v2.setPassword, { userId, newPassword: { password: 'quite another 1 secret' } }, as),
  'a password in a change': (world, userId, as) => {
    const passwordType = { case: 'password', value: { password: 'quite another 1 secret' } } as const
    return world.call(v2.updateHumanUser, { userId, password: { passwordType } }, as)
  },
  'a password in v1': (world, userId, as) =>
    world.call(v1.setHumanPassword, { userId, password: 'quite another 1 secret' }, as),
}

/** What an application with less than its user must not do to that user by a permission. */
const BY_PERMISSION: Readonly<Record<string, Try>> = {
  metadata: (world, userId, as) =>
    world.call(v2.setUserMetadata, { userId, metadata: [{ key: 'k', value: Buffer.from('v') }] }, as),
  'metadata in a change': (world, userId, as) =>
    world.call(v2.updateUser, { userId, metadata: [{ key: 'k', value: Buffer.from('v') }] }, as),
  'a lock': (world, userId, as) => world.call(v2.lockUser, { userId }, as),
  'a deactivation': (world, userId, as) => world.call(v2.deactivateUser, { userId }, as),
  'a removal': (world, userId, as) => world.call(v2.deleteUser, { userId }, as),
  'a removal in v1': (world, userId, as) => world.call(v1.removeUser, { id: userId }, as),
}

/** The roles of the people who use an application of their organization. */
const PEOPLE: Readonly<Record<string, { readonly instance?: string; readonly organization?: string }>> = {
  'a user without roles': {},
  'an owner of the instance': { instance: 'IAM_OWNER' },
  'an owner of both': { instance: 'IAM_OWNER', organization: 'ORG_OWNER' },
  'a viewer of the instance who owns the organization': { instance: 'IAM_OWNER_VIEWER', organization: 'ORG_OWNER' },
}

for (const engine of engines) {
  suite(`messages that give power on ${engine.name}`, () => {
    let world: OpenIdWorld
    let login: CallOptions
    let application: Application
    let people = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      application = await world.addApplication({ ...WITH_LOGIN_PAGE, grantTypes: [0, 2] })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const newPerson = async ({ instance, organization }: (typeof PEOPLE)[string] = {}) => {
      const name = `person-${++people}`
      const userId = await world.addPerson(name, {
        phone: { phone: '+41791234560', verification: { case: 'isVerified', value: false } },
      })
      if (instance !== undefined) {
        await world.call(AdminService.method.addIAMMember, { userId, roles: [instance] }, world.owner)
      }
      if (organization !== undefined) {
        await world.call(v1.addOrgMember, { userId, roles: [organization] }, world.owner)
      }
      await world.call(v2.addOTPEmail, { userId }, world.owner)
      const session = await openSession(world, userId)
      return { userId, name, session }
    }
    const tokenOf = async (session: Awaited<ReturnType<typeof openSession>>): Promise<CallOptions> => {
      const tokens = await tokensOf(world, login, application, session, { scope: `openid ${API_SCOPE}` })
      return { bearer: tokens.access_token ?? assert.fail() }
    }
    const mailsWith = async (text: string) =>
      (await world.outbox()).filter(({ values }) => JSON.stringify(values).includes(text))
    const isRefusedAll = async (userId: string, as: CallOptions, tries = TRIES) => {
      for (const [name, attempt] of Object.entries(tries)) {
        await assert.rejects(
          () => attempt(world, userId, as),
          (error) => error instanceof Refused && ['forbidden', 'precondition'].includes(error.kind),
          `${name} was not refused`,
        )
      }
      assert.deepEqual(await mailsWith('attacker.example'), [])
    }

    for (const [person, roles] of Object.entries(PEOPLE)) {
      test(`an application of ${person} neither chooses a link nor gets a code`, async () => {
        const { userId, session } = await newPerson(roles)
        // Who has set up a second factor signs in with it: the token is made before.
        await world.call(v2.removeOTPEmail, { userId }, world.owner)
        const as = await tokenOf(session)
        await isRefusedAll(userId, as, { ...TRIES, ...BY_PERMISSION })
      })
    }

    test('an application sends messages of the user to the user, with a link to our own page', async () => {
      const { userId, name, session } = await newPerson()
      await world.call(v2.removeOTPEmail, { userId }, world.owner)
      const as = await tokenOf(session)
      await world.call(v2.passwordReset, { userId }, as)
      await world.call(v2.sendEmailCode, { userId }, as)
      await world.call(v2.createPasskeyRegistrationLink, { userId }, as)
      const sent = (await world.outbox()).filter(({ data }) => data.to === `${name}@example.com`)
      assert.deepEqual(
        sent.map(({ values }) => new URL(String(values.link)).origin),
        [world.url, world.url, world.url],
      )
    })

    test('nor does a user in a session of their own, except for a passkey that they could register at once', async () => {
      const { userId, session } = await newPerson()
      await world.call(v2.removeOTPEmail, { userId }, world.owner)
      const allowed = ['a passkey link', 'a passkey code', 'a passkey link of one’s own']
      const as = { bearer: session.sessionToken }
      await isRefusedAll(
        userId,
        as,
        Object.fromEntries(Object.entries(TRIES).filter(([name]) => !allowed.includes(name))),
      )
      for (const name of allowed) await TRIES[name]?.(world, userId, as)
    })

    test('a login page chooses the link for everybody whom it covers', async () => {
      const { userId } = await newPerson()
      const before = (await mailsWith('attacker.example')).length
      await world.call(v2.passwordReset, { userId, medium: link }, login)
      await world.call(v2.sendEmailCode, { userId, verification: mail }, login)
      const { verificationCode } = await world.call(v2.passwordReset, { userId, medium: code }, login)
      assert.ok(verificationCode)
      await TRIES['a one-time code with a link']?.(world, userId, login)
      assert.equal((await mailsWith('attacker.example')).length, before + 3)
    })
  })
}
