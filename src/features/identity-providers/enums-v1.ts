/** Maps the enum values of the v1 services to the names of this module. */
import {
  AutoLinkingOption,
  type AzureADTenant,
  AzureADTenantType,
  EmailTrust as EmailTrustV1,
  type Options,
  ProviderType as ProviderTypeV1,
} from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { IDPStylingType, OIDCMappingField } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import type { EmailTrust, MappingField, ProviderOptions, ProviderType, Styling } from './events.ts'

/** The name for a number of the contract. Unknown numbers are refused by the limits. */
function wordIn<Word extends string>(numbers: Readonly<Record<Word, number>>, fallback: NoInfer<Word>) {
  return (sought: number): Word => {
    for (const [word, number] of Object.entries(numbers)) if (number === sought) return word as Word
    return fallback
  }
}

/** The v2 services have the same numbers. */
export const PROVIDER_TYPES = {
  oidc: ProviderTypeV1.OIDC,
  oauth: ProviderTypeV1.OAUTH,
  azure_ad: ProviderTypeV1.AZURE_AD,
  github: ProviderTypeV1.GITHUB,
  github_es: ProviderTypeV1.GITHUB_ES,
  gitlab: ProviderTypeV1.GITLAB,
  gitlab_self_hosted: ProviderTypeV1.GITLAB_SELF_HOSTED,
  google: ProviderTypeV1.GOOGLE,
  apple: ProviderTypeV1.APPLE,
  ldap: ProviderTypeV1.LDAP,
  jwt: ProviderTypeV1.JWT,
  zitadel: ProviderTypeV1.ZITADEL,
  saml: ProviderTypeV1.SAML,
} as const satisfies Record<ProviderType, ProviderTypeV1>

export const STYLINGS: Readonly<Record<Styling, IDPStylingType>> = {
  unspecified: IDPStylingType.STYLING_TYPE_UNSPECIFIED,
  google: IDPStylingType.STYLING_TYPE_GOOGLE,
}

export const stylingOf = wordIn(STYLINGS, 'unspecified')

export const MAPPING_FIELDS: Readonly<Record<MappingField, OIDCMappingField>> = {
  unspecified: OIDCMappingField.OIDC_MAPPING_FIELD_UNSPECIFIED,
  preferred_username: OIDCMappingField.OIDC_MAPPING_FIELD_PREFERRED_USERNAME,
  email: OIDCMappingField.OIDC_MAPPING_FIELD_EMAIL,
}

export const mappingOf = wordIn(MAPPING_FIELDS, 'unspecified')

/** The v2 services have the same numbers. */
const AUTO_LINKING = {
  none: AutoLinkingOption.UNSPECIFIED,
  username: AutoLinkingOption.USERNAME,
  email: AutoLinkingOption.EMAIL,
} as const satisfies Record<ProviderOptions['autoLinking'], AutoLinkingOption>

const EMAIL_TRUSTS = {
  told: EmailTrustV1.UNSPECIFIED,
  always: EmailTrustV1.ALWAYS,
  never: EmailTrustV1.NEVER,
} as const satisfies Record<EmailTrust, EmailTrustV1>

const emailTrustOf = wordIn(EMAIL_TRUSTS, 'told')

const autoLinkingOf = wordIn(AUTO_LINKING, 'none')

/** The options of a message. If not set, nothing is allowed. What only we know is not set by clients that do not know it. */
export function optionsOf(options: Options | undefined): ProviderOptions {
  const { emailTrust, isHidden } = options ?? {}
  return {
    isLinkingAllowed: options?.isLinkingAllowed ?? false,
    isCreationAllowed: options?.isCreationAllowed ?? false,
    isAutoCreation: options?.isAutoCreation ?? false,
    isAutoUpdate: options?.isAutoUpdate ?? false,
    autoLinking: autoLinkingOf(options?.autoLinking ?? AutoLinkingOption.UNSPECIFIED),
    ...(emailTrust !== undefined && { emailTrust: emailTrustOf(emailTrust) }),
    ...(isHidden !== undefined && { isHidden }),
  }
}

/** The options as a message. The v1 and v2 services have the same numbers. */
export function optionsMessage({ autoLinking, emailTrust, ...options }: ProviderOptions) {
  return {
    ...options,
    autoLinking: AUTO_LINKING[autoLinking],
    ...(emailTrust !== undefined && { emailTrust: EMAIL_TRUSTS[emailTrust] }),
  }
}

/** Microsoft's names for groups of accounts. */
const TENANT_TYPES: Readonly<Record<string, AzureADTenantType>> = {
  common: AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON,
  organizations: AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS,
  consumers: AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS,
}

const tenantTypeOf = wordIn(TENANT_TYPES, 'common')

/** The tenant whose accounts can sign in. If not set, all. */
export function tenantOf({ type }: Pick<AzureADTenant, 'type'> = { type: { case: undefined } }): string {
  return type.case === 'tenantId'
    ? type.value
    : tenantTypeOf(type.value ?? AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON)
}

/** The value as a message of the contract. */
export function tenantMessage(tenant: string) {
  const type = TENANT_TYPES[tenant]
  return type === undefined
    ? { type: { case: 'tenantId', value: tenant } as const }
    : { type: { case: 'tenantType', value: type } as const }
}
