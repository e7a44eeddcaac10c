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

/** A certificate of an identity provider, as base64 of DER. */
const CERTIFICATE = [
  'MIIBcjCCARmgAwIBAgIUYsD+Q+VMKCg+kbqGBD3OfJAukGUwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDaWRwMCAXDTI2MTExODIwMzI0OVoYDz',
  'IxMjYxMDI1MjAzMjQ5WjAOMQwwCgYDVQQDDANpZHAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQp56htiLkyP8uqlcltEeu+M+XheSrr2D27',
  'GMQKoOzEIGL9L0v3OtQht2oQ1tgOPOOMtgwjZC66pqXhGYHyu0BBo1MwUTAdBgNVHQ4EFgQU8BkzoAaoontias4z1Twk0u+z6MYwHwYDVR0jBB',
  'gwFoAU8BkzoAaoontias4z1Twk0u+z6MYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAJVVbXVS897VgoIDmKnm1zLzRm/7Wn',
  'ep4YG4IuBwTLuQIgeM7Vs+x5RIbC5xqp1VnMV886TQJY4manFAk2fU2ARdE=',
].join('')

/** The metadata of an identity provider, as JSON writes bytes. */
function upstreamMetadata(entityId: string): string {
  const saml = 'urn:oasis:names:tc:SAML:2.0'
  const certificate = `<X509Data><X509Certificate>${CERTIFICATE}</X509Certificate></X509Data>`
  const key = `<md:KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">${certificate}</KeyInfo></md:KeyDescriptor>`
  const service = `<md:SingleSignOnService Binding="${saml}:bindings:HTTP-Redirect" Location="${entityId}/sso"/>`
  const xml = `<md:EntityDescriptor xmlns:md="${saml}:metadata" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="${saml}:protocol">${key}${service}</md:IDPSSODescriptor></md:EntityDescriptor>`
  return Buffer.from(xml).toString('base64')
}

/** What is chosen of a SAML provider: not what is refused. */
const SAML_PROVIDER = { binding: 'SAML_BINDING_REDIRECT', signatureAlgorithm: 'SAML_SIGNATURE_RSA_SHA256' }

/** Of identity providers, and of the accounts and sign-ins there. */
export function forProviders(things: ExampleThings): Needs {
  return {
    UpdateIDP: { name: 'Another' },
    UpdateOrgIDP: { name: 'Another' },
    AddAppleProvider: { privateKey: things.appleKey },
    AddLDAPProvider: DIRECTORY,
    UpdateLDAPProvider: DIRECTORY,
    AddSAMLProvider: { ...SAML_PROVIDER, metadataXml: upstreamMetadata('https://login.example.com') },
    UpdateSAMLProvider: { ...SAML_PROVIDER, metadataXml: upstreamMetadata('https://login.example.com') },
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
