/**
 * Where the pages are that people open in a browser. `web` serves them; links in messages, redirects of OpenID Connect and
 * the lines of a start lead to them. Paths are API: they are in mails that were sent, and in settings of other servers.
 */
export const PATHS = {
  start: '/',
  setUp: '/setup',
  verifyEmail: '/verify-email',
  acceptInvitation: '/accept-invitation',
  forgotPassword: '/forgot-password',
  setPassword: '/set-password',
  /** The development inbox. */
  inbox: '/inbox',
  /** The redirect URI that is registered at identity providers. */
  providerCallback: '/idps/callback',
  /** Where a browser comes back with a signed token in a request header. */
  tokenCallback: '/idps/jwt',
  explorer: '/ui/api',
  /** The documentation. */
  docs: '/ui/docs',
  console: '/ui/console',
  /** Where a sign-in ends that an administrator tries out. */
  trial: '/ui/console/try',
  finishTrial: '/ui/console/try/finish',
  signIn: '/ui/login',
  passkey: '/ui/login/passkey',
  provider: '/ui/login/provider',
  /** Asks for the name and password of an account in an LDAP directory. */
  directory: '/ui/login/directory',
  external: '/ui/login/external',
  secondFactor: '/ui/login/second-factor',
  setUpFactor: '/ui/login/set-up',
  newPassword: '/ui/login/new-password',
  signedIn: '/ui/login/done',
  /** Offers a passkey after a sign-in with a password. */
  offerPasskey: '/ui/login/add-passkey',
  goOn: '/ui/login/continue',
  /** Back to the application without a sign-in. */
  cancel: '/ui/login/cancel',
  accounts: '/ui/login/accounts',
  consent: '/ui/consent',
  register: '/ui/register',
  device: '/device',
  signOut: '/ui/logout',
  signedOut: '/ui/logout/done',
  account: '/ui/account',
  sessions: '/ui/account/sessions',
  keys: '/ui/account/keys',
  remove: '/ui/account/remove',
  links: '/ui/account/links',
  applications: '/ui/account/applications',
  /** Where users decide what applications ask on the back channel. */
  approvals: '/ui/account/approvals',
  totp: '/ui/account/totp',
  otp: '/ui/account/otp',
  recoveryCodes: '/ui/account/recovery-codes',
  password: '/ui/account/password',
  profile: '/ui/account/profile',
  contact: '/ui/account/contact',
  picture: '/ui/account/picture',
  data: '/ui/account/data',
  deletion: '/ui/account/delete',
  registerPasskey: '/ui/passkeys/register',
  /** Where the login pages of the caller's own are, unless a setting says so. */
  ownLogin: '/ui/v2/login',
} as const

/** Where service providers of SAML ask, and where users come back to after signing in. */
export const SAML_PATHS = {
  metadata: '/saml/v2/metadata',
  certificate: '/saml/v2/certificate',
  signOn: '/saml/v2/SSO',
  logOut: '/saml/v2/SLO',
  /** Followed by the ID of the request. */
  goOn: '/saml/v2/continue/',
  /** Followed by the ID of the logout. */
  goOnWithLogout: '/saml/v2/logout/',
  /** Followed by the ID of the application. */
  start: '/saml/v2/start/',
} as const

/** Where SAML providers find us, followed by the ID of the provider. */
export const SAML_PROVIDERS_PATH = '/idps/'

/** Where agents use our own API by the Model Context Protocol. */
export const DOOR_PATH = '/mcp'

/** Where agents read the documentation in the same way. */
export const DOCS_DOOR_PATH = '/mcp/docs'

/** Where the metadata of the resource at a path is (RFC 9728 §3.1). */
export function resourceMetadataPath(path: string): string {
  return `/.well-known/oauth-protected-resource${path}`
}

/** What tells a caller without a valid token which metadata say where to get one (RFC 9728 §5.1). */
export function bearerChallenge(externalUrl: string, path: string, ...parts: readonly string[]): string {
  return `Bearer ${[...parts, `resource_metadata="${externalUrl}${resourceMetadataPath(path)}"`].join(', ')}`
}

/** Where the documentation explains an error, by its code. */
export function documentationOfError(id: string): string {
  return `${PATHS.docs}/reference/errors#${id}`
}
