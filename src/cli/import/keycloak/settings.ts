/** The settings of a realm that exist here, and remarks about those that do not. */
import { languageOf } from '../../../kernel/languages.ts'
import type { SettingsValues } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { PAGES, type Read, remark, toDecide, undated } from '../read.ts'
import { RealmFlows } from './flows.ts'
import { readPasswordPolicy } from './password-policy.ts'
import { ownerOf, type RealmPlace } from './place.ts'

const SECOND = 1_000
/** The most attempts that can be set; see the contract. */
const MOST_ATTEMPTS = 100
const LONGEST_SESSION_MS = 400 * 86_400 * SECOND

function section<Section extends keyof SettingsValues>(
  place: RealmPlace,
  name: Section,
  values: SettingsValues[Section],
  id: string = name,
): Read {
  return { kind: 'settings', id, organizationId: ownerOf(place), ...undated(place), section: name, values } as Read
}

function duration(realm: Members, name: string): number | undefined {
  const seconds = realm.number(name)
  return seconds === undefined || seconds <= 0 ? undefined : seconds * SECOND
}

/** What is said of a flow that is in use and is not the built-in one. */
const OTHER_FLOWS = {
  browserFlow: (alias: string, flows: RealmFlows) => {
    const factor = flows.requiresFactor()
      ? 'and everybody needs a second factor'
      : 'and with the second factor that they have set up'
    const here = flows.takesPasswords()
      ? `here they get in with a password, ${factor}`
      : 'it asks for no password, so nobody signs in with one here until you allow it'
    return `Keycloak signs users in with the flow “${alias}”, which is not the built-in one; ${here}. Compare who may sign in.`
  },
  resetCredentialsFlow: (alias: string) =>
    `Keycloak resets passwords with the flow “${alias}”, which is not the built-in one; here whoever reads the mail could set a new password. Users cannot reset their password until you allow it.`,
  registrationFlow: (alias: string) =>
    `Keycloak registers users with the flow “${alias}”, which is not the built-in one; here everybody could register. Nobody can register until you allow it.`,
} as const

function* loginOf(realm: Members, place: RealmPlace): Generator<Read> {
  const flows = new RealmFlows(realm)
  const isStrict = flows.requiresFactor()
  const isBuiltIn = (use: keyof typeof OTHER_FLOWS) => flows.stateOf(use) !== 'other'
  const [registers, resets] = [realm.flag('registrationAllowed'), realm.flag('resetPasswordAllowed')]
  const wanted = { browserFlow: true, resetCredentialsFlow: resets, registrationFlow: registers }
  const sessionLifetimeMs = duration(realm, 'ssoSessionMaxLifespan')
  const login = {
    allowsPassword: flows.takesPasswords(),
    allowsRegistration: registers && isBuiltIn('registrationFlow'),
    allowsEmailLogin: realm.flag('loginWithEmailAllowed', true),
    allowsPhoneLogin: false,
    hidesPasswordReset: !(resets && isBuiltIn('resetCredentialsFlow')),
    allowsPasswordReset: resets && isBuiltIn('resetCredentialsFlow'),
    requiresSecondFactor: isStrict,
    // Keycloak asks nobody for it who signs in with an identity provider.
    requiresSecondFactorLocalOnly: isStrict,
    ...(sessionLifetimeMs !== undefined && { sessionLifetimeMs: Math.min(sessionLifetimeMs, LONGEST_SESSION_MS) }),
  }
  yield section(place, 'login', login)
  // Who is new in Keycloak is a user of the realm, and a member of no organization in it.
  for (const organization of realm.list('organizations')) {
    const values = { ...login, allowsRegistration: false, allowsExternal: false }
    const organizationId = organization.text('id')
    yield { kind: 'settings', id: 'login', organizationId, ...undated(place), section: 'login', values }
  }
  for (const use of ['browserFlow', 'resetCredentialsFlow', 'registrationFlow'] as const)
    if (wanted[use] && !isBuiltIn(use))
      yield toDecide('check', PAGES.signIn, 'flow', flows.aliasOf(use), OTHER_FLOWS[use](flows.aliasOf(use), flows))
  if (flows.stateOf('browserFlow') === 'strict')
    yield remark(
      'flow',
      flows.aliasOf('browserFlow'),
      'The flow asks everybody for a second factor after the password, and so does Signet.',
    )
  const idle = realm.number('ssoSessionIdleTimeout')
  if (idle !== undefined)
    yield remark('settings', 'ssoSessionIdleTimeout', `Sessions do not end because nobody uses them (${idle} s).`)
  if (realm.flag('rememberMe'))
    yield remark('settings', 'rememberMe', 'Every session lasts as long as the settings say; nobody is asked.')
  if (realm.flag('verifyEmail'))
    yield remark(
      'settings',
      'verifyEmail',
      'A sign-in does not require that the email address is verified. Users whose address is not verified reset their password by mail first.',
    )
  if (realm.flag('duplicateEmailsAllowed'))
    yield remark('settings', 'duplicateEmailsAllowed', 'Users with one address sign in with their username.')
}

