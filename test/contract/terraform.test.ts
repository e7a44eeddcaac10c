/**
 * What Terraform does with its resources: it creates one, reads it and plans no difference, updates it, reads that, and
 * deletes it. One table, with the requests of the ZITADEL provider; `read` returns what was written.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SAMLBinding, SAMLNameIDFormat, SAMLSignatureAlgorithm } from '../../contract/gen/signet/idp/v1/config_pb.ts'
import type { Provider } from '../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SecretGeneratorType } from '../../contract/gen/signet/settings/v1/settings_pb.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { engines } from '../support/engines.ts'
import { upstreamMetadata } from '../support/response-forger.ts'
import { isRefused } from '../support/small-world.ts'
import { openWorld, type World } from '../support/world.ts'

const admin = AdminService.method
const management = ManagementService.method

type Attributes = Readonly<Record<string, unknown>>
type Call = World['call']

/** A resource: how its attributes are written, read and removed. */
interface Resource {
  readonly first: Attributes
  readonly second: Attributes
  /** Returns what names it from then on. */
  create(call: Call, attributes: Attributes): Promise<string>
  read(call: Call, id: string): Promise<object | undefined>
  update(call: Call, id: string, attributes: Attributes): Promise<unknown>
  delete?(call: Call, id: string): Promise<unknown>
}

// The requests are those of a client in another language: their types are of no use here.
type Any = (message: object) => Promise<Record<string, never>>

function caller(call: Call) {
  return (method: unknown): Any =>
    (message) =>
      call(method as never, message as never) as never
}

/** Whether what was read is not set by the resource. */
function isDefault(state: unknown): boolean {
  return (state as { readonly isDefault?: boolean }).isDefault === true
}

const LANGUAGE = 'en'
const MAIL_TEXT = { title: 'T', preHeader: 'P', subject: 'S', greeting: 'Hello {{.DisplayName}}', text: 'Text' }
const WHOLE_TEXT = { ...MAIL_TEXT, buttonText: 'B', footerText: 'F' }

/** The texts of a message, on the instance or in an organization. */
function textResource(service: typeof AdminService | typeof ManagementService, name: string): Resource {
  const find = (pattern: RegExp) =>
    service.methods.find((one) => pattern.test(one.name)) ?? assert.fail(String(pattern))
  const set = find(new RegExp(`^Set(Default|Custom)${name}Message`))
  const isShort = name === 'VerifySMSOTP'
  const code = /VerifyPhone|SMSOTP/.test(name) ? ' {{.Code}}' : ''
  const first = isShort ? { text: `Your code: ${code}` } : { ...WHOLE_TEXT, text: `Text${code}` }
  const write = (call: Call, attributes: Attributes) => caller(call)(set)({ language: LANGUAGE, ...attributes })
  return {
    first,
    second: { ...first, text: `Another${code}` },
    async create(call, attributes) {
      await write(call, attributes)
      return LANGUAGE
    },
    async read(call, language) {
      const { customText } = await caller(call)(find(new RegExp(`^GetCustom${name}Message`)))({ language })
      return isDefault(customText) ? undefined : customText
    },
    update: (call, _, attributes) => write(call, attributes),
    delete: (call, language) => caller(call)(find(new RegExp(`^ResetCustom${name}Message`)))({ language }),
  }
}

/** A policy of an organization, which is added, replaced and reset. */
function policyResource(name: string, first: Attributes, second: Attributes): Resource {
  const methods = management as unknown as Readonly<Record<string, unknown>>
  return {
    first,
    second,
    async create(call, attributes) {
      await caller(call)(methods[`addCustom${name}`])(attributes)
      return name
    },
    async read(call) {
      const { policy } = await caller(call)(methods[`get${name}`])({})
      return isDefault(policy) ? undefined : policy
    },
    update: (call, _, attributes) => caller(call)(methods[`updateCustom${name}`])(attributes),
    delete: (call) => caller(call)(methods[`reset${name}ToDefault`])({}),
  }
}

