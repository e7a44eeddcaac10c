/**
 * The roles of a realm: which become roles of a project, and which users and groups have in the end: also those inside
 * composite roles.
 */
import type { Remark } from '../draft.ts'
import type { Members } from '../json/members.ts'

/** A role of the realm, or of one of its clients. */
export interface Role {
  /** Empty for a role of the realm. */
  readonly client: string
  readonly name: string
}

/** The clients that Keycloak has in every realm. */
const OWN_CLIENTS: ReadonlySet<string> = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
])
const OWN_ROLES: ReadonlySet<string> = new Set(['offline_access', 'uma_authorization'])

/** Where the rights to administer the realm are roles. */
export const ADMINISTRATION = 'realm-management'

/** The clients that are Keycloak's own: those that every realm has, and those that this one names. */
export function ownClientsOf(realm: Members): ReadonlySet<string> {
  const named = realm.raw('adminPermissionsClient')
  const permissions = typeof named === 'object' ? realm.inner('adminPermissionsClient').maybeText('clientId') : named
  const marked = realm
    .list('clients')
    .filter((client) => client.inner('attributes').raw('realm_client') === 'true')
    .map((client) => client.text('clientId'))
  const others = realm.flag('adminPermissionsEnabled') ? ['admin-permissions'] : []
  return new Set([...OWN_CLIENTS, ...marked, ...others, ...(typeof permissions === 'string' ? [permissions] : [])])
}

/** No name contains a line break. */
function idOf({ client, name }: Role): string {
  return `${client}\n${name}`
}

function roleOf(id: string): Role {
  const [client = '', name = ''] = id.split('\n')
  return { client, name }
}

interface Known extends Role {
  readonly description: string
  readonly inside: readonly string[]
}

/** The IDs of roles in the two members that users, groups and composites have. */
function idsIn(holder: Members, realm: string, client: string): readonly string[] {
  const ids = holder.texts(realm).map((name) => idOf({ client: '', name }))
  for (const [clientId, names] of holder.textsByName(client))
    for (const name of names) ids.push(idOf({ client: clientId, name }))
  return ids
}

export class RealmRoles {
  readonly #known = new Map<string, Known>()
  readonly #expanded = new Map<string, ReadonlySet<string>>()
  /** The composite that new users hold. */
  readonly #defaultId: string
  readonly #ownClients: ReadonlySet<string>
  readonly #remarks: Remark[] = []

  constructor(realm: Members, ownClients: ReadonlySet<string>) {
    this.#ownClients = ownClients
    const roles = realm.inner('roles')
    for (const role of roles.list('realm')) this.#add('', role)
    const clients = roles.inner('client')
    for (const client of clients.names()) for (const role of clients.list(client)) this.#add(client, role)
    const name = realm.inner('defaultRole').maybeText('name') ?? `default-roles-${realm.text('realm').toLowerCase()}`
    this.#defaultId = idOf({ client: '', name })
    this.#remarkDefaults()
  }

  get remarks(): readonly Remark[] {
    return this.#remarks
  }

  /** Those that become roles of a project: all but Keycloak's own. */
  carried(): readonly (Role & { readonly description: string })[] {
    return [...this.#known.values()].filter((role) => this.#isCarried(role))
  }

  /** All roles of users and groups, but for Keycloak's own; those of the administration are among them. */
  of(holders: readonly Members[]): readonly Role[] {
    const found = new Set<string>()
    for (const id of holders.flatMap((holder) => idsIn(holder, 'realmRoles', 'clientRoles')))
      for (const inner of this.#expand(id)) found.add(inner)
    return [...found]
      .map(roleOf)
      .filter((role) => role.client === ADMINISTRATION || (this.#known.has(idOf(role)) && this.#isCarried(role)))
  }

  /** Whether Keycloak gives offline tokens for somebody with these roles: realms without the role for it ask nobody for it. */
  allowOffline(holders: readonly Members[]): boolean {
    const needed = idOf({ client: '', name: 'offline_access' })
    if (!this.#known.has(needed)) return true
    const ids = holders.flatMap((holder) => idsIn(holder, 'realmRoles', 'clientRoles'))
    return ids.some((id) => this.#expand(id).has(needed))
  }

  /** These roles, and those inside them. */
  inside(roles: readonly Role[]): readonly Role[] {
    return [...new Set(roles.flatMap((role) => [...this.#expand(idOf(role))]))].map(roleOf)
  }

  #isCarried(role: Role): boolean {
    if (role.client !== '') return !this.#ownClients.has(role.client)
    return !OWN_ROLES.has(role.name) && idOf(role) !== this.#defaultId
  }

  #add(client: string, role: Members): void {
    const name = role.text('name')
    const inside = idsIn(role.inner('composites'), 'realm', 'client')
    const known: Known = { client, name, description: role.maybeText('description') ?? '', inside }
    this.#known.set(idOf(known), known)
    const attributes = role.inner('attributes').names()
    if (attributes.length > 0)
      this.#remark('role', name, `The attributes ${attributes.join(', ')} stay behind: roles have none here.`)
  }

  #remarkDefaults(): void {
    const inside = [...this.#expand(this.#defaultId)].map(roleOf).filter((role) => this.#isCarried(role))
    if (inside.length > 0) {
      const names = inside.map((role) => keyOf(role)).join(', ')
      this.#remark('role', roleOf(this.#defaultId).name, `New users do not get the default roles here (${names}).`)
    }
  }

  #remark(kind: string, id: string, reason: string): void {
    this.#remarks.push({ kind, id, reason })
  }

  /** A role and everything inside it, however deep. Roles may contain each other. */
  #expand(id: string): ReadonlySet<string> {
    const before = this.#expanded.get(id)
    if (before !== undefined) return before
    const found = new Set([id])
    for (const next of found) for (const inner of this.#known.get(next)?.inside ?? []) found.add(inner)
    this.#expanded.set(id, found)
    return found
  }
}

/** The key of a role here: that of a client has the client before it. */
export function keyOf({ client, name }: Role): string {
  return client === '' ? name : `${client}:${name}`
}
