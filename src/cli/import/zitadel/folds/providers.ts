/** Identity providers of the instance and of organizations, in both forms that the log has. */
import type { LdapField } from '../../../../features/identity-providers/index.ts'
import {
  anything,
  type CryptoValue,
  crypto,
  flag,
  type Members,
  milliseconds,
  need,
  object,
  optional,
  type PeerEvent,
  type Reader,
  type Shape,
  take,
  text,
  texts,
  whole,
} from '../event.ts'
import { type Changes, type Folding, Parts } from '../fold.ts'

/** The types whose events are named alike. */
const TYPES = [
  'oidc',
  'oauth',
  'azure',
  'github',
  'github_enterprise',
  'gitlab',
  'gitlab_self_hosted',
  'google',
  'apple',
  'jwt',
  'ldap',
  'ldap.v2',
  'saml',
  'zitadel',
] as const

export type PeerProviderType = (typeof TYPES)[number]

/** The organizations of another ZITADEL whose users have roles of the instance. */
const instanceRoles: Reader<readonly { readonly organizationId: string; readonly organizationDomain: string }[]> = (
  value,
) => {
  const roles = (Array.isArray(value) ? value : []).map((one) => {
    const { organizationId, organizationDomain = '' } = object(one) ?? {}
    const areTexts = typeof organizationId === 'string' && typeof organizationDomain === 'string'
    return areTexts ? { organizationId, organizationDomain } : undefined
  })
  return Array.isArray(value) && !roles.includes(undefined) ? roles.filter((role) => role !== undefined) : undefined
}

/** Which attribute of an entry says what about a user. */
export const LDAP_FIELDS = {
  idAttribute: 'id',
  firstNameAttribute: 'firstName',
  lastNameAttribute: 'lastName',
  displayNameAttribute: 'displayName',
  nickNameAttribute: 'nickName',
  preferredUsernameAttribute: 'preferredUsername',
  emailAttribute: 'email',
  emailVerifiedAttribute: 'emailVerified',
  phoneAttribute: 'phone',
  phoneVerifiedAttribute: 'phoneVerified',
  preferredLanguageAttribute: 'preferredLanguage',
  avatarURLAttribute: 'avatarUrl',
  profileAttribute: 'profile',
} as const satisfies Readonly<Record<string, LdapField>>

/** The members of all types together; two types write the client in another way. */
const PROVIDER = {
  name: text,
  clientId: text,
  client_id: text,
  clientSecret: crypto,
  client_secret: crypto,
  privateKey: crypto,
  issuer: text,
  scopes: texts,
  authorizationEndpoint: text,
  tokenEndpoint: text,
  userEndpoint: text,
  idTokenMapping: flag,
  usePKCE: flag,
  isEmailVerified: flag,
  teamId: text,
  keyId: text,
  /** SAML: bytes as base64, our key, and names of bindings and algorithms. */
  metadata: text,
  certificate: text,
  key: crypto,
  binding: text,
  withSignedRequest: flag,
  nameIDFormat: whole,
  transientMappingAttributeName: text,
  federatedLogoutEnabled: flag,
  signatureAlgorithm: text,
  /** LDAP; certificates are bytes as base64. */
  servers: texts,
  startTLS: flag,
  baseDN: text,
  bindDN: text,
  bindPassword: crypto,
  userBase: text,
  userObjectClasses: texts,
  userFilters: texts,
  timeout: milliseconds,
  rootCA: text,
  ...(Object.fromEntries(Object.keys(LDAP_FIELDS).map((name) => [name, text])) as Record<
    keyof typeof LDAP_FIELDS,
    Reader<string>
  >),
  /** JWT. */
  jwtEndpoint: text,
  keysEndpoint: text,
  headerName: text,
  audience: text,
  /** Another ZITADEL. */
  instanceRolesInfo: instanceRoles,
  isCreationAllowed: flag,
  isLinkingAllowed: flag,
  isAutoCreation: flag,
  isAutoUpdate: flag,
  autoLinkingOption: whole,
  /** The older form. */
  idpDisplayNameMapping: whole,
  usernameMapping: whole,
} satisfies Shape

export interface ProviderState {
  readonly type: PeerProviderType
  readonly isActive: boolean
  readonly values: Members<typeof PROVIDER>
  readonly tenant: string
  readonly isGoogleStyled: boolean
  /** Of the older form: the second of its two events is missing. */
  readonly isIncomplete: boolean
}

type Providers = Parts<ProviderState>

/** Text here, an object in an early version. */
function tenantOf(event: PeerEvent): string | undefined {
  const tenant = optional(event, 'tenant', anything)
  return typeof tenant === 'string' ? tenant : undefined
}