/** A setting of the instance, which is always there and only replaced. */
function settingResource(set: unknown, get: unknown, member: string, first: Attributes, second: Attributes): Resource {
  return {
    first,
    second,
    async create(call, attributes) {
      await caller(call)(set)(attributes)
      return member
    },
    async read(call) {
      const reply: Record<string, object | undefined> = await caller(call)(get)({})
      return member === '' ? reply : reply[member]
    },
    update: (call, _, attributes) => caller(call)(set)(attributes),
  }
}

const MESSAGES = [
  'Init',
  'PasswordReset',
  'VerifyEmail',
  'VerifyPhone',
  'VerifySMSOTP',
  'VerifyEmailOTP',
  'DomainClaimed',
  'PasswordlessRegistration',
  'PasswordChange',
  'InviteUser',
]

const generator = {
  generatorType: SecretGeneratorType.PASSWORD_RESET_CODE,
  length: 8,
  expiry: durationFromMs(1_800_000),
  includeUpperLetters: true,
  includeDigits: true,
}

const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: false, isAutoUpdate: true }
const DIRECTORY = {
  name: 'Directory',
  servers: ['ldaps://ldap.example.com:636'],
  startTls: false,
  baseDn: 'dc=example,dc=com',
  bindDn: 'cn=reader,dc=example,dc=com',
  userBase: 'dn',
  userObjectClasses: ['user'],
  userFilters: ['mail', 'uid'],
  timeout: { seconds: 10, nanos: 0 },
}
const GATE = {
  name: 'Gate',
  stylingType: 1,
  autoRegister: false,
  jwtEndpoint: 'https://apps.example.com/sign-in',
  issuer: 'https://login.example.com',
  keysEndpoint: 'https://login.example.com/keys',
  headerName: 'x-auth-token',
}

/** What is read, or nothing of what was deleted. */
async function orGone<Reply extends object>(reading: Promise<Reply>): Promise<Partial<Reply>> {
  try {
    return await reading
  } catch (error) {
    assert.ok(error instanceof Refused && error.kind === 'not_found')
    return {}
  }
}

/** An LDAP directory, whose password and attributes are written, too. */
function directoryResource(methods: typeof management | typeof admin): Resource {
  const whole = (attributes: Attributes) => ({
    ...attributes,
    timeout: durationFromMs(10_000),
    bindPassword: 'secret',
    attributes: { idAttribute: 'entryUUID', emailAttribute: 'mail' },
    providerOptions: OPTIONS,
  })
  return {
    first: DIRECTORY,
    second: { ...DIRECTORY, name: 'Other directory', startTls: true, servers: ['ldap://ldap.example.com'] },
    create: async (call, attributes) => String((await caller(call)(methods.addLDAPProvider)(whole(attributes))).id),
    async read(call, id) {
      const { idp } = await orGone(call(methods.getProviderByID as typeof management.getProviderByID, { id }))
      return idp && { name: idp.name, ...idp.config?.config.value }
    },
    update: (call, id, attributes) => caller(call)(methods.updateLDAPProvider)({ id, ...whole(attributes) }),
    delete: (call, id) => caller(call)(methods.deleteProvider)({ id }),
  }
}

const samlProvider = {
  name: 'SAML',
  metadataXml: upstreamMetadata('https://upstream.example'),
  binding: SAMLBinding.SAML_BINDING_POST,
  withSignedRequest: true,
  nameIdFormat: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT,
  transientMappingAttributeName: 'uid',
  federatedLogoutEnabled: true,
  signatureAlgorithm: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512,
}

