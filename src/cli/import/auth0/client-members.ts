/** What is decided about each member of an application. */
import {
  allIgnored,
  carried,
  carriedOnly,
  ignored,
  oneOf,
  part,
  reported,
  restricts,
  type Table,
} from '../members/table.ts'

const LIFETIMES = 'How long tokens are valid is a setting of the instance'

const PROVEN: Table = { closes: true, members: {}, named: [[/./, carried]] }

const JWT: Table = {
  closes: true,
  members: {
    alg: reported(
      'Its tokens are signed with a key of the server (RS256), not with its secret.',
      (alg) => alg !== 'HS256',
    ),
    lifetime_in_seconds: reported((seconds) => `${LIFETIMES}: its ID tokens were valid for ${seconds} s.`),
    secret_encoded: ignored('how the secret is written for HS256'),
    scopes: ignored('an older way to name claims'),
  },
}

const REFRESH: Table = {
  closes: true,
  members: {
    rotation_type: ignored('refresh tokens are replaced at each use where the client has no secret'),
    expiration_type: ignored('all refresh tokens expire here'),
    ...Object.fromEntries(
      ['token_lifetime', 'idle_token_lifetime'].map((name) => [
        name,
        reported((seconds) => `${LIFETIMES}: ${name} of its refresh tokens was ${seconds} s.`),
      ]),
    ),
    leeway: ignored('the tolerance for a second use is fixed here'),
    infinite_token_lifetime: ignored('all refresh tokens expire here'),
    infinite_idle_token_lifetime: ignored('all refresh tokens expire here'),
    policies: reported('A refresh token gives tokens of its own application only.'),
  },
}

const LOGOUT: Table = {
  members: {
    backchannel_logout_urls: carried,
    backchannel_logout_initiators: ignored('every end of a session is told'),
    backchannel_logout_session_metadata: ignored('what a logout token says in addition'),
  },
}

const REQUESTS: Table = {
  closes: true,
  members: {
    required: restricts(
      'It must sign its requests (signed_request_object): give it its key, and set requireSignedRequestObject.',
    ),
    credentials: ignored('said with signed_request_object.required'),
  },
}

export const CLIENT: Table = {
  closes: true,
  members: {
    ...Object.fromEntries(
      [
        'client_id',
        'name',
        'description',
        'global',
        'client_secret',
        'app_type',
        'is_first_party',
        'callbacks',
        'allowed_origins',
        'web_origins',
        'allowed_logout_urls',
        'grant_types',
        'token_endpoint_auth_method',
        'require_pushed_authorization_requests',
        'require_proof_of_possession',
      ].map((name) => [name, carried]),
    ),
    oidc_logout: part(LOGOUT),
    oidc_backchannel_logout: part(LOGOUT),
    client_authentication_methods: part(PROVEN),
    jwt_configuration: part(JWT),
    refresh_token: part(REFRESH),
    signed_request_object: part(REQUESTS),
    proof_of_possession_mechanism: carriedOnly(
      oneOf(undefined, '', 'dpop'),
      (mechanism) => `Its tokens are bound by ${mechanism}, which there is not here.`,
    ),
    organization_usage: restricts(
      'Only members of organizations can sign in to it (organization_usage: require); here all users of the tenant could.',
      (usage) => oneOf(undefined, '', 'deny', 'allow')(usage, undefined as never),
    ),
    compliance_level: restricts(
      (level) => `It must comply with ${level}, which is not required here.`,
      oneOf(undefined, '', 'none'),
    ),
    default_organization: reported('Users are not signed in to a default organization.'),
    client_metadata: reported('Its metadata stays behind, and actions or rules that read it.'),
    addons: reported('Its add-ons (SAML, WS-Federation, other APIs) have no equivalent.', (addons) =>
      Object.values((addons ?? {}) as object).every((one) => !one),
    ),
    client_aliases: reported('Its aliases, for add-ons, have no equivalent.'),
    allowed_clients: reported('Other applications cannot exchange tokens for its own (allowed_clients).'),
    encryption_key: reported('Tokens for it are not encrypted: encryption_key has no equivalent.'),
    token_exchange: reported('It cannot exchange tokens of other products (token_exchange).'),
    session_transfer: reported('Sessions are not transferred from a native application to the browser.'),
    native_social_login: reported(
      'Tokens that a native application has of Apple, Google or Facebook sign nobody in.',
      (value) =>
        Object.values((value ?? {}) as Record<string, { readonly enabled?: unknown } | null>).every(
          (one) => one?.enabled !== true,
        ),
    ),
    token_quota: reported('How many tokens it gets is not limited by a quota.'),
    express_configuration: reported('It is not set up by its customers (express_configuration).'),
    my_organization_configuration: reported('Organizations do not manage themselves through it.'),
    resource_server_identifier: reported('It is not bound to an API by resource_server_identifier.'),
    third_party_security_mode: reported(
      'Users consent to applications of third parties; other modes have no equivalent.',
    ),
    ...allIgnored({
      'how its page looks': ['logo_uri', 'form_template', 'custom_login_page', 'custom_login_page_preview'],
      'pages of Auth0': ['custom_login_page_on', 'cross_origin_loc', 'sso', 'sso_disabled', 'initiate_login_uri'],
      'not offered here': [
        'cross_origin_authentication',
        'cross_origin_auth',
        'fedcm_login',
        'async_approval_notification_channels',
      ],
      'said with organization_usage': ['organization_require_behavior', 'organization_discovery_methods'],
      'of the tenant': ['tenant', 'signing_keys', 'owners', 'config_route', 'callback_url_template'],
      'all applications conform here': ['oidc_conformant'],
      'links of mobile operating systems': ['mobile'],
      'pushed requests have a fixed lifetime here': ['par_request_expiry'],
      'attempts are counted per user': ['is_token_endpoint_ip_header_trusted'],
      'addresses are checked exactly here': [
        'redirection_policy',
        'skip_non_verifiable_callback_uri_confirmation_prompt',
      ],
    }),
  },
}
