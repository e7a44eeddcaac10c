/** What requests about settings, mail and text messages need beside what their descriptors require. */
import type { ExampleThings, Needs } from './example-names.ts'

const TEXT = { type: 'MESSAGE_TYPE_PASSWORD_RESET', language: 'en' }
const FACTOR = { type: 'SECOND_FACTOR_TYPE_OTP' }
const MULTI_FACTOR = { type: 'MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION' }
const COMPLEXITY = { minLength: 10, hasLowercase: true }
const LINKS = { tosLink: 'https://example.com/terms' }
const LIFETIMES = {
  accessTokenLifetime: '60s',
  idTokenLifetime: '60s',
  refreshTokenIdleExpiration: '60s',
  refreshTokenExpiration: '60s',
}
const DOMAIN_POLICY = { validateOrgDomains: true }
const GENERATOR = {
  generatorType: 'SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE',
  length: 8,
  expiry: '1800s',
  includeUpperLetters: true,
  includeDigits: true,
}

const TWILIO = { sid: 'AC0123', token: 'token', senderNumber: '+15005550006' }

/** Of mail and text messages. */
function forMessages(things: ExampleThings): Needs {
  const mailServer = { senderAddress: 'a@example.com', senderName: 'A', host: things.mailHost }
  const webhook = { endpoint: things.webhook, description: 'A' }
  return {
    AddSMTPConfig: mailServer,
    UpdateSMTPConfig: { ...mailServer, senderName: 'B' },
    TestSMTPConfigById: { receiverAddress: 'b@example.com' },
    TestSMTPConfig: { ...mailServer, receiverAddress: 'b@example.com' },
    AddEmailProviderSMTP: mailServer,
    UpdateEmailProviderSMTP: mailServer,
    TestEmailProviderSMTPById: { receiverAddress: 'b@example.com' },
    TestEmailProviderSMTP: { ...mailServer, receiverAddress: 'b@example.com' },
    AddEmailProviderHTTP: webhook,
    UpdateEmailProviderHTTP: { ...webhook, id: things.emailWebhookId },
    AddSMSProviderTwilio: TWILIO,
    UpdateSMSProviderTwilio: { id: things.twilioId, sid: 'AC0456', senderNumber: '+15005550006' },
    UpdateSMSProviderTwilioToken: { id: things.twilioId, token: 'token' },
    AddSMSProviderHTTP: webhook,
    UpdateSMSProviderHTTP: { ...webhook, description: 'B' },
    WaitForMail: { timeout: '0.001s' },
    GetMessageText: { ...TEXT, organizationId: things.home },
    SetMessageText: { ...TEXT, organizationId: things.home, text: { subject: 'Another' } },
    ResetMessageText: { ...TEXT, organizationId: things.home },
    ListMessageTexts: { organizationId: things.home },
  }
}

/** Of settings, mail and text messages. */
export function forSettings(things: ExampleThings): Needs {
  return {
    ...forMessages(things),
    SetDefaultLanguage: { language: 'de' },
    UpdateLabelPolicy: { primaryColor: '#112233' },
    AddCustomLabelPolicy: { primaryColor: '#112233' },
    UpdateCustomLabelPolicy: { primaryColor: '#332211' },
    UpdatePrivacyPolicy: LINKS,
    AddCustomPrivacyPolicy: LINKS,
    UpdateCustomPrivacyPolicy: { ...LINKS, helpLink: 'https://help.example' },
    UpdatePasswordAgePolicy: { maxAgeDays: 3650 },
    AddCustomPasswordAgePolicy: { maxAgeDays: 3650 },
    UpdateCustomPasswordAgePolicy: { maxAgeDays: 3651 },
    GetBrandingSettings: { ctx: { orgId: things.home } },
    GetLegalAndSupportSettings: { ctx: { orgId: things.home } },
    GetLinkSettings: { ctx: { orgId: things.home } },
    SetLinkSettings: {
      ctx: { orgId: things.home },
      links: [{ type: 'LINK_TYPE_HELP', url: 'https://help.example' }],
    },
    ResetLinkSettings: { ctx: { orgId: things.home } },
    GetEffectiveSettings: { organizationId: things.home },
    GetPasswordExpirySettings: { ctx: { orgId: things.home } },
    GetHostedLoginTranslation: { locale: 'en' },
    SetHostedLoginTranslation: { instance: true, locale: 'en', translations: { common: { back: 'Back' } } },
    AddOIDCSettings: LIFETIMES,
    UpdateOIDCSettings: LIFETIMES,
    CreateWebhook: { organizationId: things.home, name: 'A', endpoint: things.webhook },
    UpdateWebhook: { name: 'B', endpoint: things.webhook },
    ListWebhooks: { organizationId: things.home },
    GetWebhookDelivery: { sequence: '1' },
    ListSignalStreams: { organizationId: things.home },
    ListTrustedTransmitters: { organizationId: things.home },
    CreateTrustedTransmitter: {
      ...{ organizationId: things.home, name: 'A', issuer: 'https://login.example.com', idpId: things.idpId },
      ...{ audience: 'https://id.example.com', jwksUri: 'https://login.example.com/keys' },
    },
    UpdateTrustedTransmitter: { name: 'B' },
    UpdatePasswordComplexityPolicy: COMPLEXITY,
    AddCustomPasswordComplexityPolicy: COMPLEXITY,
    UpdateCustomPasswordComplexityPolicy: COMPLEXITY,
    UpdateLockoutPolicy: { maxPasswordAttempts: 8 },
    AddCustomLockoutPolicy: { maxPasswordAttempts: 8 },
    UpdateCustomLockoutPolicy: { maxPasswordAttempts: 8 },
    UpdateLoginPolicy: { allowUsernamePassword: true, forceMfa: true },
    UpdateCustomLoginPolicy: { allowUsernamePassword: true, forceMfa: true },
    AddCustomLoginPolicy: { allowUsernamePassword: true },
    AddSecondFactorToLoginPolicy: FACTOR,
    RemoveSecondFactorFromLoginPolicy: FACTOR,
    AddMultiFactorToLoginPolicy: MULTI_FACTOR,
    RemoveMultiFactorFromLoginPolicy: MULTI_FACTOR,
    GetPageTexts: { language: 'en', organizationId: things.home },
    SetPageTexts: { language: 'en', organizationId: things.home, texts: [{ key: 'signIn.title', text: 'Hello' }] },
    ResetPageTexts: { language: 'en', organizationId: things.home },
    GetLoginSettings: { ctx: { orgId: things.home } },
    GetPasswordComplexitySettings: { ctx: { orgId: things.home } },
    GetDomainSettings: { ctx: { orgId: things.home } },
    GetLockoutSettings: { ctx: { orgId: things.home } },
    SetOrganizationSettings: { organizationScopedUsernames: true },
    SetInstanceFeatures: { permissionCheckV2: true },
    UpdateDomainPolicy: DOMAIN_POLICY,
    AddCustomDomainPolicy: DOMAIN_POLICY,
    UpdateCustomDomainPolicy: DOMAIN_POLICY,
    SetRestrictions: { allowedLanguages: { list: ['en', 'de'] } },
    UpdateCustomNotificationPolicy: { passwordChange: true },
    GetSecretGenerator: { generatorType: GENERATOR.generatorType },
    UpdateSecretGenerator: GENERATOR,
    SetSecuritySettings: { enableImpersonation: true },
  }
}