/** A SAML provider: the members of its options and of its configuration are attributes of one resource. */
function samlResource(service: typeof AdminService | typeof ManagementService): Resource {
  const methods = service.method as unknown as Readonly<Record<string, unknown>>
  const messageOf = ({ metadataXml, isAutoCreation, ...rest }: Attributes) => ({
    ...rest,
    metadata: { case: 'metadataXml', value: Buffer.from(String(metadataXml)) },
    providerOptions: { isAutoCreation },
  })
  const find = (call: Call, id: string): Promise<{ idp: Provider }> =>
    caller(call)(methods.getProviderByID)({ id }) as never
  return {
    first: { ...samlProvider, isAutoCreation: true },
    second: { ...samlProvider, name: 'Renamed', isAutoCreation: false, federatedLogoutEnabled: false },
    create: async (call, attributes) => (await caller(call)(methods.addSAMLProvider)(messageOf(attributes))).id ?? '',
    async read(call, id) {
      try {
        const { idp } = await find(call, id)
        const value = idp.config?.config.case === 'saml' ? idp.config.config.value : assert.fail()
        const metadataXml = Buffer.from(value.metadataXml).toString()
        return { name: idp.name, ...idp.config?.options, ...value, metadataXml }
      } catch (error) {
        if (error instanceof Refused && error.kind === 'not_found') return undefined
        throw error
      }
    },
    update: (call, id, attributes) => caller(call)(methods.updateSAMLProvider)({ id, ...messageOf(attributes) }),
    delete: (call, id) => caller(call)(methods.deleteProvider)({ id }),
  }
}

/** A provider with signed tokens, by the older methods: one replaces its name, another one its connection. */
const orgIdpJwt: Resource = {
  first: GATE,
  second: { ...GATE, name: 'Other gate', issuer: 'https://b.example.com', headerName: 'x-b', autoRegister: true },
  create: async (call, attributes) => String((await caller(call)(management.addOrgJWTIDP)(attributes)).idpId),
  async read(call, idpId) {
    const { idp } = await orGone(call(management.getOrgIDPByID, { idpId }))
    return idp && { ...idp, ...idp.config.value }
  },
  async update(call, idpId, attributes) {
    const current = plain(planned(attributes, (await this.read(call, idpId)) ?? {}))
    const isOther = (...names: readonly string[]) => names.some((name) => current[name] !== attributes[name])
    const request = { idpId, ...attributes }
    if (isOther('name', 'stylingType', 'autoRegister')) await caller(call)(management.updateOrgIDP)(request)
    if (isOther('jwtEndpoint', 'issuer', 'keysEndpoint', 'headerName')) {
      await caller(call)(management.updateOrgIDPJWTConfig)(request)
    }
  },
  delete: (call, idpId) => call(management.removeOrgIDP, { idpId }),
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  idp_saml: samlResource(AdminService),
  org_idp_saml: samlResource(ManagementService),
  ...Object.fromEntries(MESSAGES.map((name) => [`default_message_text ${name}`, textResource(AdminService, name)])),
  ...Object.fromEntries(MESSAGES.map((name) => [`message_text ${name}`, textResource(ManagementService, name)])),
  notification_policy: policyResource('NotificationPolicy', { passwordChange: false }, { passwordChange: true }),
  lockout_policy: policyResource('LockoutPolicy', { maxPasswordAttempts: 5 }, { maxPasswordAttempts: 7 }),
  password_age_policy: policyResource('PasswordAgePolicy', { maxAgeDays: 90 }, { maxAgeDays: 365 }),
  privacy_policy: policyResource('PrivacyPolicy', { helpLink: 'https://a.example' }, { helpLink: 'https://b.example' }),
  default_notification_policy: settingResource(
    admin.updateNotificationPolicy,
    admin.getNotificationPolicy,
    'policy',
    { passwordChange: false },
    { passwordChange: true },
  ),
  default_domain_policy: settingResource(
    admin.updateDomainPolicy,
    admin.getDomainPolicy,
    'policy',
    { userLoginMustBeDomain: false, validateOrgDomains: true, smtpSenderAddressMatchesInstanceDomain: false },
    { userLoginMustBeDomain: false, validateOrgDomains: true, smtpSenderAddressMatchesInstanceDomain: false },
  ),
  instance_secret_generator: {
    ...settingResource(admin.updateSecretGenerator, undefined, '', generator, { ...generator, length: 12 }),
    read: async (call) =>
      (await call(admin.getSecretGenerator, { generatorType: generator.generatorType })).secretGenerator,
  },
  instance_restrictions: {
    ...settingResource(admin.setRestrictions, undefined, '', { list: ['en', 'de'] }, { list: ['en'] }),
    async create(call, { list }) {
      await caller(call)(admin.setRestrictions)({ allowedLanguages: { list }, disallowPublicOrgRegistration: true })
      return ''
    },
    read: async (call) => ({ list: (await call(admin.getRestrictions, {})).allowedLanguages }),
    update: (call, _, { list }) => caller(call)(admin.setRestrictions)({ allowedLanguages: { list } }),
    delete: (call) => call(admin.setRestrictions, { allowedLanguages: { list: [] } }),
  },
  idp_ldap: directoryResource(admin),
  org_idp_ldap: directoryResource(management),
  org_idp_jwt: orgIdpJwt,
  org: {
    first: { name: 'First' },
    second: { name: 'Second' },
    create: async (call, { name }) => (await call(management.addOrg, { name: String(name) })).id,
    read: async (call, orgId) => (await call(admin.getOrgByID, { orgId })).org,
    update: (call, organizationId, { name }) =>
      call(OrganizationService.method.updateOrganization, { organizationId, name: String(name) }),
    delete: (call, orgId) => call(admin.removeOrg, { orgId }),
  },
}

