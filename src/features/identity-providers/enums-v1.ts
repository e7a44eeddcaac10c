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
import { words } from '../../module/mapped.ts'
import type { EmailTrust, MappingField, ProviderOptions, Styling } from './events.ts'
import type { ProviderType } from './provider-types.ts'

/** The number of a type, which is named alike in the contract. The v2 services have the same numbers. */
export function numberOf(type: ProviderType) {
  return ProviderTypeV1[type.toUpperCase() as Uppercase<ProviderType>]
}

export const stylings = words(
  {
    unspecified: IDPStylingType.STYLING_TYPE_UNSPECIFIED,
    google: IDPStylingType.STYLING_TYPE_GOOGLE,
  } as const satisfies Record<Styling, number>,
  'unspecified',
)

export const mappings = words(
  {
    unspecified: OIDCMappingField.OIDC_MAPPING_FIELD_UNSPECIFIED,
    preferred_username: OIDCMappingField.OIDC_MAPPING_FIELD_PREFERRED_USERNAME,
    email: OIDCMappingField.OIDC_MAPPING_FIELD_EMAIL,
  } as const satisfies Record<MappingField, number>,
  'unspecified',
)

const autoLinkings = words(
  {
    none: AutoLinkingOption.UNSPECIFIED,
    username: AutoLinkingOption.USERNAME,
    email: AutoLinkingOption.EMAIL,
  } as const satisfies Record<ProviderOptions['autoLinking'], number>,
  'none',
)

const emailTrusts = words(
  { told: EmailTrustV1.UNSPECIFIED, always: EmailTrustV1.ALWAYS, never: EmailTrustV1.NEVER } as const satisfies Record<
    EmailTrust,
    number
  >,
  'told',
)

/** The options of a message. If not set, nothing is allowed. What only we know is not set by clients that do not know it. */
export function optionsOf(options: Options | undefined): ProviderOptions {
  const { emailTrust, isHidden } = options ?? {}
  return {
    isLinkingAllowed: options?.isLinkingAllowed ?? false,
    isCreationAllowed: options?.isCreationAllowed ?? false,
    isAutoCreation: options?.isAutoCreation ?? false,
    isAutoUpdate: options?.isAutoUpdate ?? false,
    autoLinking: autoLinkings.read(options?.autoLinking ?? AutoLinkingOption.UNSPECIFIED),
    ...(emailTrust !== undefined && { emailTrust: emailTrusts.read(emailTrust) }),
    ...(isHidden !== undefined && { isHidden }),
  }
}

/** The options as a message. The v1 and v2 services have the same numbers. */
export function optionsMessage({ autoLinking, emailTrust, ...options }: ProviderOptions) {
  return {
    ...options,
    autoLinking: autoLinkings.show(autoLinking),
    ...(emailTrust !== undefined && { emailTrust: emailTrusts.show(emailTrust) }),
  }
}

const TENANTS = {
  common: AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON,
  organizations: AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS,
  consumers: AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS,
} as const

/** Microsoft's names for groups of accounts. */
const tenants = words(TENANTS, 'common')

/** The tenant whose accounts can sign in. If not set, all. */
export function tenantOf({ type }: Pick<AzureADTenant, 'type'> = { type: { case: undefined } }): string {
  return type.case === 'tenantId' ? type.value : tenants.read(type.value ?? TENANTS.common)
}

/** The value as a message of the contract. */
export function tenantMessage(tenant: string) {
  return Object.hasOwn(TENANTS, tenant)
    ? { type: { case: 'tenantType', value: tenants.show(tenant as keyof typeof TENANTS) } as const }
    : { type: { case: 'tenantId', value: tenant } as const }
}
