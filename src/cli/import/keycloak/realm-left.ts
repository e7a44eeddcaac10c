/** What the tables say of a realm and of the small objects in it. Users, clients, providers and keys are decided where they are read. */
import type { Members } from '../json/members.ts'
import { findingsOf, type Table } from '../members/table.ts'
import { type Read, remark } from '../read.ts'
import { CLIENT_SCOPE } from './client-members.ts'
import { DIRECTORY, PROFILE } from './component-members.ts'
import { FLOW } from './flow-members.ts'
import { GROUP, ORGANIZATION, POLICY, PROVIDER_MAPPER, REALM, REQUIRED_ACTION, ROLE } from './realm-members.ts'

interface Small {
  readonly kind: string
  readonly table: Table
  readonly objects: readonly Members[]
  /** The member that has the name. */
  readonly named: string
}

function* smallOf(realm: Members): Generator<Small> {
  const [roles, components] = [realm.inner('roles'), realm.inner('components')]
  const clients = roles.inner('client')
  const all = [...roles.list('realm'), ...clients.names().flatMap((client) => clients.list(client))]
  yield { kind: 'role', table: ROLE, objects: all, named: 'name' }
  yield { kind: 'group', table: GROUP, objects: realm.list('groups'), named: 'name' }
  yield { kind: 'organization', table: ORGANIZATION, objects: realm.list('organizations'), named: 'name' }
  yield { kind: 'client-scope', table: CLIENT_SCOPE, objects: realm.list('clientScopes'), named: 'name' }
  yield { kind: 'flow', table: FLOW, objects: realm.list('authenticationFlows'), named: 'alias' }
  yield { kind: 'settings', table: REQUIRED_ACTION, objects: realm.list('requiredActions'), named: 'alias' }
  const [mappers, policies] = [realm.list('identityProviderMappers'), realm.inner('clientPolicies').list('policies')]
  yield { kind: 'identity-provider-mapper', table: PROVIDER_MAPPER, objects: mappers, named: 'name' }
  yield { kind: 'client-policy', table: POLICY, objects: policies, named: 'name' }
  const directories = components.list('org.keycloak.storage.UserStorageProvider')
  yield { kind: 'user-federation', table: DIRECTORY, objects: directories, named: 'name' }
  const profiles = components.list('org.keycloak.userprofile.UserProfileProvider')
  yield { kind: 'user-profile', table: PROFILE, objects: profiles, named: 'providerId' }
}

const PERSONAL = new Set(['username', 'email', 'firstName', 'lastName'])

/** Names and addresses that only administrators change in Keycloak. */
function* profileOf(realm: Members): Generator<Read> {
  for (const component of realm.inner('components').list('org.keycloak.userprofile.UserProfileProvider')) {
    const config = component.inner('config')
    if (config.texts('kc.user.profile.config').length === 0) continue
    const attributes = config.parsed('kc.user.profile.config').list('attributes')
    const closed = attributes
      .filter(
        (attribute) => attribute.has('permissions') && !attribute.inner('permissions').texts('edit').includes('user'),
      )
      .map((attribute) => attribute.text('name'))
      .filter((name) => PERSONAL.has(name) && name !== 'username')
    if (closed.length > 0)
      yield remark(
        'user-profile',
        closed.join(', '),
        'Only administrators change this in Keycloak; here users change their names and their email address on the account page.',
      )
  }
}

export function* leftByTables(realm: Members): Generator<Read> {
  for (const { member, sentence } of findingsOf(realm, REALM)) yield remark('settings', member, sentence)
  for (const { kind, table, objects, named } of smallOf(realm))
    for (const object of objects)
      for (const { sentence } of findingsOf(object, table)) yield remark(kind, object.maybeText(named) ?? '', sentence)
  yield* profileOf(realm)
}
