/** The objects of `full-instance.ts` that readers of other products have, too. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { hashSync } from '@node-rs/bcrypt'
import type { AnyDraft } from '../../src/cli/import/draft.ts'
import { PAGE_TEXTS } from '../../src/features/settings/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import {
  applicationDraft,
  cheapHash,
  dates,
  humanDraft,
  machineDraft,
  ORGANIZATION,
  organizationDraft,
  PASSWORD,
  projectDraft,
  SECRET,
} from './drafts.ts'
import { TOKEN_KEY } from './foreign-token.ts'
import { certificateFor, upstreamMetadata } from './response-forger.ts'
import { newKey } from './saml-signer.ts'

export const ADA = '33333333333333333'
export const MACHINE = '44444444444444444'
export const APPLICATION = '55555555555555555'
export const PROJECT = '22222222222222222'
export const PARTNER = '11111111111111112'
const GRANT = '22222222222222223'
export const PROVIDER = '88888888888888888'
export const SHARED_PROVIDER = '88888888888888887'
export const MACHINE_KEY = '99999999999999991'
export const RESOURCE = 'https://api.shop.example/'

export const owned = { ...dates, organizationId: ORGANIZATION }
export const ofInstance = { ...dates, organizationId: '' }

function picture(shade: number): Buffer {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  // Something after the end of the picture makes it another file.
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from([shade])])
}

function coseKey(): string {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const [head, middle] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
  return Buffer.concat([head, Buffer.from(x, 'base64url'), middle, Buffer.from(y, 'base64url')]).toString('base64url')
}

function passkey(id: string, use: 'passkey' | 'second-factor') {
  const credentialId = randomBytes(32).toString('base64url')
  const made = { credentialId, publicKey: coseKey(), rpId: 'localhost', signCount: 3, isBackupEligible: true }
  return { id, name: `Key ${id}`, use, ...made, transports: ['internal'], createdAt: dates.createdAt }
}

const PROVIDER_OPTIONS = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: false,
  isAutoUpdate: false,
  autoLinking: 'none',
} as const

function provider(id: string, organizationId: string): AnyDraft {
  return {
    ...dates,
    organizationId,
    kind: 'identity-provider',
    id,
    name: `Upstream ${id}`,
    isActive: organizationId !== '',
    type: 'oidc',
    clientId: 'client',
    clientSecret: `secret of ${id}`,
    values: {
      issuer: `https://login-${id}.example`,
      scopes: ['openid', 'email'],
      options: PROVIDER_OPTIONS,
      displayNameMapping: 'email',
    },
    ...(organizationId !== '' && { reach: ['ORG_SETTINGS_MANAGER'] }),
  }
}

/** Providers without a client, as an export describes them. */
function providersWithoutClient(): readonly AnyDraft[] {
  const about = {
    ...dates,
    organizationId: ORGANIZATION,
    kind: 'identity-provider',
    isActive: true,
    clientId: '',
  } as const
  const values = { scopes: [], options: PROVIDER_OPTIONS, styling: 'unspecified' } as const
  const ldap = {
    protocol: 'ldap',
    ...{ servers: ['ldaps://ldap.example'], startTls: false, baseDn: 'dc=example', userBase: 'dn' },
    ...{ bindDn: 'cn=reader,dc=example', userObjectClasses: ['person'], userFilters: ['uid'], timeoutMs: 10_000 },
    attributes: { id: 'entryUUID', email: 'mail' },
  } as const
  const jwt = {
    protocol: 'jwt',
    ...{ issuer: 'https://login.example', jwtEndpoint: 'https://apps.example/gate' },
    ...{ keysEndpoint: 'https://login.example/keys', headerName: 'x-signed-in', audience: 'signet' },
  } as const
  return [
    {
      ...{ ...about, id: '88888888888888886', name: 'Directory', type: 'ldap', clientSecret: 'password of the reader' },
      values: { ...values, connection: ldap },
    },
    { ...about, id: '88888888888888885', name: 'Gate', type: 'jwt', values: { ...values, connection: jwt } },
  ]
}

const samlKey = newKey()

