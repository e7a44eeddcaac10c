import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { complianceOf } from './compliance.ts'
import { configProblems } from './config-rules.ts'
import { applicationKeys, applicationSecrets, applications } from './documents.ts'
import type { ApplicationEvent, ApplicationKeyEvent, OidcConfig } from './events.ts'
import { allowedOriginsOf } from './redirect-uris.ts'

const WEB: OidcConfig = {
  type: 'oidc',
  redirectUris: ['https://app.example.com/callback'],
  postLogoutRedirectUris: [],
  responseTypes: ['code'],
  grantTypes: ['authorization_code'],
  applicationType: 'web',
  authMethod: 'basic',
  developmentMode: false,
  accessTokenType: 'bearer',
  accessTokenRoleAssertion: false,
  idTokenRoleAssertion: false,
  idTokenUserinfoAssertion: false,
  clockSkewMs: 0,
  additionalOrigins: [],
  backChannelLogoutUri: '',
  skipNativeAppSuccessPage: false,
  isThirdParty: false,
}

/** The fields that are refused in the configuration. */
function refusedFields(change: Partial<OidcConfig>): readonly string[] {
  return configProblems({ ...WEB, ...change }).map(({ field }) => field)
}

/** The problems of the configuration, without the prefix that all keys have. */
function problems(change: Partial<OidcConfig>): readonly string[] {
  const { isCompliant, problems } = complianceOf({ ...WEB, ...change })
  const keys = problems.map(({ key }) => key.replace('Application.OIDC.V1.', ''))
  assert.equal(isCompliant, !keys.includes('NotCompliant'))
  return keys
}

suite('a redirect URI', () => {
  for (const uri of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example.com/x',
    '/callback',
    'callback',
    'app.example.com/callback',
    '//app.example.com/callback',
    'https:///callback',
    'https:app.example.com',
    'https:\\\\app.example.com',
    'https://app.example.com/callback#',
    'https://app.example.com/callback#part',
    'https://user@app.example.com/',
    'https://user:password@app.example.com/',
    'https://app.example.com/a b',
    'https://app.example.com/\n',
    'http://',
  ]) {
    test(`is never ${JSON.stringify(uri)}`, () => {
      assert.deepEqual(refusedFields({ redirectUris: ['https://app.example.com/', uri] }), ['redirectUris[1]'])
      assert.deepEqual(refusedFields({ postLogoutRedirectUris: [uri] }), ['postLogoutRedirectUris[0]'])
      assert.deepEqual(refusedFields({ redirectUris: [uri], developmentMode: true }), ['redirectUris[0]'])
    })
  }

  for (const uri of [
    'https://app.example.com/callback?a=b',
    'http://localhost:8080/callback',
    'http://[::1]:1/',
    'com.example.app:/callback',
    'com.example.app://callback',
  ]) {
    test(`can be ${uri}`, () => assert.deepEqual(refusedFields({ redirectUris: [uri] }), []))
  }

  test('has wildcards, also in the port, in development mode alone', () => {
    const redirectUris = ['http://localhost:*/callback']
    assert.deepEqual(refusedFields({ redirectUris }), ['redirectUris[0]'])
    assert.deepEqual(refusedFields({ redirectUris, developmentMode: true }), [])
    assert.deepEqual(refusedFields({ redirectUris: ['https://*.example.com/**'], developmentMode: true }), [])
  })
})

