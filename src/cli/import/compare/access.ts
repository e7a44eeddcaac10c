/**
 * Asks a running Keycloak and this server who gets in, and what they get. Only one direction is a difference: this server says
 * yes where the source says no.
 */
import { type Answering, ask, type Json, listed, NoAnswer } from './ask.ts'
import type { Compared, DifferentObject } from './compare.ts'
import type { Keycloak, KeycloakClient, KeycloakProvider } from './keycloak.ts'
import { jsonOf, ownAudience, plainAnswer } from './plain-request.ts'

export interface AccessOptions {
  readonly keycloak: Keycloak
  readonly target: Answering
  onDifference(found: DifferentObject): void
  onProgress?(questions: number): void
}

/** Which rights of Keycloak contain everything that a role may do here. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  ORG_USER_MANAGER: ['manage-users'],
  ORG_SETTINGS_MANAGER: ['manage-realm', 'manage-identity-providers', 'view-users'],
  ORG_OWNER_VIEWER: ['view-realm', 'view-users', 'view-clients', 'view-identity-providers'],
}
const OWNER = 'realm-admin'
/** A redirect URI that no client has. */
const ELSEWHERE = 'https://elsewhere.invalid/callback'

/** A challenge, in the method that a client must use. */
function pkceOf({ attributes }: KeycloakClient) {
  const code_challenge_method = attributes?.['pkce.code.challenge.method'] || 'S256'
  return { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method }
}

/** Why a stranger who signs in with a provider does not become a user in Keycloak; undefined: they do. */
async function refusesStrangers(keycloak: Keycloak, provider: KeycloakProvider): Promise<string | undefined> {
  const { enabled = true, linkOnly = false, postBrokerLoginFlowAlias, config = {} } = provider
  if (!enabled) return 'disabled'
  if (linkOnly) return 'linkOnly'
  if (postBrokerLoginFlowAlias) return `postBrokerLoginFlowAlias: ${postBrokerLoginFlowAlias}`
  if (config.filteredByClaim === 'true') return `filteredByClaim: ${config.claimFilterName ?? ''}`
  for (const name of ['hostedDomain', 'kc.org.domain']) if (config[name]) return `${name}: ${config[name]}`
  return (await keycloak.createsUsers(provider)) ? undefined : 'its first login flow creates nobody'
}

/** Where a provider of the source sends users, if its settings say it. */
function hostIn({ providerId, config = {} }: KeycloakProvider): string | undefined {
  const address = providerId === 'github' ? config.baseUrl || 'https://github.com' : config.authorizationUrl
  return URL.parse(address ?? '')?.host
}

class AccessComparison {
  readonly results = new Map<string, Compared>()
  readonly #options: AccessOptions
  #questions = 0

  constructor(options: AccessOptions) {
    this.#options = options
  }