function samlProvider(id: string): AnyDraft {
  const own = { certificate: certificateFor(samlKey.privateKey), expiresAt: instant(Date.UTC(2049, 0)) }
  const saml = {
    metadataXml: upstreamMetadata('https://upstream.example'),
    binding: 'post',
    signsRequests: true,
    signature: 'sha512',
    nameIdFormat: 'transient',
    transientAttribute: 'uid',
    logsOut: true,
    own,
  } as const
  const values = { scopes: [], options: PROVIDER_OPTIONS, saml }
  const about = { ...dates, organizationId: ORGANIZATION, kind: 'identity-provider', id, name: 'SAML' } as const
  return { ...about, isActive: true, type: 'saml', clientId: '', clientSecret: samlKey.pem, values }
}

const PAGE_TEXT = [...PAGE_TEXTS.keys()][0] ?? ''
export const LOOK = {
  light: { primaryColor: '#112233', backgroundColor: '#ffffff', warnColor: '#aa0000', fontColor: '#000000' },
  dark: { primaryColor: '#8899ff', backgroundColor: '#000000', warnColor: '#ff8888', fontColor: '#ffffff' },
  hidesLoginNameSuffix: true,
  disablesWatermark: true,
  themeMode: 'dark',
} as const

function settingsDrafts(): readonly AnyDraft[] {
  const about = { ...owned, kind: 'settings', reach: ['ORG_SETTINGS_MANAGER'] } as const
  return [
    { ...about, id: 'lockout', section: 'lockout', values: { maxPasswordAttempts: 7, maxOtpAttempts: 8 } },
    { ...about, id: 'branding', section: 'branding', values: { ...LOOK, isActive: true } },
    { ...about, id: 'login', section: 'login', values: { allowsRegistration: true, secondFactors: ['totp'] } },
    {
      ...about,
      id: 'passwordComplexity',
      section: 'passwordComplexity',
      values: { minLength: 9, needsUppercase: true, needsLowercase: true, needsNumber: false, needsSymbol: false },
    },
    { ...about, id: 'passwordExpiry', section: 'passwordExpiry', values: { maxAgeDays: 90, warnDays: 10 } },
    {
      ...about,
      id: 'legal',
      section: 'legal',
      values: {
        tosLink: 'https://moved.example/tos',
        privacyLink: '',
        helpLink: '',
        supportEmail: 'help@moved.example',
        docsLink: '',
        customLink: '',
        customLinkText: '',
      },
    },
    { ...ofInstance, kind: 'settings', id: 'language', section: 'language', values: { defaultLanguage: 'de' } },
    {
      ...ofInstance,
      kind: 'settings',
      id: 'security',
      section: 'security',
      values: { allowsImpersonation: true, allowsClientRegistration: true, registrationsPerHour: 9 },
    },
    {
      ...ofInstance,
      kind: 'settings',
      id: 'oidc',
      section: 'oidc',
      values: { accessTokenMs: 300_000, idTokenMs: 300_000, refreshIdleMs: 3_600_000, refreshAbsoluteMs: 7_200_000 },
    },
    { ...ofInstance, kind: 'settings', id: 'features', section: 'features', values: { loginDefaultOrg: true } },
  ]
}

function userDrafts(): readonly AnyDraft[] {
  const ada = humanDraft({
    phone: { number: '+41791234567', isVerified: true },
    password: { hash: hashSync(PASSWORD, 10), changeRequired: false, changedAt: dates.createdAt },
    otpEmail: true,
    otpSms: true,
    setUpSkippedAt: dates.changedAt,
    passkeys: [passkey('77777777777777771', 'passkey'), passkey('77777777777777772', 'second-factor')],
    links: [{ providerId: PROVIDER, userId: 'ada-there', userName: 'ada' }],
  })
  const human = (id: string, userName: string, state: 'active' | 'inactive' | 'locked' | 'initial', more = {}) =>
    humanDraft({ id, userName, state, email: { address: `${userName}@moved.example`, isVerified: false }, ...more })
  return [
    ada,
    human('33333333333333334', 'inactive', 'inactive', { needsSetUp: true }),
    human('33333333333333335', 'locked', 'locked', { recoveryCodes: [{ hash: cheapHash('abcd') }] }),
    human('33333333333333336', 'invited', 'initial'),
    human('33333333333333337', 'renamed', 'active'),
    human('33333333333333338', 'leaving', 'active'),
    human('33333333333333339', 'partner', 'active', { organizationId: PARTNER }),
    machineDraft({ accessTokenType: 'jwt' }),
    machineDraft({ id: '44444444444444445', userName: 'locked-robot', state: 'locked' }),
  ]
}

