/** The rules of identity providers and of their secrets. Pure. */
import { type Reach, reachAfter } from '../../access/paths.ts'
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import type {
  Connection,
  IdentityProviderEvent,
  JwtConnection,
  OidcConnection,
  ProviderOptions,
  ProviderSecretEvent,
  SamlCertificate,
  SealedSecret,
  Styling,
} from './events.ts'
import { nameKey } from './names.ts'
import type { ProviderType } from './provider-types.ts'
import type { IdentityProviderRefusal } from './refusals.ts'

/** A provider that exists; users can sign in only with an active one. */
export interface LivingProvider {
  readonly status: 'active' | 'inactive'
  readonly owner: string
  readonly type: ProviderType
  readonly name: string
  readonly styling: Styling
  readonly options: ProviderOptions
  readonly connection: Connection
  /** How often its accounts were replaced; not given: never. A link counts for the version it was made for. */
  readonly accountsVersion?: number
  /** How far whoever changed it last reaches; not given: as far as an owner. */
  readonly reach?: Reach
  readonly search: {
    readonly name: string
    /** Owner and name, only for an active provider, so that the sign-in page reads one range of an index. */
    readonly signIn?: string
  }
}

export type IdentityProvider = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingProvider

/** The fields that the newer methods set: everything except styling and mappings. */
export interface ProviderChange {
  readonly providerType: ProviderType
  readonly name: string
  readonly options: ProviderOptions
  readonly connection: Connection
}

/** The part of a connection that the deprecated methods set. */
export type OidcPart = Pick<
  OidcConnection,
  'protocol' | 'issuer' | 'clientId' | 'scopes' | 'displayNameMapping' | 'userNameMapping'
>
export type JwtPart = Omit<JwtConnection, 'audience'>

export type IdentityProviderCommand = {
  /** How far whoever saves it reaches; not given: the server itself does. */
  readonly by?: Reach
} & (
  | ({ readonly type: 'add'; readonly owner: string; readonly styling: Styling } & ProviderChange)
  /** `withSecret`: the same commit replaces the secret. */
  | ({ readonly type: 'change'; readonly withSecret: boolean } & ProviderChange)
  /** Always with a secret. */
  | ({ readonly type: 'migrate' } & ProviderChange)
  | {
      readonly type: 'change_display'
      readonly name: string
      readonly styling: Styling
      readonly autoRegister: boolean
    }
  | { readonly type: 'change_part'; readonly withSecret: boolean; readonly part: OidcPart | JwtPart }
  /** The same commit replaces the secret. */
  | { readonly type: 'replace_own_key'; readonly own: SamlCertificate }
  | { readonly type: 'deactivate' | 'reactivate' | 'remove' }
)

/** Whether a provider exists. */
export function isLiving(state: IdentityProvider): state is LivingProvider {
  return state.status === 'active' || state.status === 'inactive'
}

/** Owner and name as one text. No owner ID contains a line break. */
export function ownedName(owner: string, name: string): string {
  return `${owner}\n${nameKey(name)}`
}

function withSearch(state: Omit<LivingProvider, 'search'>): LivingProvider {
  return {
    ...state,
    search: {
      name: nameKey(state.name),
      ...(state.status === 'active' ? { signIn: ownedName(state.owner, state.name) } : {}),
    },
  }
}

/** Tenants of Microsoft Entra ID that stand for all of them. */
const ANY_TENANT: readonly string[] = ['common', 'organizations']

/**
 * Whether accounts would be linked by unverified addresses: the administrator of any tenant of Microsoft
 * Entra ID gives its accounts whatever address they like.
 */
export function linksUnsafely(
  connection: Connection,
  { autoLinking, emailTrust = 'told' }: Pick<ProviderOptions, 'autoLinking' | 'emailTrust'>,
): boolean {
  const entra = connection.protocol === 'oidc' ? connection.entra : undefined
  if (entra === undefined || autoLinking === 'none' || emailTrust === 'never') return false
  return (entra.trustsEmail || emailTrust === 'always') && ANY_TENANT.includes(entra.tenant.toLowerCase())
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [left, right] = [Object.entries(one), Object.entries(other)]
  return (
    left.length === right.length &&
    left.every(([name, value]) => isSame(value, (other as Readonly<Record<string, unknown>>)[name]))
  )
}

