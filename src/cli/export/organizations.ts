/** Describes organizations and projects, with everything in them but users. */
import { organizationMetadata, userMetadata } from '../../features/metadata/index.ts'
import { organizations, primaryDomain } from '../../features/organizations/index.ts'
import { settings } from '../../features/settings/index.ts'
import type { MetadataDraft, OrganizationDraft } from '../import/draft.ts'
import { datesOf, type Reading, type Row, type StateOf } from './reading.ts'

type SettingsRow = Row<StateOf<typeof settings>>

function nameScopeOf(row: SettingsRow | undefined): Pick<OrganizationDraft, 'hasScopedUserNames' | 'nameScope'> {
  const set = row?.state.organization
  if (row === undefined || set === undefined) return { hasScopedUserNames: false }
  const isScoped = set.userNameScope === 'organization'
  const { createdAt, changedAt } = set
  return { hasScopedUserNames: isScoped, nameScope: { isScoped, createdAt, changedAt, settingsDates: datesOf(row) } }
}

export async function* describeOrganizations(
  reading: Reading,
  defaultOrganizationId: string,
): AsyncGenerator<OrganizationDraft> {
  const scopes = reading.beside(settings)
  for await (const row of reading.rows(organizations)) {
    const { id, state } = row
    if (state.status !== 'active' && state.status !== 'inactive') continue
    const primary = primaryDomain(state)
    yield {
      kind: 'organization',
      id,
      organizationId: id,
      ...datesOf(row),
      name: state.name,
      isActive: state.status === 'active',
      isDefault: id === defaultOrganizationId,
      domains: state.domains.map(({ domain: name, isVerified }) => ({ name, isVerified, isPrimary: name === primary })),
      ...nameScopeOf(await scopes.at(id)),
    }
  }
}

export async function* describeMetadata(reading: Reading): AsyncGenerator<MetadataDraft> {
  const about = (row: Row<unknown>) =>
    ({ kind: 'metadata', id: row.id, organizationId: row.owner, ...datesOf(row) }) as const
  for await (const row of reading.rows(organizationMetadata)) {
    if (row.state.status !== 'set') continue
    const { organizationId: objectId, key, value } = row.state
    yield { ...about(row), of: 'organization', objectId, key, value }
  }
  for await (const row of reading.rows(userMetadata)) {
    if (row.state.status !== 'set') continue
    const { userId: objectId, key, value } = row.state
    yield { ...about(row), of: 'user', objectId, key, value }
  }
}
