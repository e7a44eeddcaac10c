/** The settings of an identity provider, as forms have them, and back. */
import {
  AutoLinkingOption,
  type AzureADTenant,
  AzureADTenantType,
  EmailTrust,
} from '../../../../contract/gen/signet/idp/v1/config_pb.ts'
import type { Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { type DirectoryValues, directoryOf, directoryRequest, newDirectory } from './directory-values.ts'
import { NEW_SAML, type SamlValues, samlRequest, samlValuesOf } from './saml-values.ts'
import { SPECS, type Template } from './templates.ts'

const TENANTS = {
  common: AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON,
  organisations: AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS,
  consumers: AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS,
} as const

export type Tenant = keyof typeof TENANTS | 'one'

export const LINKINGS = {
  none: AutoLinkingOption.UNSPECIFIED,
  username: AutoLinkingOption.USERNAME,
  email: AutoLinkingOption.EMAIL,
} as const

export type Linking = keyof typeof LINKINGS

export const EMAIL_TRUSTS = {
  told: EmailTrust.UNSPECIFIED,
  always: EmailTrust.ALWAYS,
  never: EmailTrust.NEVER,
} as const

export interface ProviderValues extends Record<string, unknown>, DirectoryValues, SamlValues {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Empty in an update: it stays. */
  readonly clientSecret: string
  readonly scopes: string[]
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userEndpoint: string
  readonly idAttribute: string
  readonly usePkce: boolean
  readonly isIdTokenMapping: boolean
  readonly tenant: Tenant
  readonly tenantId: string
  readonly emailVerified: boolean
  readonly teamId: string
  readonly keyId: string
  readonly privateKey: string
  readonly jwtEndpoint: string
  readonly keysEndpoint: string
  readonly headerName: string
  readonly audience: string
  /** Not shown, and kept: it has no effect. */
  readonly instanceRolesInfo: readonly object[]
  readonly isLinkingAllowed: boolean
  readonly isCreationAllowed: boolean
  readonly isAutoCreation: boolean
  readonly isAutoUpdate: boolean
  readonly autoLinking: Linking
  readonly emailTrust: keyof typeof EMAIL_TRUSTS
  readonly isHidden: boolean
  /** Whether the provider says one of the two. If not, they are not sent unless they are chosen. */
  readonly isOptionStored: boolean
}

/** Fields that are never shown: empty, what is stored stays. */
export const NO_SECRETS = { clientSecret: '', privateKey: '', bindPassword: '' } as const

/** The values of a new provider. */
export function newValues(template: Template): ProviderValues {
  return {
    ...newDirectory(),
    name: SPECS[template].isBrand === true ? SPECS[template].name : '',
    issuer: '',
    clientId: '',
    clientSecret: '',
    scopes: template === 'oidc' ? ['openid', 'profile', 'email'] : [],
    authorizationEndpoint: '',
    tokenEndpoint: '',
    userEndpoint: '',
    idAttribute: template === 'oauth' ? 'id' : '',
    usePkce: true,
    isIdTokenMapping: false,
    tenant: 'common',
    tenantId: '',
    emailVerified: false,
    teamId: '',
    keyId: '',
    privateKey: '',
    jwtEndpoint: '',
    keysEndpoint: '',
    headerName: '',
    audience: '',
    instanceRolesInfo: [],
    isLinkingAllowed: true,
    isCreationAllowed: true,
    isAutoCreation: false,
    isAutoUpdate: false,
    autoLinking: 'none',
    emailTrust: 'told',
    isHidden: false,
    isOptionStored: false,
    ...NEW_SAML,
  }
}

function tenantOf(tenant: AzureADTenant | undefined): Pick<ProviderValues, 'tenant' | 'tenantId'> {
  if (tenant?.type.case === 'tenantId') return { tenant: 'one', tenantId: tenant.type.value }
  const type = tenant?.type.value
  const name = (Object.keys(TENANTS) as (keyof typeof TENANTS)[]).find((one) => TENANTS[one] === type)
  return { tenant: name ?? 'common', tenantId: '' }
}

/** The values of a provider. Its configuration has the fields of its kind alone. */
export function valuesOf(template: Template, { name, config }: Provider): ProviderValues {
  const own = (config?.config.value ?? {}) as Partial<Record<keyof ProviderValues, unknown>> & {
    readonly tenant?: AzureADTenant
  }
  const options = config?.options
  const named = <Name extends string>(numbers: Readonly<Record<Name, number>>, number: number | undefined) =>
    (Object.keys(numbers) as Name[]).find((one) => numbers[one] === number)
  const text = (field: keyof ProviderValues) => (typeof own[field] === 'string' ? own[field] : '')
  return {
    ...newValues(template),
    ...(config?.config.case === 'ldap' && directoryOf(config.config.value)),
    name,
    issuer: text('issuer'),
    clientId: text('clientId'),
    scopes: [...((own.scopes as string[] | undefined) ?? [])],
    authorizationEndpoint: text('authorizationEndpoint'),
    tokenEndpoint: text('tokenEndpoint'),
    userEndpoint: text('userEndpoint'),
    idAttribute: text('idAttribute'),
    usePkce: own.usePkce === true,
    isIdTokenMapping: own.isIdTokenMapping === true,
    ...tenantOf(own.tenant),
    emailVerified: own.emailVerified === true,
    teamId: text('teamId'),
    keyId: text('keyId'),
    jwtEndpoint: text('jwtEndpoint'),
    keysEndpoint: text('keysEndpoint'),
    headerName: text('headerName'),
    audience: text('audience'),
    instanceRolesInfo: [...((own.instanceRolesInfo as object[] | undefined) ?? [])],
    isLinkingAllowed: options?.isLinkingAllowed ?? false,
    isCreationAllowed: options?.isCreationAllowed ?? false,
    isAutoCreation: options?.isAutoCreation ?? false,
    isAutoUpdate: options?.isAutoUpdate ?? false,
    autoLinking: named(LINKINGS, options?.autoLinking) ?? 'none',
    emailTrust: named(EMAIL_TRUSTS, options?.emailTrust) ?? 'told',
    isHidden: options?.isHidden ?? false,
    isOptionStored: options?.emailTrust !== undefined || options?.isHidden !== undefined,
    ...(config?.config.case === 'saml' && samlValuesOf(config.config.value)),
  }
}

/** The request with all fields; the message of a kind takes its own. */
export function requestOf(values: ProviderValues): Record<string, unknown> {
  const { tenant, tenantId, privateKey, autoLinking, emailTrust } = values
  const { isLinkingAllowed, isCreationAllowed, isAutoCreation, isAutoUpdate, isHidden, isOptionStored, ...fields } =
    values
  const isChosen = isOptionStored || isHidden || emailTrust !== 'told'
  const type =
    tenant === 'one'
      ? ({ case: 'tenantId', value: tenantId.trim() } as const)
      : ({ case: 'tenantType', value: TENANTS[tenant] } as const)
  return {
    ...fields,
    ...directoryRequest(values),
    jwtEndpoint: values.jwtEndpoint.trim(),
    keysEndpoint: values.keysEndpoint.trim(),
    headerName: values.headerName.trim(),
    audience: values.audience.trim(),
    ...samlRequest(values),
    name: values.name.trim(),
    issuer: values.issuer.trim(),
    clientId: values.clientId.trim(),
    tenant: { type },
    privateKey: new TextEncoder().encode(privateKey),
    providerOptions: {
      isLinkingAllowed,
      isCreationAllowed,
      isAutoCreation,
      isAutoUpdate,
      autoLinking: LINKINGS[autoLinking],
      ...(isChosen && { emailTrust: EMAIL_TRUSTS[emailTrust], isHidden }),
    },
  }
}
