/** The authentication flows of a realm. None is carried; they say who gets in and what it takes. */
import type { Members } from '../json/members.ts'
import { decide } from '../members/table.ts'
import { EXECUTION } from './flow-members.ts'

/** Steps that any new user passes. Steps that nobody here knows, and conditions on the user, stop somebody. */
const PASSED_BY_ALL: ReadonlySet<string> = new Set([
  'idp-review-profile',
  'idp-add-organization-member',
  'conditional-user-configured',
])

/** Settings of steps that every realm has. */
const OWN_CONFIGS =
  /^(create unique user config|review profile config|(browser|first-broker-login)-conditional-credential)$/

const SIGNS: Readonly<Record<string, string>> = { REQUIRED: '!', ALTERNATIVE: '?', CONDITIONAL: '~' }

const FACTOR = '(auth-otp-form|webauthn-authenticator|auth-recovery-authn-code-form)[!?]'
const IF_CONFIGURED = 'conditional-user-configured! (conditional-credential! )?'
const FACTORS = `${FACTOR}( ${FACTOR})*`
const ORGANIZATION = String.raw`( \(\(conditional-user-configured! organization\?\)~\)\?)?`

/** How users sign in with a password, and with what after it. */
function signIn(factor: string): RegExp {
  return new RegExp(
    String.raw`^auth-cookie\? identity-provider-redirector\?${ORGANIZATION} \(auth-username-password-form!${factor}\)\?$`,
  )
}

/** The built-in flows in the form of `shapeOf`, in all versions that know them. */
const BUILT_IN = {
  browserFlow: signIn(String.raw`( \(${IF_CONFIGURED}${FACTORS}\)~)?`),
  /** As above, with a second factor that everybody needs. */
  strict: signIn(String.raw`( \((${IF_CONFIGURED})?${FACTORS}\)!| auth-otp-form!)`),
  resetCredentialsFlow:
    /^reset-credentials-choose-user! reset-credential-email! reset-password!( \(conditional-user-configured! reset-otp!\)~)?$/,
  registrationFlow: /^\(registration-user-creation!( registration-profile-action!)? registration-password-action!\)!$/,
} as const

/** How the built-in flows are called. */
const NAMES = {
  browserFlow: 'browser',
  resetCredentialsFlow: 'reset credentials',
  registrationFlow: 'registration',
  clientAuthenticationFlow: 'clients',
} as const

/** What an execution does for a user who is new to Keycloak. */
type Outcome = 'creates' | 'passes' | 'stops'

/** Steps that ask for a password, and steps that ask for a second factor. */
const PASSWORDS: ReadonlySet<string> = new Set(['auth-username-password-form', 'auth-password-form'])
const FACTORS_OF_STEPS: ReadonlySet<string> = new Set([
  'auth-otp-form',
  'webauthn-authenticator',
  'auth-recovery-authn-code-form',
])

/** A step, and whether only those get there who have set up what it asks for. */
interface Step {
  readonly step: string
  readonly isIfConfigured: boolean
}

export class RealmFlows {
  readonly #byAlias: ReadonlyMap<string, Members>
  readonly #realm: Members
  readonly #firstLogin: string

  constructor(realm: Members) {
    this.#realm = realm
    const flows = realm.list('authenticationFlows')
    this.#byAlias = new Map(flows.map((flow) => [flow.text('alias'), flow]))
    this.#firstLogin = realm.maybeText('firstBrokerLoginFlow') || 'first broker login'
  }