function* passwordsOf(realm: Members, place: RealmPlace): Generator<Read> {
  const { complexity, maxAgeDays, left } = readPasswordPolicy(realm.maybeText('passwordPolicy') ?? '')
  yield section(place, 'passwordComplexity', complexity)
  if (maxAgeDays > 0) yield section(place, 'passwordExpiry', { maxAgeDays: Math.min(maxAgeDays, 36_500), warnDays: 0 })
  for (const rule of left) yield remark('settings', 'passwordPolicy', `The rule ${rule} has no equivalent.`)
}

function* lockoutOf(realm: Members, place: RealmPlace): Generator<Read> {
  if (!realm.flag('bruteForceProtected')) {
    yield remark('settings', 'bruteForceProtected', `Users are locked after ${MOST_ATTEMPTS} wrong attempts at most.`)
    return
  }
  const attempts = Math.min(realm.number('failureFactor') ?? 30, MOST_ATTEMPTS)
  yield section(place, 'lockout', { maxPasswordAttempts: attempts, maxOtpAttempts: attempts })
  if (!realm.flag('permanentLockout'))
    yield remark(
      'settings',
      'bruteForceProtected',
      'A locked user stays locked until an administrator unlocks them; the waiting times of Keycloak have no equivalent.',
    )
}

/** What only the instance has. */
function* instanceOf(realm: Members, place: RealmPlace): Generator<Read> {
  const accessTokenMs = duration(realm, 'accessTokenLifespan')
  const smtp = realm.inner('smtpServer')
  const host = smtp.maybeText('host') ?? ''
  const language = realm.flag('internationalizationEnabled') ? realm.maybeText('defaultLocale') : undefined
  if (place.target === 'organization') {
    if (accessTokenMs !== undefined)
      yield remark('settings', 'accessTokenLifespan', 'How long tokens are valid is a setting of the instance.')
    if (host !== '') yield remark('settings', 'smtpServer', 'The mail server is a setting of the instance.')
    if (language !== undefined)
      yield remark('settings', 'defaultLocale', 'The default language is a setting of the instance.')
    return
  }
  if (accessTokenMs !== undefined) {
    const refreshIdleMs = duration(realm, 'offlineSessionIdleTimeout') ?? 30 * 86_400 * SECOND
    const limit = realm.flag('offlineSessionMaxLifespanEnabled')
      ? duration(realm, 'offlineSessionMaxLifespan')
      : undefined
    const refreshAbsoluteMs = Math.max(limit ?? 365 * 86_400 * SECOND, refreshIdleMs)
    yield section(place, 'oidc', { accessTokenMs, idTokenMs: accessTokenMs, refreshIdleMs, refreshAbsoluteMs })
  }
  if (host !== '') yield* smtpOf(smtp, place)
  if (language !== undefined) {
    const known = languageOf(language)
    if (known === undefined)
      yield remark('settings', 'defaultLocale', `There are no texts in the language ${language}.`)
    else yield section(place, 'language', { defaultLanguage: known })
  }
}