function added(type: PeerProviderType, event: PeerEvent): ProviderState {
  const values = take(event, PROVIDER)
  return {
    type,
    isActive: true,
    values,
    tenant: tenantOf(event) ?? '',
    isGoogleStyled: type === 'google',
    isIncomplete: false,
  }
}

function patched(provider: ProviderState, event: PeerEvent): ProviderState {
  const values = { ...provider.values, ...take(event, PROVIDER) }
  return { ...provider, values, tenant: tenantOf(event) ?? provider.tenant }
}

/** The settings of providers of the older form. */
function oldOptions(event: PeerEvent): Members<typeof PROVIDER> {
  const isAutoCreation = optional(event, 'autoRegister', flag) ?? false
  return { ...take(event, { name: text }), isCreationAllowed: true, isLinkingAllowed: true, isAutoCreation }
}

type ProviderChange = (providers: Providers, event: PeerEvent) => void

function newForm(base: string): [string, ProviderChange][] {
  const id = (event: PeerEvent) => need(event, 'id', text)
  return [
    ...TYPES.flatMap((type): [string, ProviderChange][] => [
      [`${base}.idp.${type}.added`, (providers, event) => providers.add(id(event), added(type, event), event)],
      [
        `${base}.idp.${type}.changed`,
        (providers, event) => providers.change(id(event), event, (provider) => patched(provider, event)),
      ],
    ]),
    ...(['azure', 'google'] as const).map((type): [string, ProviderChange] => [
      `${base}.idp.oidc.migrated.${type}`,
      (providers, event) => providers.put(id(event), added(type, event), event),
    ]),
    [`${base}.idp.removed`, (providers, event) => providers.remove(id(event))],
  ]
}

function oldForm(base: string): [string, ProviderChange][] {
  const change = (change: (provider: ProviderState, event: PeerEvent) => ProviderState): ProviderChange => {
    return (providers, event) =>
      providers.change(need(event, 'idpConfigId', text), event, (provider) => change(provider, event))
  }
  const complete = (type: PeerProviderType) =>
    change((provider, event) => {
      const { values, ...rest } = patched(provider, event)
      // This form reads users from ID tokens.
      return { ...rest, values: { ...values, idTokenMapping: true }, type, isIncomplete: false }
    })
  return [
    [
      `${base}.idp.config.added`,
      (providers, event) => {
        const provider: ProviderState = {
          type: 'oidc',
          isActive: true,
          values: oldOptions(event),
          tenant: '',
          isGoogleStyled: optional(event, 'stylingType', whole) === 1,
          isIncomplete: true,
        }
        providers.add(need(event, 'idpConfigId', text), provider, event)
      },
    ],
    [
      `${base}.idp.config.changed`,
      change((provider, event) => {
        const isAutoCreation = optional(event, 'autoRegister', flag) ?? provider.values.isAutoCreation ?? false
        const stylingType = optional(event, 'stylingType', whole)
        const isGoogleStyled = stylingType === undefined ? provider.isGoogleStyled : stylingType === 1
        return {
          ...provider,
          values: { ...provider.values, ...take(event, { name: text }), isAutoCreation },
          isGoogleStyled,
        }
      }),
    ],
    [`${base}.idp.config.deactivated`, change((provider) => ({ ...provider, isActive: false }))],
    [`${base}.idp.config.reactivated`, change((provider) => ({ ...provider, isActive: true }))],
    [`${base}.idp.config.removed`, (providers, event) => providers.remove(need(event, 'idpConfigId', text))],
    [`${base}.idp.oidc.config.added`, complete('oidc')],
    [`${base}.idp.oidc.config.changed`, change(patched)],
    [`${base}.idp.jwt.config.added`, complete('jwt')],
    [`${base}.idp.jwt.config.changed`, change(patched)],
  ]
}

function providerChanges(bases: readonly string[]): Changes<Providers> {
  return Object.fromEntries(bases.flatMap((base) => [...newForm(base), ...oldForm(base)]))
}

export const instanceProviders: Folding<Providers> = {
  aggregateType: 'instance',
  initial: () => new Parts(),
  changes: providerChanges(['instance', 'iam']),
}

export const organizationProviders: Folding<Providers> = {
  aggregateType: 'org',
  initial: () => new Parts(),
  changes: providerChanges(['org']),
  ends: ['org.removed'],
}

/** The client and its secret, however the type writes them. */
export function clientOf({ values }: ProviderState): { readonly clientId: string; readonly secret?: CryptoValue } {
  const secret = values.clientSecret ?? values.client_secret ?? values.privateKey ?? values.key ?? values.bindPassword
  return { clientId: values.clientId ?? values.client_id ?? '', ...(secret && { secret }) }
}
