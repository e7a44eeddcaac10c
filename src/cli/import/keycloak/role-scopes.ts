/** Which roles of a user are not in the tokens of a client: those that nobody mapped to it, unless it has all. */
import type { Members } from '../json/members.ts'
import { keyOf, ownClientsOf, RealmRoles } from './roles.ts'

/** The client scopes of a client; realms add theirs to clients that name none. */
function scopesOf(client: Members, realm: Members): ReadonlySet<string> {
  const named = (own: string, usual: string) => (client.has(own) ? client.texts(own) : realm.texts(usual))
  return new Set([
    ...named('defaultClientScopes', 'defaultDefaultClientScopes'),
    ...named('optionalClientScopes', 'defaultOptionalClientScopes'),
  ])
}

const rolesOf = new WeakMap<Members, RealmRoles>()

function knownRoles(realm: Members): RealmRoles {
  const known = rolesOf.get(realm) ?? new RealmRoles(realm, ownClientsOf(realm))
  rolesOf.set(realm, known)
  return known
}

/** The keys of the roles that become roles of a project, and that Keycloak keeps out of the tokens of a client. */
export function rolesKeptFrom(client: Members, realm: Members): readonly string[] {
  if (client.flag('fullScopeAllowed', true) || client.flag('bearerOnly')) return []
  const [clientId, scopes] = [client.text('clientId'), scopesOf(client, realm)]
  const mapped = (mappings: readonly Members[]) =>
    mappings.flatMap((one) => {
      const roles = one.texts('roles')
      return one.maybeText('client') === clientId || scopes.has(one.maybeText('clientScope') ?? '') ? roles : []
    })
  const byClient = realm.inner('clientScopeMappings')
  const given = [
    ...mapped(realm.list('scopeMappings')).map((name) => ({ client: '', name })),
    ...byClient.names().flatMap((owner) => mapped(byClient.list(owner)).map((name) => ({ client: owner, name }))),
  ]
  const roles = knownRoles(realm)
  // A client always has its own roles.
  const allowed = new Set(roles.inside(given).map(keyOf))
  return roles
    .carried()
    .filter((role) => role.client !== clientId && !allowed.has(keyOf(role)))
    .map(keyOf)
}
