/** The authentication flows of a realm. None is carried; they say who gets in and what it takes. */
import type { Members } from '../json/members.ts'

/** Steps that any new user passes. Steps that nobody here knows, and conditions on the user, stop somebody. */
const PASSED_BY_ALL: ReadonlySet<string> = new Set([
  'idp-review-profile',
  'idp-add-organization-member',
  'conditional-user-configured',
])

/** What an execution does for a user whom Keycloak does not know yet. */
type Outcome = 'creates' | 'passes' | 'stops'

export class RealmFlows {
  readonly #byAlias: ReadonlyMap<string, Members>
  readonly #firstLogin: string

  constructor(realm: Members) {
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

  /** As Keycloak goes through a flow: what is required counts, alternatives only where nothing is required. */
  #outcomeOf(alias: string, above: readonly string[]): Outcome {
    const flow = this.#byAlias.get(alias)
    if (flow === undefined || above.includes(alias)) return 'stops'
    const executions = flow.list('authenticationExecutions').map((execution) => {
      const requirement = execution.maybeText('requirement') ?? ''
      const inner = execution.maybeText('flowAlias')
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

function stepOf(execution: Members): Outcome {
  const step = execution.maybeText('authenticator') ?? ''
  if (step === 'idp-create-user-if-unique') return 'creates'
  return PASSED_BY_ALL.has(step) ? 'passes' : 'stops'
}
