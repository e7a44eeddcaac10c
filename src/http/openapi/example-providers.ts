/** What the requests of methods about identity providers need beside what their descriptors require. */
import type { ExampleThings, Needs } from './example-names.ts'

/** A directory that nobody asks. */
const DIRECTORY = {
  servers: ['ldaps://ldap.example.com'],
  baseDn: 'dc=example,dc=com',
  bindDn: 'cn=reader,dc=example,dc=com',
  bindPassword: 'a password',
  userObjectClasses: ['person'],
  userFilters: ['uid'],
  attributes: { idAttribute: 'entryUUID' },
  rootCa: '',
}
/** A provider whose keys nobody asks for. */
const TOKEN_GATE = {
  issuer: 'https://login.example.com',
  jwtEndpoint: 'https://apps.example.com/sign-in',
  keysEndpoint: 'https://login.example.com/keys',
  headerName: 'x-signed-in',
}

/** Of identity providers, and of the accounts and sign-ins there. */
export function forProviders(things: ExampleThings): Needs {
  return {
    UpdateIDP: { name: 'Another' },
    UpdateOrgIDP: { name: 'Another' },
    AddAppleProvider: { privateKey: things.appleKey },
    AddLDAPProvider: DIRECTORY,
    UpdateLDAPProvider: DIRECTORY,
    MigrateGenericOIDCProvider: { azure: { name: 'new', clientId: 'client', clientSecret: 'a secret' } },
    AddJWTProvider: TOKEN_GATE,
    UpdateJWTProvider: TOKEN_GATE,
    AddJWTIDP: TOKEN_GATE,
    AddOrgJWTIDP: TOKEN_GATE,
    UpdateIDPJWTConfig: TOKEN_GATE,
    UpdateOrgIDPJWTConfig: TOKEN_GATE,
    AddIDPLink: { idpLink: { idpId: things.idpId, userId: 'new', userName: 'new' } },
    StartIdentityProviderIntent: {
      urls: { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' },
    },
    RetrieveIdentityProviderIntent: { idpIntentToken: things.intentToken },
    GetActiveIdentityProviders: { ctx: { orgId: things.home } },
  }
}