function belongings(): readonly AnyDraft[] {
  const administrator = (
    id: string,
    level: 'instance' | 'organization' | 'project' | 'project-grant',
    objectId: string,
    role: string,
  ): AnyDraft => ({
    ...(level === 'instance' ? ofInstance : owned),
    kind: 'administrator',
    id,
    userId: MACHINE,
    level,
    objectId,
    ...(level === 'project-grant' && { projectId: PROJECT }),
    roles: [role],
  })
  const authorization = { ...owned, kind: 'authorization', projectId: PROJECT, roleKeys: ['seller'] } as const
  return [
    applicationDraft({ secret: { plain: SECRET } }),
    applicationDraft({ id: '55555555555555557', name: 'Old', clientId: 'old@shop', isActive: false }),
    { ...owned, kind: 'metadata', id: 'a', of: 'user', objectId: ADA, key: 'team', value: 'Ymx1ZQ==' },
    administrator('i', 'instance', '', 'IAM_OWNER'),
    administrator('o', 'organization', ORGANIZATION, 'ORG_OWNER'),
    administrator('p', 'project', PROJECT, 'PROJECT_OWNER'),
    administrator('g', 'project-grant', GRANT, 'PROJECT_GRANT_OWNER'),
    { ...authorization, id: '12121212121212121', userId: ADA, isActive: false },
    {
      ...authorization,
      organizationId: PARTNER,
      id: '12121212121212122',
      userId: '33333333333333339',
      projectGrantId: GRANT,
      isActive: true,
    },
    { ...owned, kind: 'picture', id: 'p', of: 'user', objectId: ADA, mediaType: 'image/png', bytes: picture(1) },
    { ...owned, kind: 'picture', id: 'l', of: 'logo', objectId: '', mediaType: 'image/png', bytes: picture(2) },
  ]
}

export function foreignDrafts(): readonly AnyDraft[] {
  return [
    { ...ofInstance, kind: 'token-key', id: 'oidcKey', key: TOKEN_KEY.toString('base64url') },
    organizationDraft({
      hasScopedUserNames: true,
      domains: [
        { name: 'moved.example', isVerified: true, isPrimary: true },
        { name: 'waiting.example', isVerified: false, isPrimary: false },
      ],
    }),
    organizationDraft({ id: PARTNER, organizationId: PARTNER, name: 'Partner' }),
    organizationDraft({
      id: '11111111111111113',
      organizationId: '11111111111111113',
      name: 'Closed',
      isActive: false,
    }),
    ...settingsDrafts(),
    {
      ...owned,
      kind: 'text',
      id: 'mail',
      target: 'mail',
      messageType: 'verify_email',
      language: 'en',
      texts: { subject: 'Please confirm' },
      reach: ['ORG_SETTINGS_MANAGER'],
    },
    { ...ofInstance, kind: 'text', id: 'page', target: 'page', language: 'fr', texts: { [PAGE_TEXT]: 'Bonjour' } },
    provider(PROVIDER, ORGANIZATION),
    provider(SHARED_PROVIDER, ''),
    ...providersWithoutClient(),
    samlProvider('88888888888888884'),
    projectDraft({ roles: ['seller', 'buyer'].map((key) => ({ key, displayName: key, group: 'trade' })) }),
    projectDraft({
      id: '22222222222222224',
      name: 'Paused',
      isActive: false,
      privateLabeling: 'user-owner',
      roles: [],
    }),
    {
      ...owned,
      kind: 'project-grant',
      id: GRANT,
      projectId: PROJECT,
      grantedOrganizationId: PARTNER,
      roleKeys: ['seller'],
      isActive: true,
    },
    ...userDrafts(),
    ...belongings(),
  ]
}
