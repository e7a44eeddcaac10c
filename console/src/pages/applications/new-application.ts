/** A new application: what is sent to create one of a kind, and what its owner starts with. */
import type { CreateApplicationResponse } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type { Place } from '../../access/permissions.ts'
import { API_AUTH_METHODS, AUTH_METHODS, DEFAULTS, GRANT_TYPES, type OpenIdKind, TYPE_OF_KIND } from './kinds.ts'
import { filledIn } from './oidc-values.ts'
import type { Started } from './start/get-started.tsx'

export interface NewAddresses {
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
}

/** The configuration that fits the kind; for service providers of SAML see `saml/metadata.ts`. */
export function typeOf(kind: OpenIdKind, given: NewAddresses & { readonly authMethod: 'basic' | 'key' }) {
  if (kind === 'api') {
    return { case: 'apiConfiguration', value: { authMethodType: API_AUTH_METHODS[given.authMethod] } } as const
  }
  const defaults = DEFAULTS[kind]
  return {
    case: 'oidcConfiguration',
    value: {
      redirectUris: filledIn(given.redirectUris),
      postLogoutRedirectUris: filledIn(given.postLogoutRedirectUris),
      grantTypes: defaults.grantTypes.map((grant) => GRANT_TYPES[grant]),
      applicationType: TYPE_OF_KIND[kind],
      authMethodType: AUTH_METHODS[kind === 'web' ? given.authMethod : defaults.authMethod],
    },
  } as const
}

/** What the answer says, for the page that follows. */
export function startedWith(
  { applicationId, applicationType }: CreateApplicationResponse,
  place: Started['place'] & Place,
  kind: OpenIdKind,
  { redirectUris, postLogoutRedirectUris }: NewAddresses,
): Started {
  const isSaml = applicationType.case === 'samlConfiguration'
  const { clientId = '', clientSecret = '' } = isSaml ? {} : (applicationType.value ?? {})
  return {
    kind,
    applicationId,
    place,
    clientId,
    ...(clientSecret !== '' && { clientSecret }),
    redirectUri: filledIn(redirectUris)[0] ?? '',
    postLogoutRedirectUri: filledIn(postLogoutRedirectUris)[0] ?? '',
  }
}
