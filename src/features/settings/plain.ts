/**
 * The plain sections: one value that is set and reset as a whole. Each is declared here once; the events, the rules, the
 * methods of the v1 and v2 services, export and import follow. Pure.
 */
import { accept, refuse } from '../../kernel/decider.ts'
import { legalProblem } from './appearance.ts'
import type {
  LegalLinks,
  Lockout,
  LoginSettings,
  Notifications,
  OidcLifetimes,
  PasswordComplexity,
  PasswordExpiry,
  SecuritySettings,
  SettingsEvent,
} from './events.ts'
import { type Forms, flag, listOf, oneOf, problemsOf, text, whole } from './forms.ts'
import { BUILT_IN_LOGIN, loginProblem, MULTI_FACTORS, SECOND_FACTORS } from './login.ts'
import type { SettingsRefusal } from './refusals.ts'
import { assertionsForm, BUILT_IN_SECURITY, securityProblem } from './security-values.ts'
import { type Manner, type SettingsDecision, set } from './set-value.ts'

interface Declared<Event extends string, Value> {
  /** Its word in the events `settings.…_set.v1` and `settings.…_reset.v1`. */
  readonly event: Event
  /** Only the instance has it. */
  readonly isOfInstance?: true
  /** What applies where nobody has set anything. */
  readonly builtIn: Value
  /** What each member can be. */
  readonly forms: Forms<Value>
  /** What is wrong with the members together. */
  readonly problem?: (value: Value) => SettingsRefusal | undefined
  /** Why it cannot be added twice. */
  readonly exists?: SettingsRefusal
}

const plain =
  <Value>() =>
  <const Event extends string>(declared: Declared<Event, Value>): Declared<Event, Value> =>
    declared

const DAYS = whole(0, 36_500)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LIFETIME = whole(0, 36_500 * DAY_MS)
const TOKEN_LIFETIME = whole(1, 36_500 * DAY_MS)
const LINK = text(2000)

export const PLAIN = {
  login: plain<LoginSettings>()({
    event: 'login',
    builtIn: BUILT_IN_LOGIN,
    forms: {
      allowsPassword: flag,
      allowsPasskeys: flag,
      allowsExternal: flag,
      allowsRegistration: flag,
      allowsEmailLogin: flag,
      allowsPhoneLogin: flag,
      allowsDomainDiscovery: flag,
      ignoresUnknownUserNames: flag,
      setUpSkipMs: LIFETIME,
      requiresSecondFactor: flag,
      requiresSecondFactorLocalOnly: flag,
      hidesPasswordReset: flag,
      allowsPasswordReset: flag,
      defaultRedirectUri: LINK,
      passwordLifetimeMs: LIFETIME,
      externalLifetimeMs: LIFETIME,
      secondFactorLifetimeMs: LIFETIME,
      multiFactorLifetimeMs: LIFETIME,
      secondFactors: listOf(oneOf(...SECOND_FACTORS), SECOND_FACTORS.length),
      multiFactors: listOf(oneOf(...MULTI_FACTORS), MULTI_FACTORS.length),
      sessionLifetimeMs: whole(1, 400 * DAY_MS),
    },
    problem: loginProblem,
  }),
  /** Minimum length and a list of common passwords instead of composition rules (SP 800-63B-4). */
  passwordComplexity: plain<PasswordComplexity>()({
    event: 'password_complexity',
    builtIn: {
      minLength: 8,
      needsUppercase: false,
      needsLowercase: false,
      needsNumber: false,
      needsSymbol: false,
    },
    forms: {
      minLength: whole(1, 200),
      needsUppercase: flag,
      needsLowercase: flag,
      needsNumber: flag,
      needsSymbol: flag,
    },
  }),
  /** Passwords do not expire by themselves (SP 800-63B-4, 3.1.1.2). */
  passwordExpiry: plain<PasswordExpiry>()({
    event: 'password_expiry',
    builtIn: { maxAgeDays: 0, warnDays: 0 },
    forms: { maxAgeDays: DAYS, warnDays: DAYS },
  }),
  /** Only the hard cap is built in. */
  lockout: plain<Lockout>()({
    event: 'lockout',
    builtIn: { maxPasswordAttempts: 0, maxOtpAttempts: 0 },
    forms: { maxPasswordAttempts: whole(0, 100), maxOtpAttempts: whole(0, 100) },
  }),
  security: plain<SecuritySettings>()({
    event: 'security',
    isOfInstance: true,
    builtIn: BUILT_IN_SECURITY,
    forms: {
      allowsEmbedding: flag,
      embeddingOrigins: listOf(text(300), 100),
      allowsImpersonation: flag,
      allowsClientRegistration: flag,
      allowsAnonymousClientRegistration: flag,
      allowsSelfDeletion: flag,
      registrationsPerHour: whole(0, 10_000),
      allowsDocumentClients: flag,
      documentClientDomains: listOf(text(253), 100),
      servesMcp: flag,
      assertions: assertionsForm,
    },
    problem: securityProblem,
  }),
  legal: plain<LegalLinks>()({
    event: 'legal',
    builtIn: {
      tosLink: '',
      privacyLink: '',
      helpLink: '',
      supportEmail: '',
      docsLink: '',
      customLink: '',
      customLinkText: '',
    },
    forms: {
      tosLink: LINK,
      privacyLink: LINK,
      helpLink: LINK,
      supportEmail: text(320),
      docsLink: LINK,
      customLink: LINK,
      customLinkText: text(200),
    },
    problem: legalProblem,
  }),
  oidc: plain<OidcLifetimes>()({
    event: 'oidc',
    isOfInstance: true,
    builtIn: {
      accessTokenMs: 12 * HOUR_MS,
      idTokenMs: 12 * HOUR_MS,
      refreshIdleMs: 30 * DAY_MS,
      refreshAbsoluteMs: 90 * DAY_MS,
    },
    forms: {
      accessTokenMs: TOKEN_LIFETIME,
      idTokenMs: TOKEN_LIFETIME,
      refreshIdleMs: TOKEN_LIFETIME,
      refreshAbsoluteMs: TOKEN_LIFETIME,
    },
    exists: 'settings.oidc_exists',
  }),
  /** Users are told after a change of their password. */
  notifications: plain<Notifications>()({
    event: 'notifications',
    builtIn: { passwordChange: true },
    forms: { passwordChange: flag },
  }),
}