  /** One question. `source`: why not, or undefined for yes. */
  #note(question: string, id: string, source: string | undefined, isYesHere: boolean, here = 'yes'): void {
    const result = this.#resultOf(question)
    result.objects++
    this.#options.onProgress?.(++this.#questions)
    if (source === undefined || !isYesHere) return
    result.different++
    this.#options.onDifference({
      question,
      id,
      differences: [{ member: 'allowed', source: `no (${source})`, target: here }],
    })
  }

  #resultOf(question: string): Compared {
    const result = this.results.get(question) ?? { question, objects: 0, different: 0 }
    this.results.set(question, result)
    return result
  }

  /** A part that a server does not answer is named, and the others are asked all the same. */
  async part(question: string, act: () => Promise<void>): Promise<void> {
    this.#resultOf(question)
    try {
      await act()
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      this.#resultOf(question).unanswered ??= error.message
    }
  }

  async providers(): Promise<void> {
    const { keycloak, target } = this.#options
    for (const provider of await keycloak.providers()) {
      const { alias, internalId = alias } = provider
      const found = await ask(target, 'GET', `/v2/idps/${encodeURIComponent(internalId)}`, {}).catch(() => undefined)
      const { state, config } = (found?.idp ?? {}) as { state?: string; config?: { options?: Json } }
      const isActive = state === 'IDP_STATE_ACTIVE'
      const isCreation = isActive && config?.options?.isCreationAllowed === true
      this.#note('strangers at providers', alias, await refusesStrangers(keycloak, provider), isCreation)
      this.#note('sign-in with providers', alias, (provider.enabled ?? true) ? undefined : 'disabled', isActive)
      const host = hostIn(provider)
      if (!isActive || host === undefined) continue
      const urls = { successUrl: `${target.url}/ui/login`, failureUrl: `${target.url}/ui/login` }
      const intent = await ask(target, 'POST', '/v2/idp_intents', { body: { idpId: internalId, urls } }).catch(
        () => ({}),
      )
      const now = URL.parse(String((intent as Json).authUrl ?? ''))?.host
      if (now !== undefined)
        this.#note('servers of providers', alias, now === host ? undefined : `it is ${host}`, true, now)
    }
  }

  async clients(): Promise<void> {
    const { keycloak } = this.#options
    const clients = (await keycloak.clients()).filter(
      ({ protocol = 'openid-connect' }) => protocol === 'openid-connect',
    )
    const names = new Set(clients.map(({ clientId }) => clientId))
    for (const client of clients) {
      await this.#authorization(client)
      if (client.bearerOnly !== true) await this.#ownTokens(client, names)
    }
  }

  async #authorization(client: KeycloakClient): Promise<void> {
    const { clientId, redirectUris = [], rootUrl = '' } = client
    const { keycloak, target } = this.#options
    const whole = redirectUris.map((uri) => (uri.startsWith('/') ? `${rootUrl.replace(/\/$/, '')}${uri}` : uri))
    const ports = whole.map((uri) => uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1))(:\d+)?(?=\/)/, '$1:9999'))
    const probes = new Set([...whole, ...ports, ELSEWHERE].map((uri) => uri.replaceAll('*', 'probe')))
    for (const uri of probes) {
      if (!URL.canParse(uri)) continue
      const plain = { client_id: clientId, redirect_uri: uri, response_type: 'code', scope: 'openid', state: 'compare' }
      for (const [how, parameters] of [
        ['', plain],
        [' with PKCE', { ...plain, ...pkceOf(client) }],
      ] as const) {
        const there = await keycloak.authorize(parameters)
        const here = await plainAnswer(`${target.url}/oauth/v2/authorize?${new URLSearchParams(parameters)}`)
        const source = there.isYes ? undefined : there.words
        this.#note('plain requests of clients', `${clientId} ${uri}${how}`, source, here.isYes)
      }
    }
  }

  async #ownTokens(client: KeycloakClient, clients: ReadonlySet<string>): Promise<void> {
    const { keycloak, target } = this.#options
    const { clientId } = client
    const secret = await keycloak.secretOf(client).catch(() => '')
    if (secret === '') return
    const there = await ownAudience(keycloak.tokenUrl, clientId, secret)
    for (const id of [clientId, `service-account-${clientId}`]) {
      const here = await ownAudience(`${target.url}/oauth/v2/token`, id, secret)
      this.#note(
        'tokens of clients for themselves',
        id,
        there === undefined ? 'no token' : undefined,
        here !== undefined,
      )
      const more = (here ?? []).filter((one) => one !== id && clients.has(one) && there?.includes(one) !== true)
      this.#note('audience of tokens', id, more.length === 0 ? undefined : 'not in aud', true, more.join(', '))
    }
  }

  /** What visitors may do, in the organization of the realm and in those that it has. */
  async visitors(): Promise<void> {
    const { keycloak, target } = this.#options
    const { id, registrationAllowed } = await keycloak.admin<{
      readonly id: string
      readonly registrationAllowed?: boolean
    }>('')
    const organizations = await keycloak.organizations()
    for (const organizationId of [id, ...organizations]) {
      const path = `/v2/settings/login?ctx.orgId=${encodeURIComponent(organizationId)}`
      const { settings } = await ask(target, 'GET', path, {})
      const { allowRegister, allowExternalIdp } = (settings ?? {}) as Readonly<Record<string, boolean>>
      const inside = organizationId === id ? undefined : 'users of the realm are no members'
      const registers = registrationAllowed === true ? inside : 'registrationAllowed'
      this.#note('registration', organizationId, registers, allowRegister === true)
      this.#note('sign-in with providers in organizations', organizationId, inside, allowExternalIdp === true)
    }
  }

  async keys(): Promise<void> {
    const { keycloak, target } = this.#options
    const { trusted, all } = await keycloak.keys()
    const { keys } = await jsonOf<{ readonly keys: readonly { readonly kid: string }[] }>(`${target.url}/oauth/v2/keys`)
    for (const { kid } of keys)
      this.#note('keys', kid, all.has(kid) && !trusted.has(kid) ? 'not among its keys' : undefined, true)
  }

  async administrators(): Promise<void> {
    const { keycloak, target } = this.#options
    const { id } = await keycloak.admin<{ readonly id: string }>('')
    const [management] = await keycloak.admin<readonly { readonly id: string }[]>('/clients?clientId=realm-management')
    const people = new Set<string>()
    for await (const user of keycloak.users()) people.add(String(user.id))
    for (const [path, organizationId] of [
      ['/admin/v1/members/_search', undefined],
      ['/management/v1/orgs/me/members/_search', id],
    ] as const)
      for await (const page of listed(target, path, { organizationId }))
        for (const { userId, roles = [] } of page as readonly { userId?: string; roles?: readonly string[] }[]) {
          if (userId === undefined || !people.has(userId) || management === undefined) continue
          const rights = await keycloak.rightsOf(userId, management.id)
          for (const role of roles) {
            const missing = (RIGHTS[role] ?? [OWNER]).filter((right) => !rights.has(right) && !rights.has(OWNER))
            const source = missing.length === 0 ? undefined : `without ${missing.join(', ')}`
            this.#note('rights of administrators', `${userId} ${role}`, source, true)
          }
        }
  }

  async users(): Promise<void> {
    const { keycloak, target } = this.#options
    for await (const { id, enabled } of keycloak.users()) {
      if (enabled !== false) continue
      const found = await ask(target, 'GET', `/v2/users/${encodeURIComponent(String(id))}`, {}).catch(() => undefined)
      const { state } = (found?.user ?? {}) as { readonly state?: string }
      this.#note('disabled users', String(id), 'disabled', state === 'USER_STATE_ACTIVE')
    }
  }
}

/** Asks everything; the results are in the order of the questions. */
export async function compareAccess(options: AccessOptions): Promise<readonly Compared[]> {
  const comparison = new AccessComparison(options)
  await comparison.part('strangers at providers', () => comparison.providers())
  await comparison.part('plain requests of clients', () => comparison.clients())
  await comparison.part('registration', () => comparison.visitors())
  await comparison.part('keys', () => comparison.keys())
  await comparison.part('rights of administrators', () => comparison.administrators())
  await comparison.part('disabled users', () => comparison.users())
  return [...comparison.results.values()]
}
