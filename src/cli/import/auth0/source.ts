/** A tenant of Auth0 as a source of drafts: a file of users, and those that the Management API and the support give. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { instant } from '../../../kernel/instant.ts'
import { meaningOf } from '../../setting-refused.ts'
import { countDrafts } from '../checked-source.ts'
import { derivedId } from '../derived-id.ts'
import type { Source } from '../draft.ts'
import { CannotImport } from '../import.ts'
import { Members } from '../json/members.ts'
import { readJson, readObjects } from '../json/read-json.ts'
import { type Read, undated } from '../read.ts'
import { applicationsOf, interactive, machinesOf } from './clients.ts'
import { knownConnections, providersOf } from './connections.ts'
import { databaseSettingsOf } from './password-rules.ts'
import type { TenantPlace } from './place.ts'
import { humanOf, type JoinedFiles, metadataOf, userIdOf } from './users.ts'

export interface Auth0Options {
  /** NDJSON, or a list; `.gz` too. */
  readonly users: string
  readonly clients?: string
  readonly connections?: string
  /** The file of hashes that the support of Auth0 gives. */
  readonly hashes?: string
  /** Secrets of authenticator apps. */
  readonly factors?: string
  /** The name of the new organization. */
  readonly name: string
}

/** The objects of a file of the Management API: a list, or an object with the list and its length. */
async function listOf(file: string | undefined, member: string): Promise<readonly Members[]> {
  const found: Members[] = []
  if (file === undefined) return found
  for await (const { index, member: name, value } of readJson(file, (one) => one === member))
    if (index !== undefined) found.push(new Members(basename(file), `${name}[${index}]`, value))
  return found
}

/** What a file has for each user. */
async function byUser(file: string | undefined, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  if (file === undefined) return found
  for await (const record of readObjects(file)) {
    const id = userIdOf(record)
    if (id === undefined) throw record.wrong('_id', 'there')
    const name = names.find((one) => record.has(one))
    if (name !== undefined) found.set(id, record.text(name))
  }
  return found
}

async function exportedAt(file: string) {
  try {
    return instant(Math.floor((await stat(file)).mtimeMs))
  } catch (error) {
    throw new CannotImport(`${file} ${meaningOf(error)}.`)
  }
}

/** Opens the files of a tenant, and reads all of them once: nothing is written if a part cannot be read. */
export async function openAuth0(options: Auth0Options): Promise<Source> {
  const { users, name } = options
  const organizationId = derivedId('auth0 organization', name)
  const projectId = derivedId('auth0 project', name)
  const place: TenantPlace = { organizationId, projectId, exportedAt: await exportedAt(users) }
  const clients = await listOf(options.clients, 'clients')
  const connections = await listOf(options.connections, 'connections')
  const joined: JoinedFiles = {
    hashes: await byUser(options.hashes, ['passwordHash', 'password_hash']),
    totpSecrets: await byUser(options.factors, ['otp_secret', 'totp_secret']),
    connections: knownConnections(connections),
  }

  async function* read(): AsyncGenerator<Read> {
    const own = { organizationId, ...undated(place) }
    const organization = { name, isActive: true, isDefault: false, domains: [], hasScopedUserNames: false }
    yield { kind: 'organization', id: organizationId, ...own, ...organization }
    yield* databaseSettingsOf(connections, place)
    const applications = interactive(clients).map((client) => client.text('client_id'))
    yield* providersOf(connections, applications, place)
    const checks = {
      checksRoles: false,
      checksGrants: false,
      assertsRoles: true,
      privateLabeling: 'unspecified',
    } as const
    yield { kind: 'project', id: projectId, ...own, name, isActive: true, ...checks, roles: [] }
    for await (const user of readObjects(users)) yield* humanOf(user, place, joined)
    yield* machinesOf(clients, place)
    yield* applicationsOf(clients, joined.connections, place)
    for await (const user of readObjects(users)) yield* metadataOf(user, place)
  }

  const drafts = await countDrafts(read())
  return { name: 'auth0', count: () => Promise.resolve(drafts), read }
}
