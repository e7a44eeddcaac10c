/**
 * The roles of a realm: which become roles of a project, and which a user has in the end: their own, those of their
 * groups and of the groups above, and those inside composite roles.
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

export function isOwnClient(clientId: string): boolean {
  return OWN_CLIENTS.has(clientId)
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
  readonly #groups = new Map<string, readonly string[]>()
  readonly #expanded = new Map<string, ReadonlySet<string>>()
  /** The composite that new users hold. */
  readonly #defaultId: string
  readonly #remarks: Remark[] = []

  constructor(realm: Members) {
    const roles = realm.inner('roles')
    for (const role of roles.list('realm')) this.#add('', role)
    const clients = roles.inner('client')
    for (const client of clients.names()) for (const role of clients.list(client)) this.#add(client, role)
    const name = realm.inner('defaultRole').maybeText('name') ?? `default-roles-${realm.text('realm').toLowerCase()}`
    this.#defaultId = idOf({ client: '', name })
    this.#remarkDefaults(realm)
    for (const group of realm.list('groups')) this.#addGroup(group, '', [])
  }

  get remarks(): readonly Remark[] {
    return this.#remarks
  }

  /** Those that become roles of a project: all but Keycloak's own. */
  carried(): readonly (Role & { readonly description: string })[] {
    return [...this.#known.values()].filter((role) => this.#isCarried(role))
  }

  /** All roles of a user, but for Keycloak's own; those of the administration are among them. */
  of(user: Members): readonly Role[] {
    const found = new Set<string>()
    const add = (ids: Iterable<string>) => {
      for (const id of ids) for (const inner of this.#expand(id)) found.add(inner)
    }
    add(idsIn(user, 'realmRoles', 'clientRoles'))
    for (const path of user.texts('groups')) {
      const ids = this.#groups.get(path)
      if (ids === undefined) throw user.wrong('groups', `a list of groups of the realm, and ${path} is none`)
      add(ids)
    }
    return [...found]
      .map(roleOf)
      .filter((role) => role.client === ADMINISTRATION || (this.#known.has(idOf(role)) && this.#isCarried(role)))
  }

  #isCarried(role: Role): boolean {
    if (role.client !== '') return !isOwnClient(role.client)
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

  #addGroup(group: Members, above: string, inherited: readonly string[]): void {
    const path = group.maybeText('path') ?? `${above}/${group.text('name')}`
    const ids = [...inherited, ...idsIn(group, 'realmRoles', 'clientRoles')]
    this.#groups.set(path, ids)
    const attributes = group.inner('attributes').names()
    this.#remark(
      'group',
      path,
      `There are no groups here: members get its roles and those of the groups above${attributes.length > 0 ? `; its attributes ${attributes.join(', ')} stay behind` : ''}.`,
    )
    for (const inner of group.list('subGroups')) this.#addGroup(inner, path, ids)
  }

  #remarkDefaults(realm: Members): void {
    const inside = [...this.#expand(this.#defaultId)].map(roleOf).filter((role) => this.#isCarried(role))
    if (inside.length > 0) {
      const names = inside.map((role) => keyOf(role)).join(', ')
      this.#remark('role', roleOf(this.#defaultId).name, `New users do not get the default roles here (${names}).`)
    }
    const groups = realm.texts('defaultGroups')
    if (groups.length > 0)
      this.#remark('group', groups.join(', '), 'New users do not join default groups: there are no groups here.')
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
