/** Describes organizations and projects, with everything in them but users. */
import {
  applicationKeys,
  applicationSecrets,
  applications,
  registeredClients,
} from '../../features/applications/index.ts'
import { organizationMetadata, userMetadata } from '../../features/metadata/index.ts'
import { organizations, primaryDomain } from '../../features/organizations/index.ts'
import { resources } from '../../features/resources/index.ts'
import { settings } from '../../features/settings/index.ts'
import type { ApplicationDraft, MetadataDraft, OrganizationDraft } from '../import/draft.ts'
import type { ApplicationKeyDraft, RegisteredClientDraft, ResourcesDraft } from '../import/own-drafts.ts'
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

export async function* describeApplications(reading: Reading): AsyncGenerator<ApplicationDraft> {
  const secrets = reading.beside(applicationSecrets)
  for await (const row of reading.rows(applications)) {
    const { id, state } = row
    if (state.status !== 'active' && state.status !== 'inactive') continue
    const { projectId, name, clientId, config, api, agent } = state
    const secret = await secrets.at(id)
    yield {
      kind: 'application',
      id,
      organizationId: row.owner,
      ...datesOf(row),
      projectId,
      name,
      isActive: state.status === 'active',
      clientId,
      keys: [],
      config,
      ...(api && { apiAccess: api }),
      ...(agent && { agent }),
      ...(secret?.state.status === 'set' && { secret: secret.state.secret, secretDates: datesOf(secret) }),
    }
  }
}

export async function* describeApplicationKeys(reading: Reading): AsyncGenerator<ApplicationKeyDraft> {
  for await (const row of reading.rows(applicationKeys)) {
    const { id, state } = row
    if (state.status !== 'active') continue
    const { applicationId, publicKey, expiresAt } = state
    const about = { kind: 'application-key', id, organizationId: row.owner, ...datesOf(row) } as const
    yield { ...about, applicationId, publicKey, expiresAt }
  }
}

export async function* describeRegisteredClients(reading: Reading): AsyncGenerator<RegisteredClientDraft> {
  for await (const row of reading.rows(registeredClients)) {
    const { id, state } = row
    if (state.status !== 'registered') continue
    const { metadata, projectId, secret, registeredAt, endsAt } = state
    const project = projectId === undefined ? {} : { projectId }
    const about = { kind: 'registered-client', id, organizationId: '', ...datesOf(row) } as const
    yield { ...about, metadata, ...project, hash: secret.hash, registeredAt, endsAt }
  }
}

export async function* describeResources(reading: Reading): AsyncGenerator<ResourcesDraft> {
  for await (const row of reading.rows(resources)) {
    const { id, owner: organizationId, state } = row
    if (state.status === 'kept')
      yield { kind: 'resources', id, organizationId, ...datesOf(row), resources: state.resources }
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