type Change = Extract<IdentityProviderEvent, { type: 'identity_provider.changed.v1' }>['data']
type ProviderDecision = Decision<IdentityProviderEvent, IdentityProviderRefusal>

/** The fields of `wanted` that differ from the current state. */
function difference(state: LivingProvider, wanted: Change): Change {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(value, state[name as keyof Change])),
  )
}

/**
 * The server whose accounts sign in. Account IDs are unique per server. The client does not matter: a server never gives
 * the same ID to two accounts (OpenID Connect Core 1.0, 2).
 */
function accountsOf(connection: Connection): readonly string[] {
  if (connection.protocol === 'oidc') return [connection.issuer]
  if (connection.protocol === 'ldap') {
    return [connection.servers.toSorted().join(' '), connection.baseDn, connection.attributes.id ?? '']
  }
  // Who has the keys says whose account a token is.
  if (connection.protocol === 'jwt') return [connection.issuer, connection.keysEndpoint]
  if (connection.protocol === 'saml') {
    const { upstream, nameIdFormat, transientAttribute = '' } = connection
    return [upstream.entityId, nameIdFormat, transientAttribute]
  }
  const { authorizationEndpoint, tokenEndpoint, userEndpoint, idAttribute } = connection
  return [authorizationEndpoint, tokenEndpoint, userEndpoint, idAttribute]
}

/** Whether the accounts of a provider are others after a change. */
function replacesAccounts(before: Connection, after: Connection): boolean {
  return !isSame(accountsOf(before), accountsOf(after))
}

function change(state: LivingProvider, wanted: Change, withSecret: boolean): readonly IdentityProviderEvent[] {
  const data = difference(state, wanted)
  const isReplaced = data.connection !== undefined && replacesAccounts(state.connection, data.connection)
  return [
    ...(Object.keys(data).length > 0 ? [{ type: 'identity_provider.changed.v1', data } as const] : []),
    ...(isReplaced ? [{ type: 'identity_provider.accounts_replaced.v1', data: {} } as const] : []),
    ...(withSecret ? [{ type: 'identity_provider.secret_replaced.v1', data: {} } as const] : []),
  ]
}

/** Clients that do not know an option of ours do not change it. */
function keepOptions(before: ProviderOptions, after: ProviderOptions): ProviderOptions {
  const { emailTrust, isHidden } = before
  return { ...(emailTrust !== undefined && { emailTrust }), ...(isHidden !== undefined && { isHidden }), ...after }
}

/** Only the deprecated methods set mappings, and our own certificate has a method of its own: others do not change them. */
function keepOthers(before: Connection, after: Connection): Connection {
  if (before.protocol === 'saml' && after.protocol === 'saml') return { ...after, own: before.own }
  return before.protocol === 'oidc' && after.protocol === 'oidc'
    ? { ...after, displayNameMapping: before.displayNameMapping, userNameMapping: before.userNameMapping }
    : after
}

function orUnchanged(events: readonly IdentityProviderEvent[]): ProviderDecision {
  return events.length === 0 ? refuse('identity_provider.unchanged') : accept(...events)
}

function decideProvider(command: IdentityProviderCommand, state: IdentityProvider): ProviderDecision {
  if (command.type === 'add') {
    if (state.status !== 'unknown') return refuse('identity_provider.id_taken')
    const { owner, providerType: type, name, styling, options, connection } = command
    return accept({ type: 'identity_provider.added.v1', data: { owner, type, name, styling, options, connection } })
  }
  if (!isLiving(state)) return refuse('identity_provider.not_found')
  switch (command.type) {
    case 'change': {
      const { providerType, name, withSecret } = command
      if (providerType !== state.type) return refuse('identity_provider.other_type')
      const options = keepOptions(state.options, command.options)
      const connection = keepOthers(state.connection, command.connection)
      return accept(...change(state, { name, options, connection }, withSecret))
    }
    case 'migrate': {
      const { providerType, name } = command
      if (state.type !== 'oidc') return refuse('identity_provider.other_type')
      const options = keepOptions(state.options, command.options)
      const connection = keepOthers(state.connection, command.connection)
      return accept(
        { type: 'identity_provider.migrated.v1', data: { type: providerType } },
        ...change(state, { name, options, connection }, true),
      )
    }
    case 'change_display': {
      const { name, styling, autoRegister } = command
      const options = { ...state.options, isAutoCreation: autoRegister }
      return orUnchanged(change(state, { name, styling, options }, false))
    }
    case 'change_part': {
      const { withSecret, part } = command
      if (state.type !== part.protocol) return refuse('identity_provider.other_type')
      return orUnchanged(change(state, { connection: { ...state.connection, ...part } as Connection }, withSecret))
    }
    case 'replace_own_key': {
      const { connection } = state
      if (connection.protocol !== 'saml') return refuse('identity_provider.other_type')
      return accept(...change(state, { connection: { ...connection, own: command.own } }, true))
    }
    case 'deactivate':
      if (state.status === 'inactive') return refuse('identity_provider.inactive')
      return accept({ type: 'identity_provider.deactivated.v1', data: {} })
    case 'reactivate':
      if (state.status === 'active') return refuse('identity_provider.active')
      return accept({ type: 'identity_provider.reactivated.v1', data: {} })
    case 'remove':
      return accept({ type: 'identity_provider.removed.v1', data: {} })
  }
}