suite('a configuration', () => {
  test('has grant types for all of its response types', () => {
    assert.deepEqual(refusedFields({ grantTypes: ['refresh_token'] }), ['grantTypes'])
    assert.deepEqual(refusedFields({ grantTypes: ['device_code'] }), [])
    assert.deepEqual(refusedFields({ responseTypes: ['id_token'] }), ['grantTypes'])
    assert.deepEqual(refusedFields({ responseTypes: ['code', 'id_token_token'], grantTypes: ['implicit'] }), [
      'grantTypes',
    ])
    assert.deepEqual(refusedFields({ responseTypes: ['id_token', 'id_token_token'], grantTypes: ['implicit'] }), [])
  })

  test('has origins without a path, and endpoints that are URLs', () => {
    const origins = ['https://a.example.com', 'https://a.example.com:8443', 'capacitor://localhost']
    assert.deepEqual(refusedFields({ additionalOrigins: origins }), [])
    const wrong = ['https://a.example.com/', 'https://a.example.com/x', 'a.example.com', '*', 'https://u@a.example.com']
    assert.equal(refusedFields({ additionalOrigins: wrong }).length, wrong.length)
    assert.deepEqual(refusedFields({ backChannelLogoutUri: 'ftp://a.example.com' }), ['backChannelLogoutUri'])
    assert.deepEqual(refusedFields({ backChannelLogoutUri: 'https://a.example.com/logout' }), [])
    const loginVersion = { type: 'v2', baseUri: 'javascript:x' } as const
    assert.deepEqual(refusedFields({ loginVersion }), ['loginVersion.loginV2.baseUri'])
  })

  test('has both parts of an iOS app, and fingerprints of certificates of an Android app', () => {
    assert.deepEqual(refusedFields({ ios: { teamId: '', bundleId: 'b' } }), ['ios.teamId'])
    assert.deepEqual(refusedFields({ ios: { teamId: 'ABCDE12345', bundleId: '' } }), ['ios.bundleId'])
    assert.deepEqual(refusedFields({ ios: { teamId: 'ABCDE12345', bundleId: 'b' } }), [])
    const fingerprints = ['ab'.repeat(32), Array(32).fill('0F').join(':')]
    assert.deepEqual(refusedFields({ android: { packageName: 'p', fingerprints } }), [])
    const field = 'android.sha256CertFingerprints[0]'
    assert.deepEqual(refusedFields({ android: { packageName: 'p', fingerprints: ['abc'] } }), [field])
    assert.deepEqual(refusedFields({ android: { packageName: '', fingerprints } }), ['android.packageName'])
  })

  test('allows clocks to differ by at most five seconds', () => {
    assert.deepEqual(refusedFields({ clockSkewMs: 5000 }), [])
    assert.deepEqual(refusedFields({ clockSkewMs: 5001 }), ['clockSkew'])
  })

  test('allows the origins of its redirect URIs and its additional origins, each once', () => {
    const redirectUris = [
      'https://a.example.com/x',
      'https://a.example.com/y',
      'com.example:/x',
      'http://localhost:1/x',
    ]
    const additionalOrigins = ['https://b.example.com', 'https://a.example.com']
    assert.deepEqual(allowedOriginsOf({ redirectUris, additionalOrigins }), [
      'https://a.example.com',
      'http://localhost:1',
      'https://b.example.com',
    ])
  })
})

suite('compliance with the standards', () => {
  test('has no problems of a usual application', () => {
    assert.deepEqual(problems({}), [])
    assert.deepEqual(problems({ applicationType: 'user_agent', authMethod: 'none' }), [])
    assert.deepEqual(problems({ redirectUris: [], grantTypes: ['device_code'] }), [])
    const native = { applicationType: 'native', authMethod: 'none' } as const
    assert.deepEqual(problems({ ...native, redirectUris: ['http://127.0.0.1/cb', 'com.example:/cb'] }), [])
    assert.deepEqual(problems({ redirectUris: ['http://app.example.com/'] }), [])
  })

  test('asks for redirect URIs and for a grant that gives refresh tokens', () => {
    assert.deepEqual(problems({ redirectUris: [] }), ['NotCompliant', 'NoRedirectUris'])
    const change = { responseTypes: ['id_token'], grantTypes: ['implicit', 'refresh_token'] } as const
    assert.ok(problems(change).includes('GrantType.Refresh.NoAuthCode'))
  })

  test('keeps http and custom schemes to the types of applications that may have them', () => {
    const browser = { applicationType: 'user_agent', authMethod: 'none' } as const
    const [http, custom] = [{ redirectUris: ['http://app.example.com/'] }, { redirectUris: ['com.example:/cb'] }]
    assert.deepEqual(problems({ ...browser, ...http }), ['NotCompliant', 'Code.RedirectUris.HttpOnlyForWeb'])
    assert.deepEqual(problems(custom), ['NotCompliant', 'Code.RedirectUris.CustomOnlyForNative'])
    const native = { applicationType: 'native', authMethod: 'none', ...http } as const
    assert.deepEqual(problems(native), ['NotCompliant', 'Native.RedirectUris.MustBeHttpLocalhost'])
  })

  test('tells applications without a safe place for a secret to have none', () => {
    assert.deepEqual(problems({ applicationType: 'native' }), ['NotCompliant', 'Native.AuthMethodType.NotNone'])
    assert.deepEqual(problems({ applicationType: 'user_agent' }), ['NotCompliant', 'UserAgent.AuthMethodType.NotNone'])
  })

  test('says that the implicit flow is not offered, and what else is wrong with it', () => {
    const implicit = { responseTypes: ['id_token'], grantTypes: ['implicit'] } as const
    assert.deepEqual(problems(implicit), ['NotCompliant', 'Implicit.NotOffered'])
    const redirectUris = ['com.example:/cb', 'http://app.example.com/']
    assert.deepEqual(problems({ ...implicit, redirectUris }), [
      'NotCompliant',
      'Implicit.NotOffered',
      'Implicit.RedirectUris.CustomNotAllowed',
      'Implicit.RedirectUris.HttpNotAllowed',
    ])
    const both = { responseTypes: ['code', 'id_token'], grantTypes: ['authorization_code', 'implicit'] } as const
    assert.equal(problems(both).at(-1), 'NotAllCombinationsAreAllowed')
  })
})

