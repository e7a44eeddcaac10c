/** Settings of the instance, how it sends messages, and its keys. */
import { type Attributes, memberResource, oneOf, type Reply, type Resource, type Resources } from './resource.ts'

const GENERATOR = {
  generatorType: 'SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE',
  length: 8,
  expiry: '1800s',
  includeUpperLetters: true,
  includeDigits: true,
}
const SMTP = {
  senderAddress: 'login@example.com',
  senderName: 'Login',
  tls: true,
  host: 'smtp.example.com:587',
  user: 'login',
  replyToAddress: 'help@example.com',
  description: 'Mails',
}
const OTHER_SMTP = { senderName: 'Sign in', replyToAddress: '', description: '' }
const PASSWORD = { password: 'secret' }
const HOOK = { endpoint: 'https://hooks.example.com/messages', description: 'Messages' }
const OTHER_HOOK = { endpoint: 'https://hooks.example.com/other', description: 'Others' }

/** The methods for a way to send messages. */
interface Sender {
  readonly add: string
  readonly change: string
  readonly read: string
  readonly remove: string
  readonly activate: string
  readonly secret?: string
  /** The member of a response to `read`, and that of it which has the rest of the attributes. */
  readonly config: string
  readonly member?: string
}

const EMAIL = {
  read: 'GetEmailProviderById',
  remove: 'RemoveEmailProvider',
  activate: 'ActivateEmailProvider',
  config: 'config',
}
const SMS = { read: 'GetSMSProvider', remove: 'RemoveSMSProvider', activate: 'ActivateSMSProvider', config: 'config' }

/** It is activated when it is created, and can be deleted nonetheless. */
function sender(methods: Sender, first: Attributes, second: Attributes, secret: Attributes = {}): Resource {
  return {
    first,
    second,
    async create({ admin }, attributes) {
      const names = { id: (await admin(methods.add, { ...attributes, ...secret })).id }
      await admin(methods.activate, names)
      return names
    },
    async read({ admin }, names) {
      const config = (await admin(methods.read, names))[methods.config]
      const part = methods.member === undefined ? config : config?.[methods.member]
      return config && { ...config, ...part }
    },
    async update({ admin }, names, attributes) {
      await admin(methods.change, { ...names, ...attributes })
      if (methods.secret !== undefined) await admin(methods.secret, { ...names, ...secret })
    },
    delete: ({ admin }, names) => admin(methods.remove, names),
  }
}

const SENDERS: Resources = {
  smtp_config: sender(
    {
      add: 'AddSMTPConfig',
      change: 'UpdateSMTPConfig',
      secret: 'UpdateSMTPConfigPassword',
      read: 'GetSMTPConfigById',
      remove: 'RemoveSMTPConfig',
      activate: 'ActivateSMTPConfig',
      config: 'smtpConfig',
    },
    SMTP,
    OTHER_SMTP,
    PASSWORD,
  ),
  // Another host is accepted with the password only.
  email_provider_smtp: {
    ...sender(
      { ...EMAIL, add: 'AddEmailProviderSMTP', change: 'UpdateEmailProviderSMTP', member: 'smtp' },
      SMTP,
      { ...OTHER_SMTP, host: 'mail.example.com:587' },
      PASSWORD,
    ),
    update: ({ admin }, names, attributes) =>
      admin('UpdateEmailProviderSMTP', { ...names, ...attributes, ...PASSWORD }),
  },
  email_provider_http: sender(
    { ...EMAIL, add: 'AddEmailProviderHTTP', change: 'UpdateEmailProviderHTTP', member: 'http' },
    HOOK,
    OTHER_HOOK,
  ),
  sms_provider_http: sender(
    { ...SMS, add: 'AddSMSProviderHTTP', change: 'UpdateSMSProviderHTTP', member: 'http' },
    HOOK,
    OTHER_HOOK,
  ),
  sms_provider_twilio: {
    ...sender(
      { ...SMS, add: 'AddSMSProviderTwilio', change: 'UpdateSMSProviderTwilio', member: 'twilio' },
      { sid: `AC${'0'.repeat(32)}`, senderNumber: '+41791234567' },
      { sid: `AC${'1'.repeat(32)}`, senderNumber: '+41791234568' },
      { token: 'secret' },
    ),
    async update({ admin }, names, attributes) {
      await admin('UpdateSMSProviderTwilio', { ...names, ...attributes })
      await admin('UpdateSMSProviderTwilioToken', { ...names, token: 'another' })
    },
  },
}

/** What is always there, and only replaced. */
function setting(
  write: (...parts: Parameters<NonNullable<Resource['update']>>) => Promise<unknown>,
  rest: Pick<Resource, 'first' | 'read'> & Partial<Resource>,
): Resource {
  return {
    ...rest,
    update: write,
    async create(api, attributes) {
      await write(api, {}, attributes)
      return {}
    },
  }
}

