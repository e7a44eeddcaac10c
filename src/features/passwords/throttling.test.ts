/**
 * Every method of the contract that checks a secret counts wrong ones against the same person and stops looking at the
 * same limit. Which methods those are is read from the contract, so that a new one cannot be forgotten.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DescField, DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type House, openHouse } from '../../../test/support/in-memory.ts'
import { allMethods } from '../../../test/support/services.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { attempts } from '../verifications/index.ts'

const v2 = UserService.method
const sessions = SessionService.method

/** Secrets that are given to be kept rather than checked, by message and field. */
const KEPT: ReadonlySet<string> = new Set([
  'signet.user.v2.Password.password',
  'signet.user.v2.HashedPassword.hash',
  'signet.management.v1.AddHumanUserRequest.initial_password',
  'signet.user.v2.AddHumanUserRequest.totp_secret',
  'signet.user.v2.CreateUserRequest.Human.totp_secret',
])

/** The passwords of mail servers and the secrets of identity providers are nobody's here. */
function isKept({ typeName }: DescMessage, { name }: DescField): boolean {
  return (
    KEPT.has(`${typeName}.${name}`) ||
    (typeName.startsWith('signet.admin.v1.') && name === 'password') ||
    (/Provider|IDP/.test(typeName) && /^(client_secret|private_key)$/.test(name))
  )
}

/** 256 random bits, or a signature: there is nothing to guess, and who tries must not lock anybody out. */
const UNGUESSABLE = /^(session_token|idp_intent_token|token|credential_assertion_data)$/

/** What a new session has no challenge for is not looked at. */
const UNASKED: ReadonlySet<string> = new Set(['CreateSession checks.otpSms.code', 'CreateSession checks.otpEmail.code'])

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
const OLD = 'an old password of mine'
const NEW = 'quite another secret'

/** Tries a secret on one of the ways; `wrong` means that it is not the right one. */
type Attempt = (house: House, userId: string, wrong: boolean) => Promise<unknown>

const returnCode = { case: 'returnCode', value: {} } as const

