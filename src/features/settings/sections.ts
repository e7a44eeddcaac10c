/**
 * The sections of settings. Each says what holds for people above the organization. Most are
 * plain: one value that is set and reset as a whole, whose events, rules, methods, export and import follow from its row. Pure.
 */
import type { Reach } from '../../access/paths.ts'
import { legalProblem } from './appearance.ts'
import { type Forms, flag, listOf, oneOf, text, whole } from './forms.ts'
import { BUILT_IN_LOGIN, loginProblem, MULTI_FACTORS, SECOND_FACTORS } from './login.ts'
import type { SettingsRefusal } from './refusals.ts'
import { assertionsForm, BUILT_IN_SECURITY, securityProblem } from './security-values.ts'
import type {
  LegalLinks,
  Lockout,
  LoginSettings,
  Notifications,
  OidcLifetimes,
  PasswordComplexity,
  PasswordExpiry,
  SecuritySettings,
} from './values.ts'

/** Whose section counts for users who hold more than whoever changed the one of their organization last. */
export type Above<Command extends string = string> =
  /** Organizations do not have it. */
  | { readonly decides: 'instance alone' }
  /** It is a path: users sign in by it, or are kept out. The one of the instance counts as a whole. `setBy` are the commands that set it; a reset takes it away, with its reach. */
  | { readonly decides: 'instance'; readonly setBy: readonly Command[] }
  | { readonly decides: 'organization'; readonly because: string }

/** A section that is one value. */
export interface Plain<Event extends string, Value, Counts extends Above = Above> {
  /** Its word in the events `settings.…_set.v1` and `settings.…_reset.v1`. */
  readonly event: Event
  readonly above: Counts
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
  <const Event extends string, const Counts extends Above>(row: Plain<Event, Value, Counts>) =>
    row

const DAYS = whole(0, 36_500)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LIFETIME = whole(0, 36_500 * DAY_MS)
const TOKEN_LIFETIME = whole(1, 36_500 * DAY_MS)
const LINK = text(2000)

/** Each section once; `decider.ts` does not compile while one is missing here. */
export const SECTIONS = {
  login: plain<LoginSettings>()({
    event: 'login',
    above: { decides: 'instance', setBy: ['set', 'allow_factor', 'forbid_factor'] },
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
    above: { decides: 'instance', setBy: ['set'] },
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
    above: { decides: 'instance', setBy: ['set'] },
    builtIn: { maxAgeDays: 0, warnDays: 0 },
    forms: { maxAgeDays: DAYS, warnDays: DAYS },
  }),
  /** Only the hard cap is built in. */
  lockout: plain<Lockout>()({
    event: 'lockout',
    above: { decides: 'instance', setBy: ['set'] },
    builtIn: { maxPasswordAttempts: 0, maxOtpAttempts: 0 },
    forms: { maxPasswordAttempts: whole(0, 100), maxOtpAttempts: whole(0, 100) },
  }),
  security: plain<SecuritySettings>()({
    event: 'security',
    above: { decides: 'instance alone' },
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
    above: { decides: 'organization', because: 'They name who runs the page.' },
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
    above: { decides: 'instance alone' },
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
    // Who is told that their password was changed.
    above: { decides: 'instance', setBy: ['set'] },
    builtIn: { passwordChange: true },
    forms: { passwordChange: flag },
  }),
  /** Which identity providers users can choose. */
  providers: { above: { decides: 'instance', setBy: ['offer_provider', 'withhold_provider'] } },
  /** Mails with codes have it. */
  branding: { above: { decides: 'instance', setBy: ['activate_branding'] } },
  brandingDraft: { above: { decides: 'organization', because: 'Nobody sees it yet.' } },
  /** Where new user names are unique. */
  organization: {
    above: { decides: 'organization', because: 'Names are of the organization; those that exist keep theirs.' },
  },
  defaultLanguage: { above: { decides: 'instance alone' } },
  allowedLanguages: { above: { decides: 'instance alone' } },
  generators: { above: { decides: 'instance alone' } },
  features: { above: { decides: 'instance alone' } },
} as const satisfies Readonly<Record<string, { readonly above: Above }>>

type Sections = typeof SECTIONS

/** A section that is a path. */
export type PathSection = {
  [Name in keyof Sections]: Sections[Name]['above']['decides'] extends 'instance' ? Name : never
}[keyof Sections]

/** How far those reach who changed the sections last; a section without: as far as an owner. */
export type SectionReach = Readonly<Partial<Record<PathSection, Reach>>>

const PATHS = Object.entries<{ readonly above: Above }>(SECTIONS).flatMap(([name, { above }]) =>
  above.decides === 'instance' ? [{ section: name as PathSection, setBy: above.setBy }] : [],
)

/** The paths that an owner has set. */
export function pathsOf(state: Readonly<Partial<Record<PathSection, unknown>>>): readonly PathSection[] {
  return PATHS.flatMap(({ section }) => (state[section] === undefined ? [] : [section]))
}

/** The path that a command sets, which names a plain section; undefined when it sets none. */
export function pathSetBy(command: string, plain?: string): PathSection | undefined {
  return PATHS.find(({ section, setBy }) => setBy.includes(command) && (plain === undefined || plain === section))
    ?.section
}
