/**
 * Every method of the contract that checks a secret counts wrong ones against the same person and stops looking at the
 * same limit. Which methods those are is read from the contract, so that a new one cannot be forgotten.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescField, DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserState } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { allMethods } from '../../../test/support/services.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { attempts, countFailures, NO_ATTEMPTS } from '../verifications/index.ts'

const v2 = UserService.method
const auth = AuthService.method
const sessions = SessionService.method

/** Secrets that are given to be kept rather than checked, by message and field. */
const KEPT: ReadonlySet<string> = new Set([
  'signet.user.v2.Password.password',
  'signet.user.v2.HashedPassword.hash',
  'signet.management.v1.AddHumanUserRequest.initial_password',
  'signet.user.v2.AddHumanUserRequest.totp_secret',
  'signet.user.v2.CreateUserRequest.Human.totp_secret',
  'signet.management.v1.ImportHumanUserRequest.password',
  'signet.management.v1.ImportHumanUserRequest.otp_code',
  'signet.management.v1.ImportHumanUserRequest.HashedPassword.value',
  'signet.management.v1.SetHumanPasswordRequest.password',
  'signet.management.v1.SetHumanInitialPasswordRequest.password',
  'signet.auth.v1.UpdateMyPasswordRequest.new_password',
])

/** The passwords of mail servers and the secrets of identity providers belong to no user. */
function isKept({ typeName }: DescMessage, { name }: DescField): boolean {
  return (
    KEPT.has(`${typeName}.${name}`) ||
    (typeName.startsWith('signet.admin.v1.') && name === 'password') ||
    (/Provider|IDP|XOAuth2/.test(typeName) && /^(client_secret|private_key|bind_password)$/.test(name))
  )
}

/** 256 random bits, or a signature: nothing can be guessed, and trying must not lock a user out. */
const UNGUESSABLE = /^(session_token|idp_intent_token|token|credential_assertion_data|public_key_credential)$/

/** Secrets of no user here. A new session has no challenge yet, so its codes are not compared. */
const UNASKED: ReadonlySet<string> = new Set([
  // Names a device, not a user: there is no account whose attempts could be counted.
  'GetDeviceAuthorizationRequest userCode',
  // Belongs to an account of a directory; attempts are counted by the name there (`sign-in-with-credentials.ts`).
  'StartIdentityProviderIntent ldap.password',
  'CreateSession checks.otpSms.code',
  'CreateSession checks.otpEmail.code',
])

function isSecret(field: DescField): boolean {
  return field.proto.options?.debugRedact === true
}

/** The paths to fields of a message whose secrets are compared with something. */
function proofsOf(message: DescMessage, seen: readonly DescMessage[] = []): readonly string[] {
  return seen.includes(message)
    ? []
    : message.fields.flatMap((field) => {
        if (isSecret(field)) return isKept(message, field) || UNGUESSABLE.test(field.name) ? [] : [field.localName]
        const inner = field.fieldKind === 'message' ? field.message : undefined
        if (inner === undefined) return []
        return proofsOf(inner, [...seen, message]).map((path) => `${field.localName}.${path}`)
      })
}

const proofs = [...allMethods]
  .flatMap(([name, { input }]) => proofsOf(input).map((path) => `${name.split('/')[1]} ${path}`))
  .filter((proof) => !UNASKED.has(proof))

const LIMIT = 6
/** The ways whose secret can be guessed in time, unlike a code that was sent to its owner. */
const LOCKING = /checks\.|currentPassword|oldPassword|VerifyTOTP|AuthFactorOTP/
const OLD = 'an old password of mine'
const NEW = 'quite another secret'

/** Tries a secret on one of the ways; `wrong` means that it is not the right one. */
type Attempt = (world: World, userId: string, wrong: boolean) => Promise<unknown>

const returnCode = { case: 'returnCode', value: {} } as const

async function codeOf(world: World, userId: string, purpose: string): Promise<string> {
  const { call, owner } = world
  switch (purpose) {
    case 'email':
      return (await call(v2.sendEmailCode, { userId, verification: returnCode }, owner)).verificationCode ?? ''
    case 'phone':
      return (await call(v2.resendPhoneCode, { userId, verification: returnCode }, owner)).verificationCode ?? ''
    case 'invite':
      return (await call(v2.createInviteCode, { userId, verification: returnCode }, owner)).inviteCode ?? ''
    default:
      return (await call(v2.passwordReset, { userId, medium: returnCode }, owner)).verificationCode ?? ''
  }
}

