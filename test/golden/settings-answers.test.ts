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
import { FeatureService } from '../../contract/gen/signet/feature/v2/feature_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { Caller } from '../../src/access/call.ts'
import { settingsModule } from '../../src/features/settings/index.ts'
import { engines } from '../support/engines.ts'
import { refusalOf, type SmallWorld, withThreeOrganizations } from '../support/small-world.ts'
import { openWorld } from '../support/world.ts'

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

const ofInstance = { ctx: { resourceOwner: { case: 'instance', value: true } } } as const
const ofNorth = { ctx: { resourceOwner: { case: 'orgId', value: 'north' } } } as const
const terms = { type: 1, url: 'https://a.example/terms' }
const security = {
  embeddedIframe: { enabled: true, allowedOrigins: ['https://a.example'] },
  dynamicClientRegistration: { enabled: true, registrationsPerHour: 7 },
  clientIdMetadataDocuments: { enabled: true, allowedDomains: ['Clients.example'] },
  identityAssertions: {
    issue: true,
    partners: [{ issuer: 'https://b.example', clients: [{ clientId: '1', partnerClientId: '2' }], scopes: ['read'] }],
  },
}
const code = { generatorType: 1, length: 8, expiry: seconds(7200), includeUpperLetters: true, includeDigits: true }
const texts = { language: 'en', texts: [{ key: 'signIn.title', text: 'Come in' }] }

type Calls = readonly (readonly [method: string, ...messages: object[]])[]

/** The other methods, in turn; what is set is read after it. */
const OTHERS: readonly (readonly [DescService, Calls])[] = [
  ...[AdminService, ManagementService].map((service): readonly [DescService, Calls] => [
    service,
    [
      ['addCustomLoginPolicy', { ...login, secondFactors: [1, 2], multiFactors: [1] }],
      ['addCustomLabelPolicy', look],
      ['removeSecondFactorFromLoginPolicy', { type: 1 }, { type: 1 }, {}],
      ['removeMultiFactorFromLoginPolicy', { type: 1 }, { type: 1 }],
      ['listLoginPolicySecondFactors', {}],
      ['listLoginPolicyMultiFactors', {}],
      ['addSecondFactorToLoginPolicy', { type: 1 }, { type: 1 }],
      ['addMultiFactorToLoginPolicy', { type: 1 }, { type: 1 }],
      ...['Logo', 'LogoDark', 'Icon', 'IconDark', 'Font'].flatMap(
        (slot): Calls => [
          [`removeLabelPolicy${slot}`, {}],
          [`removeCustomLabelPolicy${slot}`, {}],
        ],
      ),
      ['getDomainPolicy', {}],
      ['getOrgIAMPolicy', {}],
      ['getSupportedLanguages', {}],
    ],
  ]),
  [AuthService, [['getSupportedLanguages', {}]]],
  [
    AdminService,
    [
      ['setDefaultLanguage', { language: 'de' }, { language: 'de' }, { language: 'xx' }],
      ['getDefaultLanguage', {}],
      [
        'setRestrictions',
        { allowedLanguages: { list: ['de', 'fr'] } },
        { allowedLanguages: { list: ['fr'] } },
        { disallowPublicOrgRegistration: false },
        {},
      ],
      ['getRestrictions', {}],
      ['getAllowedLanguages', {}],
      ['updateSecretGenerator', code, code, { ...code, length: 2 }, { ...code, includeSymbols: true }],
      ['getSecretGenerator', { generatorType: 1 }, { generatorType: 6 }],
      ['listSecretGenerators', {}, { query: { limit: 2 } }],
      ...['DomainPolicy', 'OrgIAMPolicy'].flatMap(
        (name): Calls => [
          [`update${name}`, { validateOrgDomains: true }, { userLoginMustBeDomain: true }],
          [`getCustom${name}`, { orgId: 'north' }, { orgId: 'nowhere' }],
          [`addCustom${name}`, { orgId: 'north', validateOrgDomains: true }],
          [`updateCustom${name}`, { orgId: 'north', userLoginMustBeDomain: true }],
          [`resetCustom${name}ToDefault`, { orgId: 'north' }, { orgId: 'north' }],
        ],
      ),
      ...['listViews', 'listFailedEvents', 'getFileSystemNotificationProvider', 'getLogNotificationProvider'].map(
        (name) => [name, {}] as const,
      ),
      ['activateFeatureLoginDefaultOrg', {}, {}],
    ],
  ],
  [
    SettingsService,
    [
      ['getGeneralSettings', {}],
      ['getDomainSettings', {}, ofInstance],
      ['setSecuritySettings', security, security, { embeddedIframe: { allowedOrigins: ['a b'] } }],
      ['getSecuritySettings', {}],
      ['setSecuritySettings', { identityAssertions: { issuers: [{ issuer: 'no' }] } }, {}],
      ['getSecuritySettings', {}],
      ['setOrganizationSettings', { organizationId: 'north', organizationScopedUsernames: true }],
      ['setOrganizationSettings', { organizationId: 'north' }, { organizationId: 'nowhere' }],
      [
        'listOrganizationSettings',
        {},
        { filters: [{ filter: { case: 'inOrganizationIdsFilter', value: { ids: ['a'] } } }] },
      ],
      ['deleteOrganizationSettings', { organizationId: 'north' }, { organizationId: 'north' }],
      ...[ofInstance, ofNorth].flatMap(
        (of): Calls => [
          ['setLinkSettings', { ...of, links: [terms] }, { ...of, links: [terms] }, { ...of, links: [terms, terms] }],
          ['getLinkSettings', of],
          ['resetLinkSettings', of, of],
        ],
      ),
      ['getLinkSettings', {}],
      ...['', 'north'].flatMap(
        (organizationId): Calls => [
          [
            'setPageTexts',
            { ...texts, organizationId },
            { ...texts, organizationId, texts: [{ key: 'none', text: '' }] },
          ],
          ['getPageTexts', { language: 'en', organizationId }],
          ['resetPageTexts', { language: 'en', organizationId }, { language: 'en', organizationId }],
        ],
      ),
      ...(['instance', 'organizationId'] as const).flatMap((kind): Calls => {
        const level = { case: kind, value: kind === 'instance' ? true : 'north' }
        const translations = { title: kind }
        return [
          ['setHostedLoginTranslation', { level, locale: 'en', translations }, { level, locale: 'e n', translations }],
          ['getHostedLoginTranslation', { level, locale: 'en' }, { level, locale: 'en-GB', ignoreInheritance: true }],
        ]
      }),
    ],
  ],
  [
    FeatureService,
    [
      ['setInstanceFeatures', { userSchema: true, loginV2: { required: true, baseUri: '/app' } }, {}],
      ['setInstanceFeatures', { loginV2: { baseUri: 'javascript:1' } }, { improvedPerformance: [2, 3] }],
      ['getInstanceFeatures', {}, { inheritance: true }],
      ['getSystemFeatures', {}],
      ['resetInstanceFeatures', {}, {}],
      ['getInstanceFeatures', {}],
    ],
  ],
]

