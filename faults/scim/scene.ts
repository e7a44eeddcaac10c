/** A server with any number of users in one organization, and the token of a directory. On PostgreSQL it has two nodes. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post, type Signet, startSignet, UNLIMITED } from '../../bench/signet.ts'
import { databaseFile } from '../../src/config/index.ts'
import { kinds } from '../../src/modules.ts'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { fillOrganization } from './fill.ts'
import type { Send } from './walk.ts'

export type EngineName = 'SQLite' | 'PostgreSQL'

export interface ScimScene {
  readonly nodes: readonly [Send, ...Send[]]
  readonly servers: readonly [Signet, ...Signet[]]
  readonly organizationId: string
  /** The token of the directory. */
  readonly token: string
  /** The users, in the order of their creation. */
  readonly ids: readonly string[]
}

interface Directory {
  readonly organizationId: string
  readonly userId: string
  readonly token: string
}

async function addDirectory(server: Signet): Promise<Directory> {
  const machine = { userName: 'directory', name: 'Directory' }
  const { userId, details } = await post<{ userId: string; details: { resourceOwner: string } }>(
    server,
    '/management/v1/users/machine',
    machine,
  )
  await post(server, '/management/v1/orgs/me/members', { userId, roles: ['ORG_DIRECTORY_SYNC'] })
  const { token } = await post<{ token: string }>(server, `/management/v1/users/${userId}/pats`, {})
  return { organizationId: details.resourceOwner, userId, token }
}

function sender({ port }: Signet, { token, organizationId }: Directory): Send {
  return async (method, path, { body } = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/scim/v2/${organizationId}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** Opens it; everything ends with the stack. */
export async function openScimScene(
  engine: EngineName,
  count: number,
  cleanUp: AsyncDisposableStack,
  preload: readonly URL[] = [],
): Promise<ScimScene> {
  const database = engine === 'PostgreSQL' ? await freshDatabase() : undefined
  if (database !== undefined) cleanUp.defer(() => database.drop())
  const dataFolder = await mkdtemp(join(tmpdir(), 'signet-scim-'))
  cleanUp.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const environment = { ...UNLIMITED, ...(database && { SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }) }
  const first = await startSignet(database?.url, { dataFolder, environment })
  const directory = await addDirectory(first)
  await first.stop()
  const opened = database
    ? await openPostgres({ url: database.url })
    : await openSqlite({ file: databaseFile(dataFolder) })
  const store = await openStore(opened, kinds)
  const { ids } = await fillOrganization(store, count, directory)
  await store.close()
  const start = async (): Promise<Signet> => {
    const server = await startSignet(database?.url, { dataFolder, environment, token: first.token, preload })
    cleanUp.defer(() => server.stop())
    return server
  }
  const one = await start()
  const servers: readonly [Signet, ...Signet[]] = database === undefined ? [one] : [one, await start()]
  const [here, ...there] = servers
  return {
    nodes: [sender(here, directory), ...there.map((server) => sender(server, directory))],
    servers,
    organizationId: directory.organizationId,
    token: directory.token,
    ids,
  }
}