/** Inactive, so that a rehearsal sends nothing. */
function* smtpOf(smtp: Members, place: RealmPlace): Generator<Read> {
  const isSecure = smtp.maybeText('ssl') === 'true' || smtp.maybeText('starttls') === 'true'
  const port = smtp.maybeText('port') || (smtp.maybeText('ssl') === 'true' ? '465' : '25')
  const from = smtp.maybeText('from') ?? ''
  const hasUser = smtp.maybeText('auth') === 'true'
  const hasTokens = hasUser && smtp.maybeText('authType') === 'token'
  const password = hasUser ? smtp.maybeText(hasTokens ? 'authTokenClientSecret' : 'password') : undefined
  const isMasked = password !== undefined && isMaskedSecret(password)
  yield section(
    place,
    'smtp',
    {
      senderAddress: from,
      senderName: smtp.maybeText('fromDisplayName') || from,
      replyToAddress: smtp.maybeText('replyTo') ?? '',
      tls: isSecure,
      host: `${smtp.text('host')}:${port}`,
      user: hasUser ? (smtp.maybeText('user') ?? '') : '',
      description: 'Keycloak',
      isActive: false,
      ...(hasTokens && {
        oauth: {
          tokenEndpoint: smtp.maybeText('authTokenUrl') ?? '',
          scopes: (smtp.maybeText('authTokenScope') ?? '').split(' ').filter((scope) => scope !== ''),
          clientId: smtp.maybeText('authTokenClientId') ?? '',
        },
      }),
      ...(password !== undefined && !isMasked && { password }),
    },
    `${place.realmId}-smtp`,
  )
  const why = 'The mail server is not active, so that nothing is sent before you want it.'
  yield toDecide('activate', PAGES.mail, 'settings', 'smtpServer', why)
  if (isMasked)
    yield remark(
      'settings',
      'smtpServer',
      `The export has no ${hasTokens ? 'client secret' : 'password'} for the mail server.`,
    )
  if (smtp.maybeText('ssl') === 'true' && port !== '465')
    yield remark('settings', 'smtpServer', `TLS on port ${port} begins with STARTTLS; only 465 is encrypted at once.`)
  for (const name of ['envelopeFrom', 'replyToDisplayName'])
    if (smtp.maybeText(name)) yield remark('settings', 'smtpServer', `${name} has no equivalent.`)
}

/** Whether a secret is not in the export: its console writes stars in its place, and a vault has it under a name. */
export function isMaskedSecret(text: string): boolean {
  return /^(\*+|\$\{vault\..*\})$/.test(text)
}

/** The settings of a realm. */
export function* settingsOf(realm: Members, place: RealmPlace): Generator<Read> {
  if (place.target === 'instance')
    yield section(place, 'instance', { name: realm.maybeText('displayName') || realm.text('realm') })
  yield* loginOf(realm, place)
  yield* passwordsOf(realm, place)
  yield* lockoutOf(realm, place)
  yield* instanceOf(realm, place)
  const tags = realm.flag('internationalizationEnabled') ? realm.texts('supportedLocales') : []
  const unknown = tags.filter((tag) => languageOf(tag) === undefined)
  if (unknown.length > 0)
    yield remark('settings', 'supportedLocales', `There are no texts in the languages ${unknown.join(', ')}.`)
  yield* leftOf(realm)
}

function* leftOf(realm: Members): Generator<Read> {
  const flows = realm.list('authenticationFlows').filter((flow) => !flow.flag('builtIn', true))
  for (const flow of flows)
    yield remark(
      'flow',
      flow.maybeText('alias') ?? '',
      'Authentication flows have no equivalent: see the login settings.',
    )
  for (const action of realm.list('requiredActions'))
    if (action.flag('defaultAction'))
      yield remark('settings', action.text('alias'), 'New users are not asked for this required action.')
  for (const policy of realm.inner('clientPolicies').list('policies'))
    yield remark('client-policy', policy.text('name'), 'Client policies have no equivalent.')
}
