/** The organization that a realm becomes, and the organizations inside a realm. */
import type { OrganizationDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
import type { RealmPlace } from './place.ts'

/** A name that no other organization of the import has. */
function nameOf(wished: string, other: string, taken: Set<string>): string {
  const name = taken.has(wished.toLowerCase()) ? `${wished} (${other})` : wished
  taken.add(name.toLowerCase())
  return name
}

/** The organization of the realm, and those that Keycloak keeps in it. */
export function* organizationsOf(realm: Members, place: RealmPlace): Generator<Read> {
  const taken = new Set<string>()
  const name = nameOf(realm.maybeText('displayName') || realm.text('realm'), realm.text('realm'), taken)
  const own: OrganizationDraft = {
    kind: 'organization',
    id: place.realmId,
    organizationId: place.realmId,
    ...undated(place),
    name,
    isActive: realm.flag('enabled', true),
    isDefault: place.target === 'instance',
    domains: [],
    hasScopedUserNames: false,
  }
  yield own
  for (const organization of realm.list('organizations')) {
    const id = organization.text('id')
    const alias = organization.maybeText('alias') || organization.text('name')
    const isActive = organization.flag('enabled', true)
    yield {
      kind: 'organization',
      id,
      organizationId: id,
      ...undated(place),
      name: nameOf(organization.text('name'), alias, taken),
      isActive,
      isDefault: false,
      domains: organization.list('domains').map((domain, index) => ({
        name: domain.text('name'),
        isVerified: domain.flag('verified'),
        isPrimary: index === 0,
      })),
      hasScopedUserNames: false,
    }
    yield* remarksOf(organization, alias, name)
  }
}

function* remarksOf(organization: Members, alias: string, realmName: string): Generator<Read> {
  const members = organization.list('members').length
  if (members > 0)
    yield remark(
      'organization',
      alias,
      `A user belongs to one organization: its ${members} members stay in “${realmName}” and keep its alias in the metadata “keycloak.organizations”.`,
    )
  const providers = organization.list('identityProviders').map((provider) => provider.text('alias'))
  if (providers.length > 0)
    yield remark('organization', alias, `The identity providers ${providers.join(', ')} are those of “${realmName}”.`)
  yield remark(
    'organization',
    alias,
    'Nobody can register in it or sign in with a provider: in Keycloak that makes users of the realm. Its sign-in settings can allow it.',
  )
  for (const name of ['description', 'redirectUrl'])
    if (organization.maybeText(name)) yield remark('organization', alias, `It has no ${name} here.`)
}

/** The aliases of the organizations that users belong to, by username. */
export function membershipsOf(realm: Members): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, string[]>()
  for (const organization of realm.list('organizations')) {
    const alias = organization.maybeText('alias') || organization.text('name')
    for (const member of organization.list('members')) {
      const userName = member.text('username')
      aliases.set(userName, [...(aliases.get(userName) ?? []), alias])
    }
  }
  return aliases
}

/** The users who are managed by an organization that is disabled: Keycloak lets none of them in. */
export function closedMembersOf(realm: Members): ReadonlySet<string> {
  const isOn = realm.flag('organizationsEnabled', true)
  const closed = realm.list('organizations').flatMap((organization) => {
    const managed = organization.list('members').filter((one) => one.maybeText('membershipType') === 'MANAGED')
    return isOn && organization.flag('enabled', true) ? [] : managed
  })
  return new Set(closed.map((member) => member.text('username')))
}

/** The attributes of organizations. */
export function* organizationMetadataOf(realm: Members, place: RealmPlace): Generator<Read> {
  for (const organization of realm.list('organizations')) {
    const objectId = organization.text('id')
    for (const [key, values] of organization.textsByName('attributes')) {
      const text = values.length === 1 ? (values[0] ?? '') : JSON.stringify(values)
      if (text === '') continue
      const value = Buffer.from(text).toString('base64')
      const id = `${objectId} ${key}`
      yield {
        kind: 'metadata',
        id,
        organizationId: objectId,
        ...undated(place),
        of: 'organization',
        objectId,
        key,
        value,
      }
    }
  }
}
