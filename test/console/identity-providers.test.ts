/** The settings of identity providers in the console: from the API to the form, and back. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { newValues, requestOf, valuesOf } from '../../console/src/pages/identity-providers/provider-values.ts'
import { isTemplate, SPECS, TEMPLATES, templateOf } from '../../console/src/pages/identity-providers/templates.ts'
import { failedStep } from '../../console/src/pages/identity-providers/test-steps.ts'
import {
  AutoLinkingOption,
  AzureADTenantType,
  SAMLBinding,
  SAMLNameIDFormat,
  SAMLSignatureAlgorithm,
} from '../../contract/gen/signet/idp/v1/config_pb.ts'
import { ProviderSchema } from '../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'

type Config = NonNullable<MessageInitShape<typeof ProviderSchema>['config']>

function provider(config: Config) {
  return create(ProviderSchema, { id: '1', name: 'Work', config })
}

suite('a template of an identity provider', () => {
  test('names methods of the API that add and change it', () => {
    const methods: Readonly<Record<string, unknown>> = ManagementService.method
    for (const template of TEMPLATES) {
      assert.ok(methods[`add${SPECS[template].method}`], template)
      assert.ok(methods[`update${SPECS[template].method}`], template)
    }
  })

  test('is found by the type that the API answers', () => {
    for (const template of TEMPLATES) assert.equal(templateOf(SPECS[template].type), template)
    assert.deepEqual(['google', 'Google', ''].map(isTemplate), [true, false, false])
  })
})

suite('the form of an identity provider', () => {
  test('of SAML keeps what it does not show, and sends the metadata that were chosen', () => {
    const metadataXml = new TextEncoder().encode('<md:EntityDescriptor/>')
    const saml = {
      metadataXml,
      binding: SAMLBinding.SAML_BINDING_POST,
      withSignedRequest: true,
      nameIdFormat: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT,
      transientMappingAttributeName: 'uid',
      federatedLogoutEnabled: true,
      signatureAlgorithm: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512,
    }
    const values = valuesOf('saml', provider({ config: { case: 'saml', value: saml } }))
    const { metadataXml: _, ...others } = saml
    const request = requestOf(values)
    const sent = Object.keys(others).map((name) => [name, request[name]])
    assert.deepEqual(Object.fromEntries(sent), others)
    assert.deepEqual(request.metadata, { case: 'metadataXml', value: metadataXml })
    const fromUrl = requestOf({ ...values, metadataSource: 'url', metadataUrl: ' https://idp.example/metadata ' })
    assert.deepEqual(fromUrl.metadata, { case: 'metadataUrl', value: 'https://idp.example/metadata' })
  })

  test('starts with the usual name, except where there is none', () => {
    assert.equal(newValues('google').name, 'Google')
    assert.deepEqual([newValues('oidc').name, newValues('oidc').scopes], ['', ['openid', 'profile', 'email']])
    assert.deepEqual([newValues('oauth').name, newValues('oauth').idAttribute], ['', 'id'])
  })

  test('shows what the API answered, but no secret', () => {
    const values = valuesOf(
      'oidc',
      provider({
        config: {
          case: 'oidc',
          value: { issuer: 'https://id.example.com', clientId: 'c1', scopes: ['openid'], usePkce: true },
        },
        options: { isLinkingAllowed: true, autoLinking: AutoLinkingOption.EMAIL },
      }),
    )
    assert.deepEqual(values, {
      ...newValues('oidc'),
      name: 'Work',
      issuer: 'https://id.example.com',
      clientId: 'c1',
      scopes: ['openid'],
      usePkce: true,
      isCreationAllowed: false,
      autoLinking: 'email',
    })
    assert.equal(values.clientSecret, '')
  })

  test('knows every tenant of Microsoft, and sends it back', () => {
    for (const [tenant, type] of [
      ['common', { case: 'tenantType', value: AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON }],
      ['organisations', { case: 'tenantType', value: AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS }],
      ['consumers', { case: 'tenantType', value: AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS }],
      ['one', { case: 'tenantId', value: 'a-tenant' }],
    ] as const) {
      const values = valuesOf('microsoft', provider({ config: { case: 'azureAd', value: { tenant: { type } } } }))
      assert.equal(values.tenant, tenant)
      assert.deepEqual(requestOf(values).tenant, { type })
    }
  })

  test('sends what was typed without spaces around it, and the key of Apple as bytes', () => {
    const request = requestOf({
      ...newValues('apple'),
      name: ' Apple ',
      issuer: ' https://id.example.com ',
      clientId: ' c1 ',
      privateKey: 'KEY',
      isAutoUpdate: true,
      autoLinking: 'username',
    })
    assert.deepEqual([request.name, request.issuer, request.clientId], ['Apple', 'https://id.example.com', 'c1'])
    assert.deepEqual(request.privateKey, new TextEncoder().encode('KEY'))
    assert.deepEqual(request.providerOptions, {
      isLinkingAllowed: true,
      isCreationAllowed: true,
      isAutoCreation: false,
      isAutoUpdate: true,
      autoLinking: AutoLinkingOption.USERNAME,
    })
  })

  test('of a directory shows and sends what it is, keeps what it does not show, and never a password', () => {
    const ldap = {
      servers: ['ldaps://ldap.example.com'],
      baseDn: 'dc=example',
      bindDn: 'cn=reader,dc=example',
      userBase: 'dn',
      userObjectClasses: ['person'],
      userFilters: ['uid'],
      timeout: { seconds: 2n, nanos: 500_000_000 },
      attributes: { idAttribute: 'entryUUID' },
      rootCa: Buffer.from('PEM'),
    }
    const values = valuesOf('ldap', provider({ config: { case: 'ldap', value: ldap } }))
    assert.partialDeepStrictEqual(values, { userBase: 'dn', timeoutSeconds: 2.5, rootCa: 'PEM', bindPassword: '' })
    const sent = create(ManagementService.method.updateLDAPProvider.input, requestOf(values))
    assert.partialDeepStrictEqual(sent, {
      ...{ servers: ldap.servers, baseDn: ldap.baseDn, userBase: 'dn', timeout: ldap.timeout, bindPassword: '' },
      attributes: { idAttribute: 'entryUUID', emailAttribute: '' },
    })
    assert.equal(Buffer.from(sent.rootCa).toString(), 'PEM')
    assert.equal(newValues('ldap').attributes.emailAttribute, 'mail')
  })

  test('of a signed token, and of another instance with the list that it does not show, come back as they were', () => {
    const jwt = {
      ...{ issuer: 'https://a.example', jwtEndpoint: 'https://b.example', keysEndpoint: 'https://c.example' },
      ...{ headerName: 'x-a', audience: 'signet' },
    }
    const { updateJWTProvider, updateZitadelProvider } = ManagementService.method
    const values = valuesOf('jwt', provider({ config: { case: 'jwt', value: jwt } }))
    assert.partialDeepStrictEqual(create(updateJWTProvider.input, requestOf(values)), jwt)
    const instanceRolesInfo = [{ organizationId: '1', organizationDomain: 'a.example' }]
    const zitadel = { issuer: 'https://id.example', clientId: 'us', instanceRolesInfo }
    const other = valuesOf('zitadel', provider({ config: { case: 'zitadel', value: zitadel } }))
    assert.partialDeepStrictEqual(create(updateZitadelProvider.input, requestOf(other)), zitadel)
  })
})

test('a failed test sign-in is shown at the step where it failed', () => {
  assert.deepEqual(['denied', 'subject_mismatch', 'exchange_failed'].map(failedStep), ['signIn', 'claims', 'token'])
})