/** A new code each time: five wrong tries end a code anyway, and here it is about the person. */
async function code(world: World, userId: string, purpose: string, wrong: boolean): Promise<string> {
  const right = await codeOf(world, userId, purpose)
  return wrong ? right.replace(/./, (first) => (first === 'A' ? 'B' : 'A')) : right
}

function current(wrong: boolean) {
  return { case: 'currentPassword', value: wrong ? 'wrong' : OLD } as const
}
async function reset(world: World, userId: string, wrong: boolean) {
  return { case: 'verificationCode', value: await code(world, userId, 'password_reset', wrong) } as const
}
const chosen = { case: 'password', value: { password: NEW } } as const

/** What a person signs in with beside a password, set up once. */
const factors = new WeakMap<
  World,
  Map<string, Promise<{ readonly secret: string; readonly codes: readonly string[] }>>
>()

async function setUpFactors({ call, owner, clock }: World, userId: string) {
  const { secret } = await call(v2.registerTOTP, { userId }, owner)
  await call(v2.verifyTOTPRegistration, { userId, code: totpCode(secret, totpStep(clock.now)) }, owner)
  const isVerified = { case: 'isVerified', value: true } as const
  await call(v2.setEmail, { userId, email: `${userId}@example.com`, verification: isVerified }, owner)
  await call(v2.setPhone, { userId, phone: '+41446681801', verification: isVerified }, owner)
  await call(v2.addOTPEmail, { userId }, owner)
  await call(v2.addOTPSMS, { userId }, owner)
  const { recoveryCodes: codes } = await call(v2.generateRecoveryCodes, { userId, count: 5 }, owner)
  return { secret, codes }
}

function factorsOf(world: World, userId: string) {
  const known = factors.get(world) ?? new Map()
  factors.set(world, known)
  const ready = known.get(userId) ?? setUpFactors(world, userId)
  known.set(userId, ready)
  return ready
}

function userCheck(userId: string) {
  return { user: { search: { case: 'userId', value: userId } } } as const
}

interface Checks {
  readonly password?: { readonly password: string }
  readonly totp?: { readonly code: string }
  readonly recoveryCode?: { readonly code: string }
}

/** Tries checks on a session that exists. */
async function onSession({ call, owner }: World, userId: string, checks: Checks): Promise<unknown> {
  const { sessionId } = await call(sessions.createSession, { checks: userCheck(userId) }, owner)
  return call(sessions.setSession, { sessionId, checks }, owner)
}

/** Tries checks on a session that is created with them. */
function withSession({ call, owner }: World, userId: string, checks: Checks): Promise<unknown> {
  return call(sessions.createSession, { checks: { ...userCheck(userId), ...checks } }, owner)
}

function passwordCheck(wrong: boolean): Checks {
  return { password: { password: wrong ? 'wrong' : OLD } }
}

async function totpCheck(world: World, userId: string, wrong: boolean): Promise<Checks> {
  const { secret } = await factorsOf(world, userId)
  const right = totpCode(secret, totpStep(world.clock.now))
  return { totp: { code: wrong ? right.replace(/./, (first) => (first === '1' ? '2' : '1')) : right } }
}

async function recoveryCheck(world: World, userId: string, wrong: boolean): Promise<Checks> {
  const [right = ''] = (await factorsOf(world, userId)).codes
  return { recoveryCode: { code: wrong ? 'wrong' : right } }
}

/** A code by one of two ways, asked for and answered on one session. */
async function otpOnSession(world: World, userId: string, medium: 'otpSms' | 'otpEmail', wrong: boolean) {
  const { call, owner } = world
  await factorsOf(world, userId)
  const asked = { otpSms: { returnCode: true }, otpEmail: { deliveryType: returnCode } }[medium]
  const request = { checks: userCheck(userId), challenges: { [medium]: asked } }
  const { sessionId, challenges } = await call(sessions.createSession, request, owner)
  const right = challenges?.[medium] ?? ''
  const given = wrong ? right.replace(/./, (first) => (first === '1' ? '2' : '1')) : right
  return call(sessions.setSession, { sessionId, checks: { [medium]: { code: given } } }, owner)
}

