/** A running Keycloak, asked as its administrator and as anybody who comes along. */
import { NoAnswer } from './ask.ts'
import { type Answered, jsonOf, plainAnswer, request } from './plain-request.ts'

type Json = Readonly<Record<string, unknown>>

export interface KeycloakClient {
  readonly id: string
  readonly clientId: string
  readonly enabled?: boolean
  readonly protocol?: string
  readonly bearerOnly?: boolean
  readonly publicClient?: boolean
  readonly serviceAccountsEnabled?: boolean
  readonly redirectUris?: readonly string[]
  readonly rootUrl?: string
  readonly attributes?: Readonly<Record<string, string>>
}

export interface KeycloakProvider {
  readonly alias: string
  readonly internalId?: string
  readonly providerId: string
  readonly enabled?: boolean
  readonly linkOnly?: boolean
  readonly firstBrokerLoginFlowAlias?: string
  readonly postBrokerLoginFlowAlias?: string
  readonly organizationId?: string
  readonly config?: Readonly<Record<string, string>>
}

const PAGE = 100

export class Keycloak {
  readonly #base: string
  readonly #realm: string
  readonly #token: string

  /** `url`: with the path below which Keycloak is, such as `/auth`. */
  constructor(url: string, realm: string, token: string) {
    this.#base = url.replace(/\/+$/, '')
    this.#realm = encodeURIComponent(realm)
    this.#token = token
  }

  async admin<Value = Json>(path: string): Promise<Value> {
    const authorization = `Bearer ${this.#token}`
    const response = await request(`${this.#base}/admin/realms/${this.#realm}${path}`, { headers: { authorization } })
    if (!response.ok) throw new NoAnswer(`The source answered ${response.status} to GET ${path || '/'}.`)
    return (await response.json()) as Value
  }

  async *users(): AsyncGenerator<Json> {
    for (let first = 0; ; first += PAGE) {
      const page = await this.admin<readonly Json[]>(`/users?briefRepresentation=true&first=${first}&max=${PAGE}`)
      yield* page
      if (page.length < PAGE) return
    }
  }

  clients(): Promise<readonly KeycloakClient[]> {
    return this.admin('/clients')
  }

  async secretOf({ id, publicClient }: KeycloakClient): Promise<string> {
    if (publicClient === true) return ''
    const { value } = await this.admin<{ readonly value?: string }>(`/clients/${encodeURIComponent(id)}/client-secret`)
    return value ?? ''
  }

  /** The IDs of the organizations in the realm; none where it has no organizations. */
  async organizations(): Promise<readonly string[]> {
    const { organizationsEnabled } = await this.admin<{ readonly organizationsEnabled?: boolean }>('')
    if (organizationsEnabled !== true) return []
    const found: string[] = []
    for (let first = 0; ; first += PAGE) {
      const page = await this.admin<readonly { readonly id: string }[]>(`/organizations?first=${first}&max=${PAGE}`)
      found.push(...page.map(({ id }) => id))
      if (page.length < PAGE) return found
    }
  }

  providers(): Promise<readonly KeycloakProvider[]> {
    return this.admin('/identity-provider/instances')
  }

  /** Whether the first login flow of a provider has a step that creates users. */
  async createsUsers({ firstBrokerLoginFlowAlias }: KeycloakProvider): Promise<boolean> {
    const alias = firstBrokerLoginFlowAlias || 'first broker login'
    const path = `/authentication/flows/${encodeURIComponent(alias)}/executions`
    const steps = await this.admin<readonly { readonly providerId?: string; readonly requirement?: string }[]>(path)
    return steps.some(
      ({ providerId, requirement }) => providerId === 'idp-create-user-if-unique' && requirement !== 'DISABLED',
    )
  }

  /** The rights of a user in the administration, those inside others too. */
  async rightsOf(userId: string, managementId: string): Promise<ReadonlySet<string>> {
    const path = `/users/${encodeURIComponent(userId)}/role-mappings/clients/${managementId}/composite`
    return new Set((await this.admin<readonly { readonly name: string }[]>(path)).map(({ name }) => name))
  }

  /** The IDs of keys that anybody trusts, and of all that the realm has. */
  async keys(): Promise<{ readonly trusted: ReadonlySet<string>; readonly all: ReadonlySet<string> }> {
    const { keys } = await jsonOf<{ readonly keys: readonly { readonly kid: string }[] }>(this.#protocol('certs'))
    const { keys: all } = await this.admin<{ readonly keys: readonly { readonly kid?: string }[] }>('/keys')
    return {
      trusted: new Set(keys.map(({ kid }) => kid)),
      all: new Set(all.flatMap(({ kid }) => (kid === undefined ? [] : [kid]))),
    }
  }

  /** What a plain authorization request gets. */
  authorize(parameters: Readonly<Record<string, string>>): Promise<Answered> {
    return plainAnswer(`${this.#protocol('auth')}?${new URLSearchParams(parameters)}`)
  }

  get tokenUrl(): string {
    return this.#protocol('token')
  }

  #protocol(end: string): string {
    return `${this.#base}/realms/${this.#realm}/protocol/openid-connect/${end}`
  }
}