async function codeOf(house: House, userId: string, purpose: string): Promise<string> {
  const { call, owner } = house
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
async function code(house: House, userId: string, purpose: string, wrong: boolean): Promise<string> {
  const right = await codeOf(house, userId, purpose)
  return wrong ? right.replace(/./, (first) => (first === 'A' ? 'B' : 'A')) : right
}

function current(wrong: boolean) {
  return { case: 'currentPassword', value: wrong ? 'wrong' : OLD } as const
}
async function reset(house: House, userId: string, wrong: boolean) {
  return { case: 'verificationCode', value: await code(house, userId, 'password_reset', wrong) } as const
}
const chosen = { case: 'password', value: { password: NEW } } as const

/** What a person signs in with beside a password, set up once. */
const factors = new WeakMap<
  House,
  Map<string, Promise<{ readonly secret: string; readonly codes: readonly string[] }>>
>()

async function setUpFactors({ call, owner, clock }: House, userId: string) {
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

function factorsOf(house: House, userId: string) {
  const known = factors.get(house) ?? new Map()
  factors.set(house, known)
  const ready = known.get(userId) ?? setUpFactors(house, userId)
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
async function onSession({ call, owner }: House, userId: string, checks: Checks): Promise<unknown> {
  const { sessionId } = await call(sessions.createSession, { checks: userCheck(userId) }, owner)
  return call(sessions.setSession, { sessionId, checks }, owner)
}

/** Tries checks on a session that is created with them. */
function withSession({ call, owner }: House, userId: string, checks: Checks): Promise<unknown> {
  return call(sessions.createSession, { checks: { ...userCheck(userId), ...checks } }, owner)
}

function passwordCheck(wrong: boolean): Checks {
  return { password: { password: wrong ? 'wrong' : OLD } }
}

async function totpCheck(house: House, userId: string, wrong: boolean): Promise<Checks> {
  const { secret } = await factorsOf(house, userId)
  const right = totpCode(secret, totpStep(house.clock.now))
  return { totp: { code: wrong ? right.replace(/./, (first) => (first === '1' ? '2' : '1')) : right } }
}

async function recoveryCheck(house: House, userId: string, wrong: boolean): Promise<Checks> {
  const [right = ''] = (await factorsOf(house, userId)).codes
  return { recoveryCode: { code: wrong ? 'wrong' : right } }
}

/** A code by one of two ways, asked for and answered on one session. */
async function otpOnSession(house: House, userId: string, medium: 'otpSms' | 'otpEmail', wrong: boolean) {
  const { call, owner } = house
  await factorsOf(house, userId)
  const asked = { otpSms: { returnCode: true }, otpEmail: { deliveryType: returnCode } }[medium]
  const request = { checks: userCheck(userId), challenges: { [medium]: asked } }
  const { sessionId, challenges } = await call(sessions.createSession, request, owner)
  const right = challenges?.[medium] ?? ''
  const given = wrong ? right.replace(/./, (first) => (first === '1' ? '2' : '1')) : right
  return call(sessions.setSession, { sessionId, checks: { [medium]: { code: given } } }, owner)
}

const ways: Readonly<Record<string, Attempt>> = {
  'CreateSession checks.password.password': async (house, userId, wrong) =>
    withSession(house, userId, passwordCheck(wrong)),
  'SetSession checks.password.password': async (house, userId, wrong) => onSession(house, userId, passwordCheck(wrong)),
  'CreateSession checks.totp.code': async (house, userId, wrong) =>
    withSession(house, userId, await totpCheck(house, userId, wrong)),
  'SetSession checks.totp.code': async (house, userId, wrong) =>
    onSession(house, userId, await totpCheck(house, userId, wrong)),
  'CreateSession checks.recoveryCode.code': async (house, userId, wrong) =>
    withSession(house, userId, await recoveryCheck(house, userId, wrong)),
  'SetSession checks.recoveryCode.code': async (house, userId, wrong) =>
    onSession(house, userId, await recoveryCheck(house, userId, wrong)),
  'SetSession checks.otpSms.code': async (house, userId, wrong) => otpOnSession(house, userId, 'otpSms', wrong),
  'SetSession checks.otpEmail.code': async (house, userId, wrong) => otpOnSession(house, userId, 'otpEmail', wrong),
  'RegisterPasskey code.code': async ({ call, owner }, userId, wrong) => {
    const { code: link } = await call(v2.createPasskeyRegistrationLink, { userId, medium: returnCode }, owner)
    const right = link?.code ?? ''
    const given = wrong ? right.replace(/./, (first) => (first === 'A' ? 'B' : 'A')) : right
    return call(v2.registerPasskey, { userId, domain: 'localhost', code: { id: link?.id ?? '', code: given } }, owner)
  },
  'SetPassword currentPassword': async ({ call, owner }, userId, wrong) =>
    call(v2.setPassword, { userId, newPassword: { password: NEW }, verification: current(wrong) }, owner),
  'SetPassword verificationCode': async (house, userId, wrong) => {
    const verification = await reset(house, userId, wrong)
    return house.call(v2.setPassword, { userId, newPassword: { password: NEW }, verification }, house.owner)
  },
  'UpdateHumanUser password.currentPassword': async ({ call, owner }, userId, wrong) =>
    call(v2.updateHumanUser, { userId, password: { passwordType: chosen, verification: current(wrong) } }, owner),
  'UpdateHumanUser password.verificationCode': async (house, userId, wrong) => {
    const password = { passwordType: chosen, verification: await reset(house, userId, wrong) }
    return house.call(v2.updateHumanUser, { userId, password }, house.owner)
  },
  'UpdateUser human.password.currentPassword': async ({ call, owner }, userId, wrong) => {
    const password = { passwordType: chosen, verification: current(wrong) }
    return call(v2.updateUser, { userId, userType: { case: 'human', value: { password } } }, owner)
  },
  'UpdateUser human.password.verificationCode': async (house, userId, wrong) => {
    const password = { passwordType: chosen, verification: await reset(house, userId, wrong) }
    return house.call(v2.updateUser, { userId, userType: { case: 'human', value: { password } } }, house.owner)
  },
  'VerifyEmail verificationCode': async (house, userId, wrong) =>
    house.call(v2.verifyEmail, { userId, verificationCode: await code(house, userId, 'email', wrong) }, house.owner),
  'VerifyPhone verificationCode': async (house, userId, wrong) =>
    house.call(v2.verifyPhone, { userId, verificationCode: await code(house, userId, 'phone', wrong) }, house.owner),
  'VerifyInviteCode verificationCode': async (house, userId, wrong) => {
    const verificationCode = await code(house, userId, 'invite', wrong)
    return house.call(v2.verifyInviteCode, { userId, verificationCode }, house.owner)
  },
  'VerifyTOTPRegistration code': async ({ call, owner, clock }, userId, wrong) => {
    const { secret } = await call(v2.registerTOTP, { userId }, owner)
    const right = totpCode(secret, totpStep(clock.now))
    return call(v2.verifyTOTPRegistration, { userId, code: wrong ? 'wrong' : right }, owner)
  },
}

test('every secret that the contract lets somebody prove something with is in the table', () => {
  assert.deepEqual([...proofs].sort(), Object.keys(ways).sort())
})

for (const engine of engines) {
  suite(`wrong secrets on ${engine.name}`, () => {
    let house: House
    let count = 0
    before(async () => {
      house = await openHouse(engine)
      const lockout = { maxPasswordAttempts: LIMIT, maxOtpAttempts: LIMIT }
      await house.call(AdminService.method.updateLockoutPolicy, lockout, house.owner)
    })
    after(() => house.dispose())

    const wait = (milliseconds: number) => {
      house.clock.now = instant(house.clock.now + milliseconds)
    }
    const addPerson = async (hasPassword: boolean): Promise<string> => {
      const request: MessageInitShape<typeof AddHumanUserRequestSchema> = {
        username: `person-${++count}`,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `person-${count}@example.com`, verification: returnCode },
        phone: { phone: '+41446681800', verification: returnCode },
        ...(hasPassword && { passwordType: { case: 'password', value: { password: OLD } } }),
      }
      return (await house.call(v2.addHumanUser, request, house.owner)).userId
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

    for (const [way, attempt] of Object.entries(ways)) {
      test(`${way}: are counted, slowed down and stopped, until somebody unlocks`, async () => {
        const userId = await addPerson(!way.startsWith('VerifyInvite'))
        const failures = async () => (await house.store.get(attempts, userId))?.state.failures ?? 0
        for (let i = 1; i <= 5; i++) {
          assert.match(await refusal(attempt(house, userId, true)), /^(password\.wrong|verification\.code_invalid)$/)
          assert.equal(await failures(), i)
        }
        // Within the wait nobody is looked at, one by one or twenty at once, right or wrong.
        await isRefused(attempt(house, userId, false), 'attempts.too_many')
        await Promise.all(Array.from({ length: 20 }, () => refusal(attempt(house, userId, true))))
        assert.equal(await failures(), 5)
        // Until codes are made again, too.
        wait(3_600_000)
        await refusal(attempt(house, userId, true))
        assert.equal(await failures(), LIMIT)
        wait(60_000)
        await isRefused(attempt(house, userId, false), 'attempts.locked')
        await house.call(v2.unlockUser, { userId }, house.owner)
        await attempt(house, userId, false)
        assert.equal(await failures(), 0)
      })
    }

    test('of all ways are one count', async () => {
      const userId = await addPerson(true)
      // Who has everything set up has nothing left to verify.
      const all = Object.entries(ways).filter(([way]) => !way.startsWith('Verify'))
      await factorsOf(house, userId)
      for (const [, attempt] of all.slice(0, LIMIT)) {
        await refusal(attempt(house, userId, true))
        wait(10_000)
      }
      for (const [, attempt] of all) await isRefused(attempt(house, userId, false), 'attempts.locked')
    })
  })
}