/** The attributes of a state, as far as they were written. */
function planned(attributes: Attributes, state: object): Attributes {
  const found = state as Attributes
  return Object.fromEntries(Object.keys(attributes).map((name) => [name, found[name]]))
}

const plain = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (key, part) =>
      key === '$typeName' ? undefined : typeof part === 'bigint' ? Number(part) : part,
    ),
  )

for (const engine of engines) {
  suite(`resources of Terraform on ${engine.name}`, () => {
    let world: World
    const call: Call = (method, request) => world.call(method, request, world.owner)
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    for (const [name, resource] of Object.entries(RESOURCES)) {
      test(name, async () => {
        const { first, second } = resource
        const id = await resource.create(call, first)
        assert.deepEqual(plain(planned(first, (await resource.read(call, id)) ?? assert.fail())), plain(first))
        await resource.update(call, id, second)
        assert.deepEqual(plain(planned(second, (await resource.read(call, id)) ?? assert.fail())), plain(second))
        await resource.update(call, id, second)
        if (resource.delete === undefined || name === 'org') return
        await resource.delete(call, id)
        const state = await resource.read(call, id)
        if (name !== 'instance_restrictions') assert.equal(state, undefined)
      })
    }

    test('the default organization and the primary domain are set', async () => {
      const { id } = await call(management.addOrg, { name: 'Another' })
      await call(admin.setDefaultOrg, { orgId: id })
      assert.equal((await call(admin.getDefaultOrg, {})).org?.id, id)
      await call(admin.setDefaultOrg, { orgId: world.defaultOrganizationId })
      await isRefused(call(admin.setDefaultOrg, { orgId: '1' }), 'organization.not_found')
      const domain = 'shop.example.com'
      await call(management.addOrgDomain, { domain })
      await isRefused(call(management.setPrimaryOrgDomain, { domain }), 'organization.domain_not_verified')
      await call(management.generateOrgDomainValidation, { domain, type: 2 })
      world.provenDomains.add(domain)
      await call(management.validateOrgDomain, { domain })
      await call(management.setPrimaryOrgDomain, { domain })
      assert.equal((await call(management.getMyOrg, {})).org?.primaryDomain, domain)
    })

    test('a policy that cannot be changed refuses another one, and codes cannot become weaker', async () => {
      await isRefused(call(admin.updateDomainPolicy, { validateOrgDomains: false }), 'settings.domain_policy_fixed')
      await isRefused(call(admin.updateSecretGenerator, { ...generator, length: 4 }), 'settings.generator_weak')
      await isRefused(
        call(admin.updateSecretGenerator, { ...generator, includeUpperLetters: false }),
        'settings.generator_weak',
      )
      await isRefused(
        call(admin.setRestrictions, { disallowPublicOrgRegistration: false }),
        'settings.registration_closed',
      )
      await isRefused(
        call(admin.setRestrictions, { allowedLanguages: { list: ['de'] } }),
        'settings.default_language_needed',
      )
    })
  })
}