function* otherSteps(): Generator<Step> {
  for (const [service, calls] of OTHERS) {
    for (const [method, ...messages] of calls) for (const message of messages) yield [service, method, message]
  }
}

const CALLERS = ['boss', 'north', 'viewer', 'nobody']
/** Manages all organizations and their users, and not the instance. */
const MANAGER = 'manager'
const manager: Caller = {
  userId: MANAGER,
  organizationId: 'north',
  grants: [{ scope: 'instance', roles: ['IAM_ORG_MANAGER', 'IAM_USER_MANAGER'] }],
}

/** Without what a clock or the order of writes decides. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const hidden = [
    'sequence',
    'creationDate',
    'changeDate',
    'viewTimestamp',
    'processedSequence',
    'setDate',
    'deletionDate',
  ]
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, hidden.includes(name) ? typeof one : plain(one)]),
  )
}

/** The answers to some steps; the methods that were called are added to a set. */
async function answersOf(
  world: SmallWorld,
  asked: Iterable<Step>,
  callers: readonly string[],
  called: Set<DescMethodUnary>,
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [service, name, message] of asked) {
    const method = service.method[name] as DescMethodUnary | undefined
    if (method === undefined) continue
    called.add(method)
    for (const bearer of callers) {
      const answer = world.call(method as never, message as never, { bearer })
      const refusal = answer.then(() => undefined).catch(() => refusalOf(answer))
      const refused = await refusal
      const said = refused
        ? [refused.code, ...refused.violations.map(({ field, description }) => `${field} ${description}`)]
        : plain(toJson(method.output, (await answer) as never))
      lines.push(`${service.name}.${name} ${bearer}: ${JSON.stringify(said)}`)
    }
  }
  return lines
}

for (const engine of engines) {
  suite(`methods for settings on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      const { callers } = withThreeOrganizations.options ?? {}
      world = await openWorld({ engine, callers: { ...callers, [MANAGER]: manager } }, withThreeOrganizations)
    })
    after(() => world.dispose())

    test('answer what they answered before', async () => {
      const called = new Set<DescMethodUnary>()
      const answers = [
        ...(await answersOf(world, steps(), CALLERS, called)),
        ...(await answersOf(world, otherSteps(), [...CALLERS, MANAGER], called)),
      ]
      const missing = settingsModule.methods?.(world.app).filter(({ descriptor }) => !called.has(descriptor))
      assert.deepEqual(
        missing?.map(({ descriptor }) => descriptor.name),
        [],
      )
      if (process.env.SIGNET_WRITE_GOLDEN === 'yes') writeFileSync(FILE, `${JSON.stringify(answers, null, 2)}\n`)
      assert.deepEqual(answers, JSON.parse(readFileSync(FILE, 'utf8')))
    })
  })
}