suite('an application', () => {
  const data = { projectId: 'p1', name: 'Shop', clientId: 'c1', config: WEB }
  const added: ApplicationEvent = { type: 'application.added.v1', data }
  const deactivated: ApplicationEvent = { type: 'application.deactivated.v1', data: {} }
  const removed: ApplicationEvent = { type: 'application.removed.v1', data: {} }

  test('is added with a valid name and configuration, once for each ID', () => {
    given(applications)
      .when({ type: 'add', ...data })
      .then(added)
    given(applications, added)
      .when({ type: 'add', ...data })
      .thenRefused('application.id_taken')
    given(applications, added, removed)
      .when({ type: 'add', ...data })
      .thenRefused('application.id_taken')
    given(applications)
      .when({ type: 'add', ...data, name: ' ' })
      .thenRefused('application.name_invalid')
    given(applications)
      .when({ type: 'add', ...data, config: { ...WEB, redirectUris: ['/x'] } })
      .thenRefused('application.config_invalid')
  })

  test('changes what differs, and refuses a change without effect', () => {
    const config = { ...WEB, developmentMode: true }
    given(applications, added)
      .when({ type: 'change', name: 'Store', config })
      .then(
        { type: 'application.renamed.v1', data: { name: 'Store' } },
        { type: 'application.config_changed.v1', data: { config } },
      )
    given(applications, added)
      .when({ type: 'change', name: 'Shop', config })
      .then({ type: 'application.config_changed.v1', data: { config } })
    given(applications, added)
      .when({ type: 'change', name: 'Shop', config: { ...WEB } })
      .thenRefused('application.unchanged')
    given(applications, added)
      .when({ type: 'change', config: { type: 'api', authMethod: 'basic' } })
      .thenRefused('application.other_type')
    given(applications, added, removed).when({ type: 'change', name: 'Store' }).thenRefused('application.not_found')
  })

  test('is deactivated, reactivated and removed, each once', () => {
    given(applications, added).when({ type: 'deactivate' }).then(deactivated)
    given(applications, added, deactivated).when({ type: 'deactivate' }).thenRefused('application.not_active')
    given(applications, added).when({ type: 'reactivate' }).thenRefused('application.not_inactive')
    given(applications, added, deactivated)
      .when({ type: 'reactivate' })
      .then({ type: 'application.reactivated.v1', data: { reopenings: 1 } })
    const reactivated = { type: 'application.reactivated.v1', data: { reopenings: 1 } } as const
    given(applications, added, deactivated, reactivated, deactivated)
      .when({ type: 'reactivate' })
      .then({ type: 'application.reactivated.v1', data: { reopenings: 2 } })
    // From before that was counted: what was opened then still counts.
    given(applications, added, deactivated, { type: 'application.reactivated.v1', data: {} }, deactivated)
      .when({ type: 'reactivate' })
      .then({ type: 'application.reactivated.v1', data: { reopenings: 1 } })
    given(applications, added).when({ type: 'remove' }).then(removed)
    given(applications, added, removed).when({ type: 'remove' }).thenRefused('application.not_found')
  })

  test('has one secret, of which the last one counts', () => {
    const set = { type: 'application_secret.set.v1', data: { secret: { hash: 'b' } } } as const
    given(applicationSecrets, { type: 'application_secret.set.v1', data: { secret: { hash: 'a' } } })
      .when({ type: 'set', hash: 'b' })
      .then(set)
    given(applicationSecrets, set).when({ type: 'remove' }).then({ type: 'application_secret.removed.v1', data: {} })
    given(applicationSecrets).when({ type: 'remove' }).then()
  })

  test('has keys that expire in the future and are removed once', () => {
    const noon = instant(1_800_000_000_000)
    const key = { applicationId: 'a1', projectId: 'p1', publicKey: 'PEM', expiresAt: instant(noon + 1) }
    const keyAdded: ApplicationKeyEvent = { type: 'application_key.added.v1', data: key }
    const add = { type: 'add', ...key, at: noon } as const
    given(applicationKeys).when(add).then(keyAdded)
    given(applicationKeys)
      .when({ ...add, expiresAt: noon })
      .thenRefused('application.key_expiration_past')
    given(applicationKeys, keyAdded).when(add).thenRefused('application.key_id_taken')
    given(applicationKeys, keyAdded).when({ type: 'remove' }).then({ type: 'application_key.removed.v1', data: {} })
    given(applicationKeys).when({ type: 'remove' }).thenRefused('application.key_not_found')
  })
})
