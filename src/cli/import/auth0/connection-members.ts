/** What is decided about each member of a connection, by its strategy. */
import {
  allIgnored,
  carried,
  ignored,
  oneOf,
  part,
  type Rule,
  reported,
  restricts,
  type Table,
} from '../members/table.ts'

function all(names: readonly string[], rule: Rule): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.map((name) => [name, rule]))
}

/** Options of all strategies that are carried. */
const SHARED: Readonly<Record<string, Rule>> = {
  ...all(['client_id', 'client_secret', 'scope', 'set_user_root_attributes'], carried),
  upstream_params: reported('Parameters that were added to requests (upstream_params) are not sent.'),
  federated_connections_access_tokens: reported('Tokens of the provider are not stored here.', (value) =>
    [undefined, null, false].includes((value as { readonly active?: boolean } | undefined)?.active),
  ),
  ...allIgnored({
    'how the button looks': ['icon_url'],
    'only what a user needs is stored': ['non_persistent_attrs', 'basic_profile', 'api_enable_users'],
    'more scopes, which are in “scope” where they are asked for': ['freeform_scopes', 'extended_scopes'],
    'users choose the provider, and are not redirected by their address': ['domain_aliases'],
  }),
}

/** Flags that add a scope. */
const GOOGLE_SCOPES =
  /^(email|profile|offline_access|(adsense|analytics|blogger|calendar|chrome|contacts|content_api|coordinate|directory|document|drive|gmail|google_(affiliate|books|cloud|drive|plus)|latitude|moderator|orkut|picasa|sites|spreadsheets|tasks|url_shortener|webmaster|youtube)\w*)$/
const GITHUB_SCOPES = /^(email|profile|follow|gist|notifications|public_repo|repo|(admin|delete|read|repo|write)_\w+)$/
const MICROSOFT_SCOPES =
  /^(basic|signin|email|profile|offline_access|(applications|birthday|calendars|contacts|emails|events|graph|messenger|phone|photos|postal|skydrive|work)\w*)$/

const EMAIL_TRUST = all(['should_trust_email_verified_connection'], carried)
const SCOPE = ignored('a scope that is asked for')

