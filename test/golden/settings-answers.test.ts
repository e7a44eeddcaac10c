/**
 * What the methods for settings answer: to the instance and to an organization, set twice, reset twice, without permission.
 * `SIGNET_WRITE_GOLDEN=yes` writes the answers of now; a change of theirs is a change for clients.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { type DescMethodUnary, type DescService, type JsonValue, toJson } from '@bufbuild/protobuf'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { engines } from '../support/engines.ts'
import { openSmallWorld, refusalOf, type SmallWorld } from '../support/small-world.ts'

const FILE = new URL('settings-answers.json', import.meta.url)

const complexity = { minLength: 12, hasUppercase: true, hasNumber: true }
const lockout = { maxPasswordAttempts: 7, maxOtpAttempts: 3 }
const age = { maxAgeDays: 90, expireWarnDays: 10 }
const links = { tosLink: 'https://a.example/{{.Lang}}', supportEmail: 'help@a.example', customLinkText: 'More' }
const look = { primaryColor: '#5469d4', backgroundColorDark: '#111', themeMode: 2, hideLoginNameSuffix: true }
const seconds = (value: number) => ({ seconds: BigInt(value), nanos: 0 })
const login = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: 1,
  passwordCheckLifetime: seconds(864_000),
  secondFactorCheckLifetime: seconds(64_800),
  defaultRedirectUri: 'https://a.example/',
}
const tokens = (access: number) => ({
  accessTokenLifetime: seconds(access),
  idTokenLifetime: seconds(3600),
  refreshTokenIdleExpiration: seconds(7200),
  refreshTokenExpiration: seconds(86_400),
})

/** For a name such as `LockoutPolicy`: values, and one that is refused. */
const POLICIES: Readonly<Record<string, readonly [value: object, other: object, wrong: object]>> = {
  PasswordComplexityPolicy: [complexity, { minLength: 14 }, { minLength: 0 }],
  LockoutPolicy: [lockout, { maxPasswordAttempts: 0 }, { maxPasswordAttempts: 101 }],
  PasswordAgePolicy: [age, { maxAgeDays: 1 }, { maxAgeDays: 36_501 }],
  PrivacyPolicy: [links, { helpLink: 'https://b.example' }, { helpLink: 'javascript:alert(1)' }],
  NotificationPolicy: [{ passwordChange: false }, { passwordChange: true }, {}],
  LabelPolicy: [look, { fontColor: '#000' }, { fontColor: 'red' }],
  LoginPolicy: [login, { ...login, allowRegister: true }, { defaultRedirectUri: 'http://b.example' }],
}

/** Where the v2 service has another name. */
const V2: Readonly<Record<string, string>> = {
  PasswordAgePolicy: 'PasswordExpiry',
  PrivacyPolicy: 'LegalAndSupport',
  LabelPolicy: 'Branding',
}

type Step = readonly [service: DescService, method: string, message: object]

function* stepsOf(name: string): Generator<Step> {
  const [value, other, wrong] = POLICIES[name] ?? assert.fail(name)
  for (const message of [value, value, other, wrong]) yield [AdminService, `update${name}`, message]
  yield [AdminService, `add${name}`, value]
  for (const message of [value, value, wrong]) yield [ManagementService, `addCustom${name}`, message]
  for (const message of [value, other, other, wrong]) yield [ManagementService, `updateCustom${name}`, message]
  yield [ManagementService, `activateCustom${name}`, {}]
  yield [AdminService, `activate${name}`, {}]
  yield* readings(name)
  for (const _ of [1, 2]) yield [ManagementService, `reset${name}ToDefault`, {}]
  yield [ManagementService, `updateCustom${name}`, value]
  yield* readings(name)
}

function* readings(name: string): Generator<Step> {
  yield [AdminService, `get${name}`, {}]
  yield [AdminService, `getPreview${name}`, {}]
  for (const method of [`get${name}`, `getDefault${name}`, `getPreview${name}`]) yield [ManagementService, method, {}]
  yield [AuthService, `getMy${name}`, {}]
  const v2 = `get${V2[name] ?? name.replace('Policy', '')}Settings`
  yield [SettingsService, v2, {}]
  yield [SettingsService, v2, { ctx: { resourceOwner: { case: 'instance', value: true } } }]
}

function* steps(): Generator<Step> {
  yield* readings('LockoutPolicy')
  for (const name of Object.keys(POLICIES)) yield* stepsOf(name)
  for (const method of ['get', 'update', 'add', 'add', 'update', 'update', 'get']) {
    yield [AdminService, `${method}OIDCSettings`, method === 'update' ? tokens(60) : tokens(120)]
  }
  const origins = (...allowedOrigins: readonly string[]) => ({ enableIframeEmbedding: true, allowedOrigins })
  for (const message of [origins('https://a.example'), origins('https://a.example'), origins('a b')]) {
    yield [AdminService, 'setSecurityPolicy', message]
    yield [AdminService, 'getSecurityPolicy', {}]
    yield [SettingsService, 'getSecuritySettings', {}]
  }
}

const CALLERS = ['boss', 'north', 'viewer', 'nobody']

/** Without what a clock or the order of writes decides. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const hidden = ['sequence', 'creationDate', 'changeDate', 'viewTimestamp', 'processedSequence']
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, hidden.includes(name) ? typeof one : plain(one)]),
  )
}

async function answersOf(world: SmallWorld): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [service, name, message] of steps()) {
    const method = service.method[name] as DescMethodUnary | undefined
    if (method === undefined) continue
    for (const bearer of CALLERS) {
      const called = world.call(method as never, message as never, { bearer })
      const refusal = called.then(() => undefined).catch(() => refusalOf(called))
      const refused = await refusal
      const said = refused
        ? [refused.code, ...refused.violations.map(({ field, description }) => `${field} ${description}`)]
        : plain(toJson(method.output, (await called) as never))
      lines.push(`${service.name}.${name} ${bearer}: ${JSON.stringify(said)}`)
    }
  }
  return lines
}

for (const engine of engines) {
  suite(`methods for settings on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    test('answer what they answered before', async () => {
      const answers = await answersOf(world)
      if (process.env.SIGNET_WRITE_GOLDEN === 'yes') writeFileSync(FILE, `${JSON.stringify(answers, null, 1)}\n`)
      assert.deepEqual(answers, JSON.parse(readFileSync(FILE, 'utf8')))
    })
  })
}