export type PlainName = keyof typeof PLAIN
export type PlainValue<Name extends PlainName> = (typeof PLAIN)[Name]['builtIn']
export const PLAIN_NAMES = Object.keys(PLAIN) as readonly PlainName[]

/** Missing sections are not set here. */
export type PlainState = { readonly [Name in PlainName]?: PlainValue<Name> }

export type PlainCommand = {
  [Name in PlainName]:
    | { readonly type: 'set'; readonly section: Name; readonly manner: Manner; readonly value: PlainValue<Name> }
    | { readonly type: 'reset'; readonly section: Name }
}[PlainName]

type Word = (typeof PLAIN)[PlainName]['event']
type PlainEvent = Extract<SettingsEvent, { readonly type: `settings.${Word}_${'set' | 'reset'}.v1` }>

const BY_EVENT: ReadonlyMap<string, { readonly section: PlainName; readonly isSet: boolean }> = new Map(
  PLAIN_NAMES.flatMap((section) =>
    [true, false].map((isSet) => [
      `settings.${PLAIN[section].event}_${isSet ? 'set' : 'reset'}.v1`,
      { section, isSet },
    ]),
  ),
)

export function isPlainEvent(event: SettingsEvent): event is PlainEvent {
  return BY_EVENT.has(event.type)
}

/** The state after an event of a plain section. */
export function evolvePlain<State extends PlainState>(state: State, { type, data }: PlainEvent): State {
  const found = BY_EVENT.get(type)
  if (found === undefined) return state
  const { [found.section]: _, ...rest } = state
  return (found.isSet ? { ...rest, [found.section]: data } : rest) as State
}

/** What is wrong with the members of a value, wherever it comes from. */
export function plainProblems(section: PlainName, value: unknown) {
  return problemsOf<unknown>(PLAIN[section].forms, value)
}

/** Decides about a plain section. */
export function decidePlain(command: PlainCommand, state: PlainState): SettingsDecision {
  const { event, exists, problem } = PLAIN[command.section] as Declared<string, object>
  const before = state[command.section]
  if (command.type === 'reset') {
    return before === undefined ? accept() : accept({ type: `settings.${event}_reset.v1`, data: {} } as SettingsEvent)
  }
  const { section, manner, value } = command
  if (plainProblems(section, value).length > 0) return refuse('settings.value_invalid')
  const refusal = problem?.(value)
  if (refusal !== undefined) return refuse(refusal)
  if (manner === 'add' && before !== undefined && exists !== undefined) return refuse(exists)
  return set<object>(manner, before, value, { type: `settings.${event}_set.v1`, data: value } as SettingsEvent)
}