const OPTIONS: Readonly<Record<string, Table>> = {
  'google-oauth2': {
    closes: true,
    members: {
      ...SHARED,
      allowed_audiences: reported('Tokens that a native application has of Google sign nobody in.'),
    },
    named: [[GOOGLE_SCOPES, SCOPE]],
  },
  github: { closes: true, members: SHARED, named: [[GITHUB_SCOPES, SCOPE]] },
  windowslive: {
    closes: true,
    members: { ...SHARED, strategy_version: ignored('which interface of Microsoft was used') },
    named: [[MICROSOFT_SCOPES, SCOPE]],
  },
  waad: {
    closes: true,
    members: {
      ...SHARED,
      ...EMAIL_TRUST,
      ...all(['tenantId', 'tenant_domain', 'domain', 'userid_attribute'], carried),
      ...all(
        ['useCommonEndpoint', 'use_common_endpoint', 'waad_common_endpoint'],
        reported('Accounts of all tenants of Microsoft could sign in; here only accounts of its own tenant can.'),
      ),
      ...allIgnored({
        'another protocol for the same tenant': [
          'use_wsfed',
          'waad_protocol',
          'identity_api',
          'app_domain',
          'thumbprints',
        ],
        'what else is read from the directory': [
          'max_groups_to_retrieve',
          'app_id',
          'granted',
          'cert_rollover_notification',
        ],
      }),
    },
    named: [[/^ext_\w+$/, ignored('what else is read from the directory')]],
  },
  oidc: {
    closes: true,
    members: {
      ...SHARED,
      ...EMAIL_TRUST,
      ...all(['issuer', 'authorization_endpoint'], carried),
      ...all(
        ['token_endpoint', 'userinfo_endpoint', 'jwks_uri'],
        reported(
          (value) => `${value} is not used: it is what the issuer publishes.`,
          (value, options) => {
            const host = URL.parse(String(value ?? ''))?.host
            return host === undefined || host === URL.parse(options.maybeText('issuer') ?? '')?.host
          },
        ),
      ),
      oidc_metadata: ignored('what the issuer publishes'),
      discovery_url: ignored('what the issuer publishes'),
      type: reported(
        'Users sign in with a code, not with a token in the browser.',
        oneOf(undefined, '', 'back_channel'),
      ),
      token_endpoint_auth_method: reported(
        (method) => `Auth0 authenticates with ${method}; here the provider is asked with a client secret.`,
        oneOf(undefined, '', 'client_secret_post', 'client_secret_basic'),
      ),
      id_token_signed_response_algs: restricts(
        (value) => `It accepts ID tokens signed by ${(value as string[]).join(', ')} only; that is not checked here.`,
      ),
      attribute_map: reported(
        'Mappings of attributes have no equivalent: names and the email address are taken from the usual claims.',
      ),
      id_token_session_expiry_supported: reported('Sessions do not end when the session at the provider ends.'),
      ...allIgnored({
        'how tokens of the client are signed': ['token_endpoint_auth_signing_alg', 'token_endpoint_jwtca_aud_format'],
        'every request has PKCE': ['connection_settings'],
        'what the client does beyond signing in': ['dpop_signing_alg', 'send_back_channel_nonce', 'schema_version'],
        'users choose the provider, and are not redirected by their address': ['tenant_domain'],
      }),
    },
  },
  auth0: {
    members: {
      ...all(
        ['passwordPolicy', 'password_complexity_options', 'password_options', 'disable_self_service_change_password'],
        carried,
      ),
      password_history: reported('Earlier passwords can be chosen again (password_history).', isOff),
      password_no_personal_info: reported(
        'Passwords that contain names of the user are refused by the rules here.',
        isOff,
      ),
      password_dictionary: reported(
        'Common passwords are refused by the list here, not by the list of the connection.',
        isOff,
      ),
      mfa: reported(
        'Whether a second factor is required is said by the login settings: set it there.',
        (value) => (value as { readonly active?: unknown } | undefined)?.active !== true,
      ),
      enabledDatabaseCustomization: reported(
        'Its users and passwords are in a database of your own, which is not asked here.',
      ),
      import_mode: reported(
        'Users who have not signed in since are still in your own database, which is not asked here.',
      ),
      ...allIgnored({
        'registration is off here, unless the login settings allow it': ['disable_signup'],
        'scripts, for a database of your own': ['customScripts', 'configuration', 'bareConfiguration'],
        'how users are named': ['requires_username', 'validation', 'attributes', 'precedence'],
        'users are always locked after wrong attempts': ['brute_force_protection'],
        'passkeys and passwords are said by the login settings': [
          'passkey_options',
          'authentication_methods',
          'strategy_version',
        ],
        'how addresses are verified': ['email_verification', 'non_persistent_attrs', 'custom_password_hash'],
      }),
    },
  },
}

function isOff(value: unknown): boolean {
  return (value as { readonly enable?: unknown } | undefined)?.enable !== true
}

const CONNECTION: Readonly<Record<string, Rule>> = {
  ...all(['id', 'name', 'strategy', 'display_name', 'enabled_clients', 'show_as_button'], carried),
  authentication: part({ closes: true, members: { active: carried } }),
  metadata: reported('Its metadata stays behind, and actions or rules that read it.'),
  ...allIgnored({
    'names of a connection for older requests': ['realms'],
    'the domain of the tenant': ['is_domain_connection'],
    'a page of Auth0': ['provisioning_ticket_url', 'provisioning_ticket'],
    'tokens of providers are not stored here': [
      'connected_accounts',
      'cross_app_access_requesting_app',
      'cross_app_access_resource_app',
    ],
    'when it was made': ['created_at', 'updated_at'],
  }),
}

/** The table of a strategy; undefined for one that is not carried. */
export function tableOf(strategy: string): Table | undefined {
  const options = Object.hasOwn(OPTIONS, strategy) ? OPTIONS[strategy] : undefined
  return options && { closes: options.closes === true, members: { ...CONNECTION, options: part(options) } }
}
