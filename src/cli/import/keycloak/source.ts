/**
 * A realm of Keycloak as a source of drafts. Its users are read once for each kind of draft that comes from them, so that
 * a realm of any size needs little memory.
 */

import { countDrafts } from '../checked-source.ts'
import { derivedId } from '../derived-id.ts'
import type { Source } from '../draft.ts'
import { CannotImport } from '../import.ts'
import type { Asked, Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
import { administratorOf } from './administrators.ts'
import { applicationsOf, credentialsOf, isApplication, isMachine, machineClosedBy } from './clients.ts'
import { openExport, type RealmExport } from './files.ts'
import { RealmGroups } from './groups.ts'
import { closedMembersOf, membershipsOf, organizationMetadataOf, organizationsOf } from './organizations.ts'
import type { RealmPlace, RealmTarget } from './place.ts'
import { RealmProjects } from './projects.ts'
import { providersByAlias, providersOf, readProviders } from './providers.ts'
import { leftByTables } from './realm-left.ts'
import { ADMINISTRATION, ownClientsOf, RealmRoles, type Role } from './roles.ts'
import { settingsOf } from './settings.ts'
import {
  createdAtOf,
  humanOf,
  isServiceAccount,
  machineOf,
  metadataOf,
  metadataValue,
  type UserContext,
} from './users.ts'
import { webKeysOf } from './web-keys.ts'

export interface KeycloakOptions {
  /** A folder, or the file of a realm. */
  readonly path: string
  readonly target: RealmTarget
  /** The realm, where a folder contains several. */
  readonly realm?: string
  /** The address of the server, such as `https://sso.example.com`: the issuer of old tokens, and the host of passkeys. */
  readonly oldUrl?: string
  /** Whether the keys of the realm are published until tokens from before the move have ended. */
  readonly oldKeys?: boolean
  /** Is told what is read of the realm. */
  readonly asked?: Asked
}

/** A realm, opened. */
class Realm {
  readonly #export: RealmExport
  readonly #place: RealmPlace
  readonly #publishesKeys: boolean
  /** Keycloak's own, which are nothing here. */
  readonly #ownClients: ReadonlySet<string>
  readonly #roles: RealmRoles
  readonly #groups: RealmGroups
  readonly #projects: RealmProjects
  readonly #clients: ReadonlyMap<string, Members>
  readonly #providers: ReturnType<typeof readProviders>
  readonly #users: UserContext

  constructor(opened: RealmExport, place: RealmPlace, publishesKeys: boolean) {
    const { realm } = opened
    this.#export = opened
    this.#publishesKeys = publishesKeys
    this.#place = place
    this.#ownClients = ownClientsOf(realm)
    this.#roles = new RealmRoles(realm, this.#ownClients)
    this.#groups = new RealmGroups(realm, place)
    const clients = realm.list('clients').filter((client) => !this.#ownClients.has(client.text('clientId')))
    this.#clients = new Map(clients.map((client) => [client.text('clientId'), client]))
    const applications = clients.filter(isApplication).map((client) => client.text('clientId'))
    const name = realm.maybeText('displayName') || realm.text('realm')
    this.#projects = new RealmProjects(place.realmId, name, this.#roles.carried(), applications)
    this.#providers = readProviders(realm, place)
    const parties = {
      passkeys: realm.maybeText('webAuthnPolicyPasswordlessRpId') || place.host,
      securityKeys: realm.maybeText('webAuthnPolicyRpId') || place.host,
    }
    const providers = providersByAlias(this.#providers)
    this.#users = {
      place,
      parties,
      providers,
      verifiesEmail: realm.flag('verifyEmail'),
      closed: closedMembersOf(realm),
    }
  }

  /** Goes through everything once, so that a broken file is refused before the first object is written. */
  async *read(): AsyncGenerator<Read> {
    const { realm } = this.#export
    const place = this.#place
    yield* webKeysOf(realm, place, this.#publishesKeys)
    yield* organizationsOf(realm, place)
    yield* settingsOf(realm, place)
    yield* providersOf(realm, this.#providers)
    yield* this.#projectDrafts()
    const accounts = yield* this.#humans()
    yield* this.#machines(accounts)
    yield* this.#groupDrafts()
    const projectOf = (clientId: string) => this.#projects.projectOf(clientId)
    yield* applicationsOf(this.#clients.values(), { realm, place, projectOf })
    yield* organizationMetadataOf(realm, place)
    yield* this.#metadata()
    yield* this.#administrators()
    yield* this.#authorizations()
    yield* leftOf(realm)
    yield* leftByTables(realm)
  }

  *#projectDrafts(): Generator<Read> {
    const place = this.#place
    for (const { id, name, roles } of this.#projects.list())
      yield {
        kind: 'project',
        id,
        organizationId: place.realmId,
        ...undated(place),
        name,
        isActive: true,
        checksRoles: false,
        checksGrants: false,
        assertsRoles: true,
        privateLabeling: 'unspecified',
        roles,
      }
    for (const one of [...this.#roles.remarks, ...this.#groups.remarks, ...this.#projects.remarks])
      yield { remark: one }
  }

  /** Yields humans, and returns the service accounts by client. */
  async *#humans(): AsyncGenerator<Read, ReadonlyMap<string, Members>> {
    const accounts = new Map<string, Members>()
    let count = 0
    for await (const user of this.#export.users()) {
      count++
      if (isServiceAccount(user)) accounts.set(user.text('serviceAccountClientId'), user)
      else yield* humanOf(user, this.#users)
    }
    if (count === 0)
      yield remark('user', '', 'The export has no users. Use kc.sh export: the console of Keycloak leaves them out.')
    return accounts
  }

  *#machines(accounts: ReadonlyMap<string, Members>): Generator<Read> {
    const place = this.#place
    for (const [clientId, client] of this.#clients) {
      if (!isMachine(client)) continue
      const user = accounts.get(clientId)
      const found = {
        id: user?.text('id') ?? derivedId('keycloak service account', place.realmId, clientId),
        isActive: user?.flag('enabled', true) ?? true,
        createdAt: user === undefined ? place.exportedAt : createdAtOf(user, place),
      }
      const closed = machineClosedBy(client, this.#export.realm)
      yield* machineOf(client, found, { credentials: credentialsOf(client, this.#export.realm, place), closed }, place)
      if (user === undefined)
        yield remark(
          'machine',
          clientId,
          'The export has no service account for it: its ID is new, and it has no roles.',
        )
    }
    for (const clientId of accounts.keys())
      if (!this.#ownClients.has(clientId) && !this.#isMachine(clientId))
        yield remark('machine', clientId, 'Its client has no service account any more, so it stays behind.')
  }

  /** Groups, then who is in them, then their metadata. */
  async *#groupDrafts(): AsyncGenerator<Read> {
    const place = this.#place
    const owned = { organizationId: place.realmId, ...undated(place) }
    for (const { id, path, name, description, holders } of this.#groups.list()) {
      yield { kind: 'group', id, ...owned, name, description }
      if (this.#roles.of(holders).some(({ client }) => client === ADMINISTRATION))
        yield remark('group', path, 'A group administers nothing here: its members become administrators themselves.')
    }
    for await (const user of this.#export.users()) {
      if (!this.#isUser(user)) continue
      const userId = user.text('id')
      for (const { id: groupId } of this.#groups.of(user)) {
        const id = `${groupId} ${userId}`
        yield { kind: 'group-member', id, ...owned, groupId, userId, addedAt: place.exportedAt }
      }
    }
    for (const { id: groupId, attributes } of this.#groups.list()) {
      for (const [key, values] of attributes) {
        const value = metadataValue(values)
        if (value !== undefined)
          yield { kind: 'group-metadata', id: `${groupId} ${key}`, ...owned, groupId, key, value }
      }
    }
  }

  async *#metadata(): AsyncGenerator<Read> {
    const place = this.#place
    const memberships = membershipsOf(this.#export.realm)
    for await (const user of this.#export.users()) {
      if (!this.#isUser(user)) continue
      yield* metadataOf(user, place)
      const aliases = memberships.get(user.text('username'))
      if (aliases === undefined) continue
      const [objectId, key] = [user.text('id'), 'keycloak.organizations']
      const value = Buffer.from(JSON.stringify(aliases)).toString('base64')
      const [id, organizationId] = [`${objectId} ${key}`, place.realmId]
      yield { kind: 'metadata', id, organizationId, ...undated(place), of: 'user', objectId, key, value }
    }
  }

  async *#administrators(): AsyncGenerator<Read> {
    for await (const user of this.#export.users()) {
      if (!this.#isUser(user)) continue
      const named = { id: user.text('id'), userName: user.text('username') }
      const holders = [user, ...this.#groups.of(user).flatMap((group) => group.holders)]
      yield* administratorOf(named, this.#roles.of(holders), this.#place)
      if (!isServiceAccount(user) && !this.#roles.allowOffline(holders))
        yield remark('user', named.userName, NOT_OFFLINE)
    }
  }

  async *#authorizations(): AsyncGenerator<Read> {
    for (const { id: groupId, holders } of this.#groups.list()) {
      yield* this.#authorizationsOf(groupId, { userId: '', groupId }, this.#roles.of(holders))
    }
    for await (const user of this.#export.users()) {
      if (!this.#isUser(user)) continue
      const userId = user.text('id')
      yield* this.#authorizationsOf(userId, { userId }, this.#roles.of([user]))
    }
  }

  /** One for each project in which a user or a group has roles. */
  *#authorizationsOf(
    id: string,
    holder: { readonly userId: string; readonly groupId?: string },
    roles: readonly Role[],
  ): Generator<Read> {
    for (const [projectId, roleKeys] of this.#projects.keysOf(roles))
      yield {
        kind: 'authorization',
        id: derivedId('keycloak authorization', projectId, id),
        organizationId: this.#place.realmId,
        ...undated(this.#place),
        ...holder,
        projectId,
        roleKeys,
        isActive: true,
      }
  }

  /** A human, or a service account that became a machine. */
  #isUser(user: Members): boolean {
    if (!isServiceAccount(user)) return true
    return this.#isMachine(user.text('serviceAccountClientId'))
  }

  #isMachine(clientId: string): boolean {
    const client = this.#clients.get(clientId)
    return client !== undefined && isMachine(client)
  }
}

const NOT_OFFLINE =
  'Keycloak gives this user no offline tokens (the role offline_access is missing); here applications get refresh tokens for them, too.'

/** Parts of a realm that have no equivalent at all. */
function* leftOf(realm: Members): Generator<Read> {
  for (const scope of realm.list('clientScopes'))
    if (!OWN_SCOPES.has(scope.text('name')))
      yield remark(
        'client-scope',
        scope.text('name'),
        'Client scopes have no equivalent: roles and metadata say what a user may do.',
      )
  for (const component of realm.inner('components').list('org.keycloak.storage.UserStorageProvider'))
    yield remark(
      'user-federation',
      component.maybeText('name') ?? '',
      'Directories are not asked here: their users are carried as far as they are in the export, without passwords. Users who are disabled in the directory only are active here.',
    )
  if (realm.list('federatedUsers').length > 0)
    yield remark('user-federation', '', 'What Keycloak kept about users of other directories stays behind.')
}

const OWN_SCOPES = new Set([
  'acr',
  'address',
  'basic',
  'email',
  'microprofile-jwt',
  'offline_access',
  'organization',
  'phone',
  'profile',
  'role_list',
  'roles',
  'saml_organization',
  'service_account',
  'web-origins',
])

function readUrl(oldUrl: string | undefined): URL | undefined {
  if (oldUrl === undefined) return undefined
  const url = URL.parse(oldUrl)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new CannotImport('--old-url must be an http or https URL.')
  return url
}

/** Opens the export of a realm, and reads all of it once: nothing is written if a part of it cannot be read. */
export async function openKeycloak({
  path,
  target,
  realm,
  oldUrl,
  oldKeys = false,
  asked,
}: KeycloakOptions): Promise<Source> {
  const url = readUrl(oldUrl)
  const opened = await openExport(path, realm, asked)
  const realmId = opened.realm.maybeText('id') || opened.realm.text('realm')
  const place = { realmId, host: url?.hostname, target, exportedAt: opened.exportedAt }
  const read = new Realm(opened, place, oldKeys)
  const drafts = await countDrafts(read.read())
  const base = url?.href.replace(/\/(realms\/[^/]+\/?)?$/, '')
  return {
    name: 'keycloak',
    ...(base !== undefined && { issuer: `${base}/realms/${encodeURIComponent(opened.realm.text('realm'))}` }),
    count: () => Promise.resolve(drafts),
    read: () => read.read(),
  }
}
