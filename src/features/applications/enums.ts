/**
 * The values of enums as the contract numbers them. The v1 and v2 services use the same numbers, except for the response
 * type, where those of v2 are higher by one.
 */

import { AgentClientKind } from '../../../contract/gen/signet/application/v2/application_pb.ts'
import type { ApiAccess } from '../../kernel/role.ts'
import { words } from '../../module/mapped.ts'
import type {
  AgentKind,
  ApiConfig,
  AssertionAlgorithm,
  GrantType,
  OidcApplicationType,
  OidcAuthMethod,
  OidcConfig,
  ResponseType,
  SamlAttributeSource,
} from './events.ts'

export const apiAccess = words({
  none: 1,
  project: 2,
  organization: 3,
  instance: 4,
} as const satisfies Record<ApiAccess, number>)

export const agentKind = words({
  document: AgentClientKind.METADATA_DOCUMENT,
  registration: AgentClientKind.DYNAMIC_REGISTRATION,
} as const satisfies Record<AgentKind, number>)

export const samlAttributeSource = words({
  email: 1,
  first_name: 2,
  last_name: 3,
  display_name: 4,
  user_name: 5,
  user_id: 6,
  roles: 7,
  groups: 8,
  organization_id: 9,
  organization_name: 10,
  organization_domain: 11,
} as const satisfies Record<SamlAttributeSource, number>)

export const grantType = words({
  authorization_code: 0,
  implicit: 1,
  refresh_token: 2,
  device_code: 3,
  token_exchange: 4,
  ciba: 100,
} as const satisfies Record<GrantType, number>)

export const responseTypeV1 = words({
  code: 0,
  id_token: 1,
  id_token_token: 2,
} as const satisfies Record<ResponseType, number>)

export const responseTypeV2 = words({
  code: 1,
  id_token: 2,
  id_token_token: 3,
} as const satisfies Record<ResponseType, number>)

export const applicationType = words({
  web: 0,
  user_agent: 1,
  native: 2,
} as const satisfies Record<OidcApplicationType, number>)

export const authMethod = words({
  basic: 0,
  post: 1,
  none: 2,
  private_key_jwt: 3,
} as const satisfies Record<OidcAuthMethod, number>)

/** `any`: the one that the key is for. */
export const assertionAlgorithm = words({
  any: 0,
  RS256: 1,
  PS256: 2,
  ES256: 3,
  EdDSA: 4,
} as const satisfies Record<AssertionAlgorithm | 'any', number>)

export const tokenType = words({ bearer: 0, jwt: 1 } as const satisfies Record<OidcConfig['accessTokenType'], number>)

export const apiAuthMethod = words({ basic: 0, private_key_jwt: 1 } as const satisfies Record<
  ApiConfig['authMethod'],
  number
>)
