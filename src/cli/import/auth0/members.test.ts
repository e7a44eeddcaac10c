/** Every member of a tenant is decided: what the Management API and the export job give, with throw-away values. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Members } from '../json/members.ts'
import { countFates, decide, membersWithoutRule } from '../members/table.ts'
import { CLIENT } from './client-members.ts'
import { tableOf } from './connection-members.ts'
import { USER } from './user-members.ts'

/** As `GET /api/v2/clients` lists it. */
const WHOLE_CLIENT = {
  tenant: 't',
  global: false,
  is_token_endpoint_ip_header_trusted: false,
  name: 'Web',
  description: 'd',
  client_id: 'c',
  client_secret: 's',
  is_first_party: true,
  oidc_conformant: true,
  sso_disabled: false,
  sso: true,
  cross_origin_authentication: false,
  cross_origin_loc: 'https://a.example',
  allowed_clients: [],
  callbacks: ['https://a.example/cb'],
  allowed_logout_urls: [],
  allowed_origins: [],
  web_origins: [],
  client_aliases: [],
  logo_uri: 'https://a.example/logo.png',
  native_social_login: { apple: { enabled: false }, facebook: { enabled: false } },
  fedcm_login: { google: { is_enabled: false } },
  refresh_token: {
    expiration_type: 'non-expiring',
    leeway: 0,
    infinite_token_lifetime: true,
    infinite_idle_token_lifetime: true,
    token_lifetime: 31557600,
    idle_token_lifetime: 2592000,
    rotation_type: 'non-rotating',
    policies: [],
  },
  session_transfer: { can_create_session_transfer_token: false, allowed_authentication_methods: [] },
  oidc_logout: {
    backchannel_logout_urls: [],
    backchannel_logout_initiators: { mode: 'all' },
    backchannel_logout_session_metadata: { include: true },
  },
  jwt_configuration: { alg: 'RS256', lifetime_in_seconds: 36000, secret_encoded: false, scopes: {} },
  signing_keys: [{ cert: 'x', pkcs7: 'x', subject: '/CN=t' }],
  encryption_key: null,
  token_endpoint_auth_method: 'client_secret_post',
  client_authentication_methods: null,
  app_type: 'regular_web',
  grant_types: ['authorization_code', 'refresh_token'],
  custom_login_page_on: true,
  custom_login_page: '',
  custom_login_page_preview: '',
  form_template: '',
  addons: { samlp: null },
  client_metadata: {},
  mobile: { android: {}, ios: {} },
  initiate_login_uri: 'https://a.example',
  default_organization: null,
  organization_usage: 'deny',
  organization_require_behavior: 'no_prompt',
  organization_discovery_methods: [],
  require_pushed_authorization_requests: false,
  require_proof_of_possession: false,
  proof_of_possession_mechanism: 'dpop',
  signed_request_object: { required: false, credentials: [] },
  compliance_level: 'none',
  skip_non_verifiable_callback_uri_confirmation_prompt: false,
  token_exchange: { allow_any_profile_of_type: [] },
  par_request_expiry: null,
  token_quota: null,
  express_configuration: null,
  my_organization_configuration: null,
  resource_server_identifier: '',
  async_approval_notification_channels: ['guardian-push'],
  third_party_security_mode: '',
  redirection_policy: 'open_redirect_protection',
}

