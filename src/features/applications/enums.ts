/**
 * The values of enums as the contract numbers them. The v1 and v2 services use the same numbers, except for the response
 * type, where those of v2 are higher by one.
 */

import { AgentClientKind } from '../../../contract/gen/signet/application/v2/application_pb.ts'
import type { ApiAccess } from '../../kernel/role.ts'
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

/** The values of an enum and their numbers. */
interface Numbers<Value extends string, Number extends number> {
  /** The value of a number. The contract refuses numbers that it does not define. */
  read(number: number): Value
  number(value: Value): Number
}

function numbers<Value extends string, const Number extends number>(
  table: Readonly<Record<Value, Number>>,
): Numbers<Value, Number> {
  const values = new Map(Object.entries(table).map(([value, number]) => [number as number, value as Value]))
  return {
    read(number) {
      const value = values.get(number)
      if (value === undefined) throw new Error(`the contract does not define the enum value ${number}`)
      return value
    },
    number: (value) => table[value],
  }
}

export const apiAccess = numbers({
  none: 1,
  project: 2,
  organization: 3,
  instance: 4,
} as const satisfies Record<ApiAccess, number>)

export const agentKind = numbers({
  document: AgentClientKind.METADATA_DOCUMENT,
  registration: AgentClientKind.DYNAMIC_REGISTRATION,
} as const satisfies Record<AgentKind, number>)

export const samlAttributeSource = numbers({
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

export const grantType = numbers({
  authorization_code: 0,
  implicit: 1,
  refresh_token: 2,
  device_code: 3,
  token_exchange: 4,
  ciba: 100,
} as const satisfies Record<GrantType, number>)

export const responseTypeV1 = numbers({
  code: 0,
  id_token: 1,
  id_token_token: 2,
} as const satisfies Record<ResponseType, number>)

export const responseTypeV2 = numbers({
  code: 1,
  id_token: 2,
  id_token_token: 3,
} as const satisfies Record<ResponseType, number>)

export const applicationType = numbers({
  web: 0,
  user_agent: 1,
  native: 2,
} as const satisfies Record<OidcApplicationType, number>)

export const authMethod = numbers({
  basic: 0,
  post: 1,
  none: 2,
  private_key_jwt: 3,
} as const satisfies Record<OidcAuthMethod, number>)

/** `any`: the one that the key is for. */
export const assertionAlgorithm = numbers({
  any: 0,
  RS256: 1,
  PS256: 2,
  ES256: 3,
  EdDSA: 4,
} as const satisfies Record<AssertionAlgorithm | 'any', number>)

export const tokenType = numbers({ bearer: 0, jwt: 1 } as const satisfies Record<OidcConfig['accessTokenType'], number>)

export const apiAuthMethod = numbers({ basic: 0, private_key_jwt: 1 } as const satisfies Record<
  ApiConfig['authMethod'],
  number
>)

/** The values of a list, each once; `fallback` when the list is empty. */
export function readAll<Value extends string>(
  list: readonly number[],
  { read }: Pick<Numbers<Value, number>, 'read'>,
  fallback: Value,
): readonly Value[] {
  return list.length === 0 ? [fallback] : [...new Set(list.map((number) => read(number)))]
}
