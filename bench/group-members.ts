/**
 * How long others wait while a group of 100,000 users is filled, emptied and deleted: by the API, 1,000 users in a request, and
 * by SCIM as Microsoft Entra ID does it, 100 users in a PATCH.
 */
import { type EngineName, openScimScene, type ScimScene } from '../faults/scim/scene.ts'
import type { Send } from '../faults/scim/walk.ts'
import { findPostgres } from '../test/support/postgres.ts'
import { sleep } from './load.ts'
import { post, type Signet } from './signet.ts'
import type { Row } from './table.ts'
import { WATCHED, type Waits, waitsOfQuiet, waitsRow, waitsWhile } from './waits.ts'

const MEMBERS = 100_000
/** As many as one request of the API may name. */
const AT_ONCE = 1_000
/** As many as Entra names in one request. */
const AT_ONCE_BY_SCIM = 100
const READINGS = 20
const GROUPS = '/signet.group.v2.GroupService'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A way in which the members of a group change. */
interface Way {
  readonly name: string
  readonly atOnce: number
  readonly reads: string
  create(): Promise<string>
  add(id: string, userIds: readonly string[]): Promise<unknown>
  remove(id: string, userIds: readonly string[]): Promise<unknown>
  read(id: string): Promise<unknown>
  delete(id: string): Promise<unknown>
}

function byApi(server: Signet, organizationId: string): Way {
  return {
    name: 'by the API',
    atOnce: AT_ONCE,
    reads: 'a page',
    create: async () => {
      const group = { organizationId, name: 'Everybody' }
      return (await post<{ readonly id: string }>(server, `${GROUPS}/CreateGroup`, group)).id
    },
    add: (id, userIds) => post(server, `${GROUPS}/AddUsersToGroup`, { id, userIds }),
    remove: (id, userIds) => post(server, `${GROUPS}/RemoveUsersFromGroup`, { id, userIds }),
    read: (id) => post(server, `${GROUPS}/ListGroupUsers`, { filters: [{ groupIds: { ids: [id] } }] }),
    delete: (id) => post(server, `${GROUPS}/DeleteGroup`, { id }),
  }
}

function byScim(send: Send): Way {
  const sent = async (method: string, path: string, body?: object) => {
    const reply = await send(method, path, { body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  /** What Entra writes: the name of the operation in upper case, one operation with all values. */
  const patch = (op: 'Add' | 'Remove', id: string, userIds: readonly string[]) => {
    const value = userIds.map((userId) => ({ value: userId }))
    return sent('PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations: [{ op, path: 'members', value }] })
  }
  return {
    name: 'by SCIM',
    atOnce: AT_ONCE_BY_SCIM,
    reads: 'all members',
    create: async () => {
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group']
      return (await sent('POST', '/Groups', { schemas, displayName: 'Everybody by SCIM', externalId: 'everybody' })).id
    },
    add: (id, userIds) => patch('Add', id, userIds),
    remove: (id, userIds) => patch('Remove', id, userIds),
    read: (id) => sent('GET', `/Groups/${id}`),
    delete: (id) => sent('DELETE', `/Groups/${id}`),
  }
}

/** Until the job that removes the members of a deleted group has removed nobody for a while. */
async function untilRemoved(server: Signet): Promise<void> {
  const newest = { limit: 1, eventTypes: ['group_member.removed.v1'] }
  for (let last = ''; ; await sleep(1_000)) {
    const { events = [] } = await post<{ readonly events?: readonly { readonly sequence: string }[] }>(
      server,
      '/admin/v1/events/_search',
      newest,
    )
    const sequence = events[0]?.sequence ?? ''
    if (sequence === last) return
    last = sequence
  }
}

/** Throws unless the group has as many members: what did nothing would have stopped nobody. */
async function requireMembers(server: Signet, id: string, expected: number): Promise<void> {
  const filters = [{ groupIds: { ids: [id] } }]
  const { pagination } = await post<{ readonly pagination?: { readonly totalResult?: string } }>(
    server,
    `${GROUPS}/ListGroupUsers`,
    { filters, pagination: { limit: 1 } },
  )
  const count = Number(pagination?.totalResult ?? 0)
  if (count !== expected) throw new Error(`the group has ${count} members instead of ${expected}`)
}

async function benchWay({ servers, ids }: ScimScene, way: Way, engine: EngineName, quiet: Waits): Promise<Row[]> {
  const [server] = servers
  const id = await way.create()
  const inSteps = async (step: (userIds: readonly string[]) => Promise<unknown>) => {
    for (let from = 0; from < ids.length; from += way.atOnce) await step(ids.slice(from, from + way.atOnce))
  }
  const fill = () => inSteps((userIds) => way.add(id, userIds))
  const filled = await waitsWhile(server, ids, fill)
  await requireMembers(server, id, ids.length)
  const read = await waitsWhile(server, ids, async () => {
    for (let times = 0; times < READINGS; times++) await way.read(id)
  })
  const emptied = await waitsWhile(server, ids, () => inSteps((userIds) => way.remove(id, userIds)))
  await requireMembers(server, id, 0)
  await fill()
  const deleted = await waitsWhile(server, ids, async () => {
    await way.delete(id)
    await untilRemoved(server)
  })
  const row = (what: string, waits: Waits) => waitsRow(`${what} ${way.name}, ${engine}`, waits, quiet)
  return [
    row(`${ids.length} users join`, filled),
    row(`${READINGS} readings of ${way.reads}`, read),
    row(`${ids.length} users leave`, emptied),
    row(`a group of ${ids.length} is deleted`, deleted),
  ]
}

async function benchEngine(engine: EngineName, members: number): Promise<Row[]> {
  await using cleanUp = new AsyncDisposableStack()
  const scene = await openScimScene(engine, members, cleanUp, WATCHED)
  const { servers, nodes, ids, organizationId } = scene
  const quiet = await waitsOfQuiet(servers[0], ids)
  const rows = [waitsRow(`nothing happens, ${engine}`, quiet, quiet)]
  for (const way of [byApi(servers[0], organizationId), byScim(nodes[0])]) {
    rows.push(...(await benchWay(scene, way, engine, quiet)))
  }
  return rows
}

export async function benchGroupMembers(members = MEMBERS): Promise<Row[]> {
  const rows = await benchEngine('SQLite', members)
  return findPostgres() ? [...rows, ...(await benchEngine('PostgreSQL', members))] : rows
}
