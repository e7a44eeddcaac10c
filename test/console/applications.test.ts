/** The settings of applications in the console: from the API to the form, and back. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { clientIdOf, hasKeys, hasSecret, kindOf } from '../../console/src/pages/applications/kinds.ts'
import {
  configOf,
  emptiesAList,
  filledIn,
  replacementOf,
  valuesOf,
} from '../../console/src/pages/applications/oidc-values.ts'
import { fieldsOf, metadataOfFields } from '../../console/src/pages/applications/saml/metadata.ts'
import {
  APIAuthMethodType,
  type Application,
  ApplicationSchema,
} from '../../contract/gen/signet/application/v2/application_pb.ts'
import {
  OIDCApplicationType,
  OIDCAuthMethodType,
  type OIDCConfiguration,
  OIDCConfigurationSchema,
  OIDCGrantType,
  OIDCResponseType,
  OIDCTokenType,
} from '../../contract/gen/signet/application/v2/oidc_pb.ts'
import { readProvider } from '../../src/features/applications/saml/metadata.ts'

function oidc(config: MessageInitShape<typeof OIDCConfigurationSchema>): [Application, OIDCConfiguration] {
  const value = create(OIDCConfigurationSchema, config)
  return [create(ApplicationSchema, { name: 'Store', configuration: { case: 'oidcConfiguration', value } }), value]
}

const [application, config] = oidc({
  clientId: 'c1',
  redirectUris: ['https://app.example.com/callback'],
  postLogoutRedirectUris: ['https://app.example.com/'],
  responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
  grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN],
  applicationType: OIDCApplicationType.OIDC_APP_TYPE_USER_AGENT,
  authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
  accessTokenType: OIDCTokenType.OIDC_TOKEN_TYPE_JWT,
  clockSkew: { seconds: 1n, nanos: 500_000_000 },
  loginVersion: { version: { case: 'loginV2', value: { baseUri: 'https://login.example.com' } } },
})
const values = valuesOf(application, config)

suite('the kind of an application', () => {
  test('follows from its configuration', () => {
    assert.deepEqual([kindOf(application), clientIdOf(application)], ['spa', 'c1'])
    assert.equal(kindOf(create(ApplicationSchema)), 'api')
    assert.equal(kindOf(oidc({ applicationType: OIDCApplicationType.OIDC_APP_TYPE_NATIVE })[0]), 'native')
  })

  test('says whether it has a secret or keys', () => {
    const { OIDC_AUTH_METHOD_TYPE_POST: post, OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: key } = OIDCAuthMethodType
    const api = (authMethodType: APIAuthMethodType) =>
      create(ApplicationSchema, { configuration: { case: 'apiConfiguration', value: { authMethodType } } })
    const apps = [
      application,
      oidc({ authMethodType: post })[0],
      oidc({ authMethodType: key })[0],
      api(APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC),
      api(APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT),
    ]
    assert.deepEqual(apps.map(hasSecret), [false, true, false, true, false])
    assert.deepEqual(apps.map(hasKeys), [false, false, true, false, true])
  })
})

suite('the form of an application', () => {
  test('shows what the API answered', () => {
    assert.deepEqual(
      [values.kind, values.authMethod, values.grantTypes, values.tokenType, values.clockSkew],
      ['spa', 'none', ['code', 'refresh'], 'jwt', 1.5],
    )
    assert.deepEqual([values.login, values.loginBaseUri], ['v2', 'https://login.example.com'])
  })

  test('that was not changed sends back what it got', () => {
    const sent = create(
      OIDCConfigurationSchema,
      configOf(values, config) as MessageInitShape<typeof OIDCConfigurationSchema>,
    )
    assert.deepEqual({ ...sent, clientId: 'c1' }, { ...config })
  })

  test('sends addresses without empty rows and spaces', () => {
    assert.deepEqual(filledIn([' https://a.example ', '', '  ']), ['https://a.example'])
    const sent = configOf({ ...values, redirectUris: ['', ' https://b.example/cb '] }, config)
    assert.deepEqual(sent.redirectUris, ['https://b.example/cb'])
  })

  test('sends no login page of its own unless one was chosen', () => {
    assert.ok(!('loginVersion' in configOf({ ...values, login: 'default' }, config)))
    assert.deepEqual(configOf({ ...values, loginBaseUri: ' ' }, config).loginVersion, {
      version: { case: 'loginV2', value: {} },
    })
  })

  test('replaces everything where a list becomes empty, because an update would keep the list', () => {
    assert.equal(emptiesAList(values, values), false)
    assert.equal(emptiesAList({ ...values, redirectUris: [''] }, values), true)
    const { responseTypes, appType, devMode } = replacementOf({ ...values, developmentMode: true }, config)
    // Version 1 of the API counts response types from 0.
    assert.deepEqual([responseTypes, appType, devMode], [[0], OIDCApplicationType.OIDC_APP_TYPE_USER_AGENT, true])
  })
})

suite('metadata of two fields', () => {
  test('are read back as these fields, whatever is in them', () => {
    for (const fields of [
      { entityId: 'https://wiki.example.com', acsUrl: 'https://wiki.example.com/acs?a=1&b=2' },
      { entityId: 'a "quoted" <name> &amp; more', acsUrl: 'https://x.example/"/><evil/>' },
    ]) {
      assert.deepEqual(fieldsOf(metadataOfFields(fields)), fields)
    }
  })

  test('are metadata that the server reads, and an address that is none is refused', () => {
    const entityId = 'https://wiki.example.com/saml?a=1&b=2'
    const acsUrl = 'https://wiki.example.com/acs?a=1&b=2'
    const provider = readProvider(metadataOfFields({ entityId, acsUrl }))
    assert.equal(provider.entityId, entityId)
    assert.deepEqual(
      provider.responseServices.map(({ url }) => url),
      [acsUrl],
    )
    assert.throws(() => readProvider(metadataOfFields({ entityId, acsUrl: 'not a URL' })), /absolute URLs/)
  })

  test('cannot be left by what is typed', () => {
    const xml = metadataOfFields({ entityId: '"/><EntityDescriptor entityID="other', acsUrl: '</EntityDescriptor>' })
    assert.equal(xml.match(/<EntityDescriptor/g)?.length, 1)
    assert.equal(xml.match(/entityID="/g)?.length, 1)
  })

  test('are no other metadata', () => {
    const fields = { entityId: 'a', acsUrl: 'https://a.example' }
    assert.equal(fieldsOf(metadataOfFields(fields).replace('index="0"', 'index="1"')), undefined)
    assert.equal(fieldsOf(''), undefined)
  })
})