/** The commands that set all of a provider; the others change a part. */
const WHOLE: readonly IdentityProviderCommand['type'][] = ['add', 'change', 'migrate']

/** Whoever saves a provider decides from then on who can sign in with it, so it signs in nobody outside their reach. */
function withReach(
  { type, by }: IdentityProviderCommand,
  state: IdentityProvider,
  decision: ProviderDecision,
): ProviderDecision {
  if (decision.refusal !== undefined || type === 'remove') return decision
  const { events } = decision
  const before = isLiving(state) ? state.reach : undefined
  const isWhole = WHOLE.includes(type)
  const reach = reachAfter(before, by, { isChanged: events.length > 0, isWhole })
  return reach === undefined ? decision : accept(...events, { type: 'identity_provider.reach_set.v1', data: { reach } })
}

export const identityProvider: Decider<
  IdentityProviderCommand,
  IdentityProvider,
  IdentityProviderEvent,
  IdentityProviderRefusal
> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'identity_provider.added.v1') return withSearch({ status: 'active', ...event.data })
    if (!isLiving(state)) return state
    switch (event.type) {
      case 'identity_provider.changed.v1':
        return withSearch({ ...state, ...event.data })
      case 'identity_provider.migrated.v1':
        return { ...state, type: event.data.type }
      case 'identity_provider.secret_replaced.v1':
        return state
      case 'identity_provider.accounts_replaced.v1':
        return { ...state, accountsVersion: (state.accountsVersion ?? 0) + 1 }
      case 'identity_provider.reach_set.v1':
        return { ...state, reach: event.data.reach }
      case 'identity_provider.deactivated.v1':
        return withSearch({ ...state, status: 'inactive' })
      case 'identity_provider.reactivated.v1':
        return withSearch({ ...state, status: 'active' })
      case 'identity_provider.removed.v1':
        return { status: 'removed' }
    }
  },

  decide: (command, state) => withReach(command, state, decideProvider(command, state)),
}

export type ProviderSecret =
  | { readonly status: 'none' }
  | { readonly status: 'removed' }
  | { readonly status: 'set'; readonly secret: SealedSecret }

export type ProviderSecretCommand =
  | { readonly type: 'set'; readonly value: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly value: string }
  | { readonly type: 'remove' }

export const providerSecret: Decider<
  ProviderSecretCommand,
  ProviderSecret,
  ProviderSecretEvent,
  IdentityProviderRefusal
> = {
  initial: { status: 'none' },

  evolve: (_, event) =>
    event.type === 'identity_provider_secret.removed.v1'
      ? { status: 'removed' }
      : { status: 'set', secret: event.data.secret },

  decide(command, state) {
    if (state.status === 'removed') return refuse('identity_provider.not_found')
    switch (command.type) {
      case 'set':
        return accept({ type: 'identity_provider_secret.set.v1', data: { secret: { value: command.value } } })
      case 'reseal':
        if (state.status !== 'set' || state.secret.value !== command.before) return accept()
        return accept({ type: 'identity_provider_secret.resealed.v1', data: { secret: { value: command.value } } })
      case 'remove':
        return accept({ type: 'identity_provider_secret.removed.v1', data: {} })
    }
  },
}