const SETTINGS: Resources = {
  default_oidc_settings: setting(({ admin }, _, attributes) => admin('UpdateOIDCSettings', attributes), {
    first: {
      accessTokenLifetime: '3600s',
      idTokenLifetime: '3600s',
      refreshTokenIdleExpiration: '604800s',
      refreshTokenExpiration: '1209600s',
    },
    second: { accessTokenLifetime: '1800s', refreshTokenExpiration: '2592000s' },
    read: async ({ admin }) => (await admin('GetOIDCSettings')).settings,
  }),
  default_security_settings: setting((api, _, attributes) => api.settings('SetSecuritySettings', attributes), {
    first: {
      embeddedIframe: { enabled: true, allowedOrigins: ['https://shop.example.com'] },
      enableImpersonation: true,
    },
    second: { embeddedIframe: { enabled: false, allowedOrigins: [] }, enableImpersonation: false },
    read: async (api) => (await api.settings('GetSecuritySettings')).settings,
  }),
  instance_features: setting((api, _, attributes) => api.feature('SetInstanceFeatures', attributes), {
    // These are read whether they are written or not.
    first: {
      loginDefaultOrg: true,
      userSchema: true,
      oidcTokenExchange: true,
      improvedPerformance: ['IMPROVED_PERFORMANCE_PROJECT', 'IMPROVED_PERFORMANCE_USER_GRANT'],
      debugOidcParentError: true,
      oidcSingleV1SessionTermination: true,
      enableBackChannelLogout: true,
      loginV2: { required: true, baseUri: 'https://login.example.com' },
      permissionCheckV2: true,
      consoleUseV2UserApi: true,
    },
    second: {
      loginDefaultOrg: false,
      improvedPerformance: ['IMPROVED_PERFORMANCE_PROJECT'],
      loginV2: { required: true },
    },
    async read(api) {
      const { details: _, ...features } = await api.feature('GetInstanceFeatures', { inheritance: false })
      const { loginV2, improvedPerformance, ...switches } = features
      if (Object.values(features).every(({ source }) => String(source) !== 'SOURCE_INSTANCE')) return undefined
      return {
        ...Object.fromEntries(Object.entries(switches).map(([name, { enabled }]) => [name, enabled])),
        improvedPerformance: improvedPerformance?.executionPaths,
        loginV2: { required: loginV2?.required, ...(loginV2?.baseUri && { baseUri: loginV2.baseUri }) },
      }
    },
    delete: (api) => api.feature('ResetInstanceFeatures'),
  }),
  instance_restrictions: setting(
    ({ admin }, _, { list }) =>
      admin('SetRestrictions', { allowedLanguages: { list }, disallowPublicOrgRegistration: true }),
    {
      first: { list: ['en', 'de'], disallowPublicOrgRegistration: true },
      second: { list: ['en'] },
      async read({ admin }) {
        const { allowedLanguages, ...rest } = await admin('GetRestrictions')
        return Object.values(allowedLanguages ?? {}).length === 0 ? undefined : { list: allowedLanguages, ...rest }
      },
      delete: ({ admin }) => admin('SetRestrictions', { allowedLanguages: { list: [] } }),
    },
  ),
  instance_secret_generator: setting(({ admin }, _, attributes) => admin('UpdateSecretGenerator', attributes), {
    first: GENERATOR,
    second: { length: 12 },
    async read({ admin }) {
      const { generatorType } = GENERATOR
      return (await admin('GetSecretGenerator', { generatorType })).secretGenerator
    },
  }),
}

export const INSTANCE: Resources = {
  instance_member: memberResource('admin', 'IAM', ['IAM_OWNER_VIEWER', 'IAM_ORG_MANAGER']),
  ...SETTINGS,
  ...SENDERS,
  webkey: {
    first: { rsa: { bits: 'RSA_BITS_2048', hasher: 'RSA_HASHER_SHA256' } },
    create: async (api, attributes) => ({ id: (await api.webKey('CreateWebKey', attributes)).id }),
    read: async (api, names) => oneOf((await api.webKey('ListWebKeys')).webKeys, names),
    delete: (api, names) => api.webKey('DeleteWebKey', names),
  },
  active_webkey: {
    first: { state: 'STATE_ACTIVE' },
    async create(api) {
      const names = { id: (await api.webKey('CreateWebKey', { ed25519: {} })).id }
      await api.webKey('ActivateWebKey', names)
      return names
    },
    read: async (api, names) => oneOf((await api.webKey('ListWebKeys')).webKeys, { ...names, state: 'STATE_ACTIVE' }),
    update: (api, names) => api.webKey('ActivateWebKey', names),
    // The oldest key becomes the active one again.
    async delete(api) {
      const keys = Object.values((await api.webKey('ListWebKeys')).webKeys ?? {})
      const ageOf = ({ creationDate, id }: Reply) => `${creationDate} ${id}`
      const oldest = keys.toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))[0]
      await api.webKey('ActivateWebKey', { id: oldest?.id })
    },
  },
}