const COMMON = {
  id: 'con_1',
  name: 'n',
  display_name: 'N',
  realms: ['n'],
  is_domain_connection: false,
  show_as_button: true,
  enabled_clients: ['c'],
  authentication: { active: true },
  connected_accounts: { active: false },
  metadata: {},
}
const OPTIONS = {
  client_id: 'c',
  client_secret: 's',
  scope: ['email'],
  icon_url: 'https://a.example/i.png',
  set_user_root_attributes: 'on_each_login',
  non_persistent_attrs: [],
  upstream_params: {},
  federated_connections_access_tokens: { active: false },
}
const WHOLE_CONNECTIONS = [
  {
    strategy: 'google-oauth2',
    options: { ...OPTIONS, email: true, profile: true, gmail: false, allowed_audiences: [] },
  },
  { strategy: 'github', options: { ...OPTIONS, email: true, admin_org: false, read_user: true, public_repo: false } },
  { strategy: 'windowslive', options: { ...OPTIONS, strategy_version: 2, signin: true, graph_user: true } },
  {
    strategy: 'waad',
    provisioning_ticket_url: 'https://t.example',
    options: {
      ...OPTIONS,
      tenantId: 't',
      tenant_domain: 'a.example',
      domain: 'a.example',
      domain_aliases: ['a.example'],
      app_id: '',
      app_domain: '',
      thumbprints: [],
      ext_groups: false,
      ext_profile: true,
      basic_profile: true,
      api_enable_users: false,
      max_groups_to_retrieve: '50',
      use_wsfed: false,
      waad_protocol: 'openid-connect',
      identity_api: 'microsoft-identity-platform-v2.0',
      useCommonEndpoint: false,
      userid_attribute: 'sub',
      granted: true,
      cert_rollover_notification: '',
      should_trust_email_verified_connection: 'never_set_emails_as_verified',
    },
  },
  {
    strategy: 'oidc',
    options: {
      ...OPTIONS,
      type: 'back_channel',
      issuer: 'https://id.example',
      discovery_url: 'https://id.example/.well-known/openid-configuration',
      authorization_endpoint: 'https://id.example/a',
      token_endpoint: 'https://id.example/t',
      userinfo_endpoint: 'https://id.example/u',
      jwks_uri: 'https://id.example/k',
      oidc_metadata: { issuer: 'https://id.example' },
      connection_settings: { pkce: 'auto' },
      attribute_map: {},
      schema_version: 'oidc-V4',
      tenant_domain: '',
      domain_aliases: [],
      token_endpoint_auth_method: 'client_secret_post',
      token_endpoint_auth_signing_alg: 'RS256',
      id_token_session_expiry_supported: false,
      send_back_channel_nonce: true,
    },
  },
  {
    strategy: 'auth0',
    options: {
      passwordPolicy: 'good',
      password_complexity_options: { min_length: 8 },
      password_history: { size: 5, enable: false },
      password_no_personal_info: { enable: false },
      password_dictionary: { size: 5, enable: false, dictionary: [] },
      disable_signup: false,
      disable_self_service_change_password: false,
      requires_username: false,
      brute_force_protection: true,
      import_mode: false,
      enabledDatabaseCustomization: false,
      customScripts: {},
      configuration: {},
      strategy_version: 2,
      validation: { username: { min: 1, max: 15 } },
      attributes: {},
      precedence: ['email'],
      authentication_methods: { password: { enabled: true }, passkey: { enabled: false } },
      passkey_options: {},
      mfa: { active: false },
    },
  },
]

const WHOLE_USER = {
  user_id: 'auth0|1',
  email: 'a@a.example',
  email_verified: true,
  username: 'a',
  given_name: 'A',
  family_name: 'B',
  name: 'A B',
  nickname: 'a',
  locale: 'de',
  phone_number: '+41791234567',
  phone_verified: true,
  picture: 'https://a.example/p.png',
  blocked: false,
  created_at: '2020-01-02T03:04:05.000Z',
  updated_at: '2020-01-02T03:04:05.000Z',
  last_login: '2020-01-02T03:04:05.000Z',
  last_ip: '192.0.2.1',
  last_password_reset: '2020-01-02T03:04:05.000Z',
  logins_count: 3,
  user_metadata: {},
  app_metadata: {},
  multifactor: [],
  identities: [
    {
      provider: 'auth0',
      connection: 'db',
      user_id: '1',
      isSocial: false,
      profileData: {},
      access_token: 'x',
      expires_in: 3,
    },
  ],
}

const of = (value: object) => new Members('tenant', '', value)
const tableFor = (strategy: string) => tableOf(strategy) ?? assert.fail(strategy)

suite('every member of a tenant of Auth0', () => {
  test('is in a table', () => {
    assert.deepEqual([...membersWithoutRule(of(WHOLE_CLIENT), CLIENT)], [])
    assert.deepEqual([...membersWithoutRule(of(WHOLE_USER), USER)], [])
    for (const connection of WHOLE_CONNECTIONS)
      assert.deepEqual([...membersWithoutRule(of({ ...COMMON, ...connection }), tableFor(connection.strategy))], [])
  })

  test('closes nothing as Auth0 sets it at first', () => {
    assert.deepEqual(decide(of(WHOLE_CLIENT), CLIENT).closed, [])
    for (const connection of WHOLE_CONNECTIONS)
      assert.deepEqual(decide(of({ ...COMMON, ...connection }), tableFor(connection.strategy)), {
        closed: [],
        left: [],
      })
  })

  test('that is new fails, and closes clients and providers', () => {
    const planted = { admits_only: ['staff'] }
    assert.deepEqual([...membersWithoutRule(of({ ...WHOLE_CLIENT, ...planted }), CLIENT)], ['admits_only'])
    assert.equal(decide(of({ ...WHOLE_CLIENT, ...planted }), CLIENT).closed.length, 1)
    for (const { strategy, options } of WHOLE_CONNECTIONS) {
      const table = tableFor(strategy)
      for (const one of [
        { ...COMMON, strategy, options, ...planted },
        { ...COMMON, options: { ...options, ...planted } },
      ]) {
        assert.equal(membersWithoutRule(of(one), table).size, 1)
        const { closed, left } = decide(of(one), table)
        assert.equal(closed.length + left.length, 1)
        assert.equal(closed.length, strategy === 'auth0' ? 0 : 1)
      }
    }
  })

  test('is carried, reported or ignored', () => {
    const tables = [CLIENT, USER, ...WHOLE_CONNECTIONS.map(({ strategy }) => tableFor(strategy))]
    for (const table of tables) {
      const { carried, reported, ignored } = countFates(table)
      assert.ok(carried > 0 && reported > 0 && ignored > 0)
    }
  })
})