  /** Whether everybody who signs in with this provider for the first time becomes a user. */
  createsUsers(provider: Members): boolean {
    // An export without flows leaves them as Keycloak makes them.
    const alias = provider.maybeText('firstBrokerLoginFlowAlias') || this.#firstLogin
    return (this.#byAlias.size === 0 && alias === 'first broker login') || this.#outcomeOf(alias, []) === 'creates'
  }

  /** Whether a flow that is in use is the built-in one, unchanged; or asks everybody for a second factor besides. */
  stateOf(use: Exclude<keyof typeof NAMES, 'clientAuthenticationFlow'>): 'built-in' | 'strict' | 'other' {
    const alias = this.aliasOf(use)
    if (this.#byAlias.size === 0 && alias === NAMES[use]) return 'built-in'
    const shape = this.#shapeOf(alias, [])
    if (BUILT_IN[use].test(shape)) return 'built-in'
    return use === 'browserFlow' && BUILT_IN.strict.test(shape) ? 'strict' : 'other'
  }

  /** Whether the sign-in asks for a password at all. */
  takesPasswords(): boolean {
    return (
      this.stateOf('browserFlow') !== 'other' ||
      this.#stepsOf(this.aliasOf('browserFlow'), []).some(({ step }) => PASSWORDS.has(step))
    )
  }

  /** Whether the sign-in asks somebody for a second factor who has not set one up: that is everybody here. */
  requiresFactor(): boolean {
    const state = this.stateOf('browserFlow')
    if (state !== 'other') return state === 'strict'
    const steps = this.#stepsOf(this.aliasOf('browserFlow'), [])
    return steps.some(({ step, isIfConfigured }) => FACTORS_OF_STEPS.has(step) && !isIfConfigured)
  }

  aliasOf(use: keyof typeof NAMES): string {
    return this.#realm.maybeText(use) || NAMES[use]
  }

  /** Whether clients may authenticate in a way at all. */
  acceptsClientsWith(type: string): boolean {
    const alias = this.aliasOf('clientAuthenticationFlow')
    if (this.#byAlias.size === 0 && alias === NAMES.clientAuthenticationFlow) return true
    return this.#shapeOf(alias, [])
      .split(' ')
      .some((step) => step === `${type}?` || step === `${type}!`)
  }

  /** The enabled steps of a flow in their order, each with what is required; flows inside are in brackets. */
  #shapeOf(alias: string, above: readonly string[]): string {
    const flow = this.#byAlias.get(alias)
    if (flow === undefined || above.includes(alias)) return 'unknown'
    const steps = flow.list('authenticationExecutions').toSorted((a, b) => priorityOf(a) - priorityOf(b))
    const shown = steps.map((execution) => {
      const [requirement, inner] = [execution.maybeText('requirement') ?? '', execution.maybeText('flowAlias')]
      if (requirement === 'DISABLED') return ''
      if (!isKnown(execution)) return 'unknown'
      const config = execution.maybeText('authenticatorConfig') ?? ''
      const step = inner ? `(${this.#shapeOf(inner, [...above, alias])})` : (execution.maybeText('authenticator') ?? '')
      // A redirector without a default provider does nothing.
      const own = config === '' || OWN_CONFIGS.test(config) ? '' : '+'
      return `${step}${own}${SIGNS[requirement] ?? `[${requirement}]`}`
    })
    return shown.filter((step) => step !== '').join(' ')
  }

  /** The enabled steps of a flow and of those inside; a flow may ask only those who have set something up. */
  #stepsOf(alias: string, above: readonly string[], isIfConfigured = false): readonly Step[] {
    const flow = this.#byAlias.get(alias)
    if (flow === undefined || above.includes(alias)) return []
    const enabled = flow.list('authenticationExecutions').filter((one) => one.maybeText('requirement') !== 'DISABLED')
    return enabled.flatMap((one) => {
      const inner = one.maybeText('flowAlias')
      // A condition counts where its flow is conditional only.
      const isConditional = one.maybeText('requirement') === 'CONDITIONAL'
      if (inner)
        return this.#stepsOf(inner, [...above, alias], isIfConfigured || (isConditional && this.#asksConfigured(inner)))
      return [{ step: one.maybeText('authenticator') ?? '', isIfConfigured }]
    })
  }

  #asksConfigured(alias: string): boolean {
    const steps = this.#byAlias.get(alias)?.list('authenticationExecutions') ?? []
    return steps.some(
      (one) =>
        one.maybeText('authenticator') === 'conditional-user-configured' && one.maybeText('requirement') === 'REQUIRED',
    )
  }

  /** As Keycloak goes through a flow: what is required counts, alternatives only where nothing is required. */
  #outcomeOf(alias: string, above: readonly string[]): Outcome {
    const flow = this.#byAlias.get(alias)
    if (flow === undefined || above.includes(alias)) return 'stops'
    const executions = flow.list('authenticationExecutions').map((execution) => {
      const requirement = execution.maybeText('requirement') ?? ''
      const inner = execution.maybeText('flowAlias')
      if (!isKnown(execution))
        return { requirement: requirement === 'DISABLED' ? requirement : 'REQUIRED', outcome: 'stops' }
      const outcome = inner ? this.#outcomeOf(inner, [...above, alias]) : stepOf(execution)
      // What creates users under a condition does not create everybody.
      const isUncertain = requirement === 'CONDITIONAL' && outcome === 'creates'
      return { requirement, outcome: isUncertain ? 'stops' : outcome }
    })
    const enabled = executions.filter(({ requirement }) => requirement !== 'DISABLED')
    const required = enabled.filter(({ requirement }) => requirement !== 'ALTERNATIVE')
    const outcomes = (required.length > 0 ? required : enabled).map(({ outcome }) => outcome)
    if (required.length > 0 && outcomes.includes('stops')) return 'stops'
    if (outcomes.includes('creates')) return 'creates'
    return outcomes.includes('stops') ? 'stops' : 'passes'
  }
}

function priorityOf(execution: Members): number {
  return execution.number('priority') ?? 0
}

/** Whether nothing of a step could stop users in a way that is not known here. */
function isKnown(execution: Members): boolean {
  return decide(execution, EXECUTION).closed.length === 0
}

function stepOf(execution: Members): Outcome {
  const step = execution.maybeText('authenticator') ?? ''
  if (step === 'idp-create-user-if-unique') return 'creates'
  return PASSED_BY_ALL.has(step) ? 'passes' : 'stops'
}