const ways: Readonly<Record<string, Attempt>> = {
  'CreateSession checks.password.password': async (world, userId, wrong) =>
    withSession(world, userId, passwordCheck(wrong)),
  'SetSession checks.password.password': async (world, userId, wrong) => onSession(world, userId, passwordCheck(wrong)),
  'CreateSession checks.totp.code': async (world, userId, wrong) =>
    withSession(world, userId, await totpCheck(world, userId, wrong)),
  'SetSession checks.totp.code': async (world, userId, wrong) =>
    onSession(world, userId, await totpCheck(world, userId, wrong)),
  'CreateSession checks.recoveryCode.code': async (world, userId, wrong) =>
    withSession(world, userId, await recoveryCheck(world, userId, wrong)),
  'SetSession checks.recoveryCode.code': async (world, userId, wrong) =>
    onSession(world, userId, await recoveryCheck(world, userId, wrong)),
  'SetSession checks.otpSms.code': async (world, userId, wrong) => otpOnSession(world, userId, 'otpSms', wrong),
  'SetSession checks.otpEmail.code': async (world, userId, wrong) => otpOnSession(world, userId, 'otpEmail', wrong),
  'RegisterPasskey code.code': async ({ call, owner }, userId, wrong) => {
    const { code: link } = await call(v2.createPasskeyRegistrationLink, { userId, medium: returnCode }, owner)
    const right = link?.code ?? ''
    const given = wrong ? right.replace(/./, (first) => (first === 'A' ? 'B' : 'A')) : right
    return call(v2.registerPasskey, { userId, domain: 'localhost', code: { id: link?.id ?? '', code: given } }, owner)
  },
  'SetPassword currentPassword': async ({ call, owner }, userId, wrong) =>
    call(v2.setPassword, { userId, newPassword: { password: NEW }, verification: current(wrong) }, owner),
  'SetPassword verificationCode': async (world, userId, wrong) => {
    const verification = await reset(world, userId, wrong)
    return world.call(v2.setPassword, { userId, newPassword: { password: NEW }, verification }, world.owner)
  },
  'UpdateHumanUser password.currentPassword': async ({ call, owner }, userId, wrong) =>
    call(v2.updateHumanUser, { userId, password: { passwordType: chosen, verification: current(wrong) } }, owner),
  'UpdateHumanUser password.verificationCode': async (world, userId, wrong) => {
    const password = { passwordType: chosen, verification: await reset(world, userId, wrong) }
    return world.call(v2.updateHumanUser, { userId, password }, world.owner)
  },
  'UpdateUser human.password.currentPassword': async ({ call, owner }, userId, wrong) => {
    const password = { passwordType: chosen, verification: current(wrong) }
    return call(v2.updateUser, { userId, userType: { case: 'human', value: { password } } }, owner)
  },
  'UpdateUser human.password.verificationCode': async (world, userId, wrong) => {
    const password = { passwordType: chosen, verification: await reset(world, userId, wrong) }
    return world.call(v2.updateUser, { userId, userType: { case: 'human', value: { password } } }, world.owner)
  },
  'VerifyEmail verificationCode': async (world, userId, wrong) =>
    world.call(v2.verifyEmail, { userId, verificationCode: await code(world, userId, 'email', wrong) }, world.owner),
  'VerifyPhone verificationCode': async (world, userId, wrong) =>
    world.call(v2.verifyPhone, { userId, verificationCode: await code(world, userId, 'phone', wrong) }, world.owner),
  'VerifyInviteCode verificationCode': async (world, userId, wrong) => {
    const verificationCode = await code(world, userId, 'invite', wrong)
    return world.call(v2.verifyInviteCode, { userId, verificationCode }, world.owner)
  },
  'VerifyTOTPRegistration code': async ({ call, owner, clock }, userId, wrong) => {
    const { secret } = await call(v2.registerTOTP, { userId }, owner)
    const right = totpCode(secret, totpStep(clock.now))
    return call(v2.verifyTOTPRegistration, { userId, code: wrong ? 'wrong' : right }, owner)
  },
}

/** The bearer with which a user calls for themself. */
function own(userId: string) {
  return { bearer: `own.${userId}` }
}

const ownWays: Readonly<Record<string, Attempt>> = {
  'UpdateMyPassword oldPassword': async ({ call }, userId, wrong) =>
    call(auth.updateMyPassword, { oldPassword: wrong ? 'wrong' : OLD, newPassword: NEW }, own(userId)),
  'VerifyMyEmail code': async (world, userId, wrong) =>
    world.call(auth.verifyMyEmail, { code: await code(world, userId, 'email', wrong) }, own(userId)),
  'VerifyMyPhone code': async (world, userId, wrong) =>
    world.call(auth.verifyMyPhone, { code: await code(world, userId, 'phone', wrong) }, own(userId)),
  'VerifyMyAuthFactorOTP code': async ({ call, clock }, userId, wrong) => {
    const { secret } = await call(auth.addMyAuthFactorOTP, {}, own(userId))
    const right = totpCode(secret, totpStep(clock.now))
    return call(auth.verifyMyAuthFactorOTP, { code: wrong ? 'wrong' : right }, own(userId))
  },
}

const allWays = { ...ways, ...ownWays }

test('every secret that the contract lets a caller prove something with is in the table', () => {
  assert.deepEqual([...proofs].sort(), Object.keys(allWays).sort())
})

for (const engine of engines) {
  suite(`wrong secrets on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      const callers = (bearer: string) => {
        const [, userId] = /^own\.(.*)$/.exec(bearer) ?? []
        return userId === undefined ? undefined : { userId, organizationId: 'any', grants: [] }
      }
      world = await openWorld({ engine, callers })
      const lockout = { maxPasswordAttempts: LIMIT, maxOtpAttempts: LIMIT }
      await world.call(AdminService.method.updateLockoutPolicy, lockout, world.owner)
    })
    after(() => world.dispose())

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const addPerson = async (hasPassword: boolean): Promise<string> => {
      const request: MessageInitShape<typeof AddHumanUserRequestSchema> = {
        username: `person-${++count}`,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `person-${count}@example.com`, verification: returnCode },
        phone: { phone: '+41446681800', verification: returnCode },
        ...(hasPassword && { passwordType: { case: 'password', value: { password: OLD } } }),
      }
      return (await world.call(v2.addHumanUser, request, world.owner)).userId
    }
    const refusal = async (promise: Promise<unknown>): Promise<string> => {
      try {
        await promise
        return 'accepted'
      } catch (error) {
        if (error instanceof Refused) return error.code
        throw error
      }
    }

    for (const [way, attempt] of Object.entries(allWays)) {
      test(`${way}: are counted and slowed down; they lock the factor, but never a code that was sent`, async () => {
        const userId = await addPerson(!way.startsWith('VerifyInvite'))
        const failures = async () => countFailures((await world.store.get(attempts, userId))?.state ?? NO_ATTEMPTS)
        for (let i = 1; i <= 5; i++) {
          assert.match(await refusal(attempt(world, userId, true)), /^(password\.wrong|verification\.code_invalid)$/)
          assert.equal(await failures(), i)
        }
        // During the wait no secret is compared, one by one or twenty at once, right or wrong.
        await isRefused(attempt(world, userId, false), 'attempts.too_many')
        await Promise.all(Array.from({ length: 20 }, () => refusal(attempt(world, userId, true))))
        assert.equal(await failures(), 5)
        // Until codes are made again, too.
        wait(3_600_000)
        await refusal(attempt(world, userId, true))
        assert.equal(await failures(), LIMIT)
        // Past the wait, within the lock.
        wait(30_000)
        if (LOCKING.test(way)) {
          await isRefused(attempt(world, userId, false), 'attempts.locked')
          assert.equal((await world.call(v2.getUserByID, { userId }, world.owner)).user?.state, UserState.LOCKED)
          await world.call(v2.unlockUser, { userId }, world.owner)
          assert.notEqual((await world.call(v2.getUserByID, { userId }, world.owner)).user?.state, UserState.LOCKED)
        }
        await attempt(world, userId, false)
        // A link is used up, and its count ends, when the passkey is registered.
        assert.equal(await failures(), way.startsWith('RegisterPasskey') ? LIMIT : 0)
      })
    }

    test('of all ways of one factor are one count, and of each factor another', async () => {
      const userId = await addPerson(true)
      await factorsOf(world, userId)
      const waysOf = (pattern: RegExp) =>
        Object.entries(allWays).flatMap(([way, attempt]) => (pattern.test(way) ? [attempt] : []))
      const byPassword = waysOf(/assword\.password|currentPassword|oldPassword/)
      const byTotp = waysOf(/Session checks\.totp/)
      for (let i = 0; i < LIMIT; i++) {
        await refusal((byPassword[i % byPassword.length] ?? assert.fail())(world, userId, true))
        wait(10_000)
      }
      for (const attempt of byPassword) await isRefused(attempt(world, userId, false), 'attempts.locked')
      for (const attempt of byTotp) {
        wait(30_000)
        await attempt(world, userId, false)
      }
    })

    test('with a right password before each of them, wrong codes of an app end in a lock all the same', async () => {
      const userId = await addPerson(true)
      await factorsOf(world, userId)
      const both = async (wrong: boolean) =>
        withSession(world, userId, { ...passwordCheck(false), ...(await totpCheck(world, userId, wrong)) })
      for (let i = 0; i < LIMIT; i++) {
        await withSession(world, userId, passwordCheck(false))
        await isRefused(both(true), 'verification.code_invalid')
        wait(5_000)
      }
      await isRefused(both(false), 'attempts.locked')
      wait(60_000)
      await both(false)
    })
  })
}
