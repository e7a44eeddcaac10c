/**
 * How long others wait while a group of 100,000 users is filled, emptied and deleted: callers who read a user and callers who
 * create one, beside the same callers when nothing else happens. And the longest time in which the main thread made no
 * turn, without the times in which other processes had the processor.
 */
import { type EngineName, openScimScene } from '../faults/scim/scene.ts'
import { findPostgres } from '../test/support/postgres.ts'
import type { Pause } from './event-loop-pauses.ts'
import { sleep } from './load.ts'
import { post, type Signet } from './signet.ts'
import { percentile } from './statistics.ts'
import type { Row } from './table.ts'

const MEMBERS = 100_000
/** As many as one request may name. */
const AT_ONCE = 1_000
/** Between two requests of one caller. */
const PAUSE_MS = 20
const QUIET_MS = 5_000
const LIMIT_MS = 100
const PRELOAD = [new URL('event-loop-pauses.ts', import.meta.url)]
const GROUPS = '/signet.group.v2.GroupService'

interface Waits {
  readonly read: readonly number[]
  readonly write: readonly number[]
  readonly pauseMs: number
  readonly seconds: number
}

/** Two callers who read and two who write, until `run` has ended. */
async function waitsWhile(server: Signet, ids: readonly string[], run: () => Promise<unknown>): Promise<Waits> {
  let isOver = false
  const read: number[] = []
  const write: number[] = []
  const call = async (waits: number[], send: () => Promise<unknown>) => {
    while (!isOver) {
      const began = performance.now()
      await send()
      waits.push(performance.now() - began)
      await sleep(PAUSE_MS)
    }
  }
  const userId = () => ids[Math.floor(Math.random() * ids.length)]
  const readOne = () => post(server, '/signet.user.v2.UserService/GetUserByID', { userId: userId() })
  const writeOne = () => {
    const name = `other-${Math.random()}`
    return post(server, '/management/v1/users/machine', { userName: name, name })
  }
  await server.ask('pauses')
  const began = performance.now()
  const others = [call(read, readOne), call(read, readOne), call(write, writeOne), call(write, writeOne)]
  await run()
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await Promise.all(others)
  const pauses = (await server.ask('pauses')) as readonly Pause[]
  return { read, write, pauseMs: Math.max(0, ...pauses.map(({ ownMs }) => ownMs)), seconds }
}

function rowOf(what: string, engine: EngineName, { read, write, pauseMs, seconds }: Waits, quiet: Waits): Row {
  const longest = Math.max(...read, ...write)
  const [readP99, writeP99] = [percentile([...read], 0.99), percentile([...write], 0.99)]
  return {
    what: `longest wait of others, ${what}, ${engine}`,
    figure: `${longest.toFixed(0)} ms`,
    ...(quiet.read !== read && {
      ratio: longest / Math.max(...quiet.read, ...quiet.write),
      of: 'nothing',
      aim: `< ${LIMIT_MS} ms`,
    }),
    note: [
      `p99 of reads ${readP99.toFixed(0)} ms, of writes ${writeP99.toFixed(0)} ms (${read.length} and ${write.length})`,
      `longest pause ${pauseMs.toFixed(0)} ms`,
      `${seconds.toFixed(0)} s`,
    ].join(', '),
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

async function benchEngine(engine: EngineName, members: number): Promise<Row[]> {
  await using cleanUp = new AsyncDisposableStack()
  const { servers, ids, organizationId } = await openScimScene(engine, members, cleanUp, PRELOAD)
  const [server] = servers
  const group = { organizationId, name: 'Everybody' }
  const { id } = await post<{ readonly id: string }>(server, `${GROUPS}/CreateGroup`, group)
  const inSteps = async (method: string) => {
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      await post(server, `${GROUPS}/${method}`, { id, userIds: ids.slice(from, from + AT_ONCE) })
    }
  }
  const quiet = await waitsWhile(server, ids, () => sleep(QUIET_MS))
  const filled = await waitsWhile(server, ids, () => inSteps('AddUsersToGroup'))
  const listed = await waitsWhile(server, ids, async () => {
    const filters = [{ groupIds: { ids: [id] } }]
    for (let page = 0; page < 20; page++) await post(server, `${GROUPS}/ListGroupUsers`, { filters })
  })
  const emptied = await waitsWhile(server, ids, () => inSteps('RemoveUsersFromGroup'))
  await inSteps('AddUsersToGroup')
  const deleted = await waitsWhile(server, ids, async () => {
    await post(server, `${GROUPS}/DeleteGroup`, { id })
    await untilRemoved(server)
  })
  return [
    rowOf('nothing happens', engine, quiet, quiet),
    rowOf(`${members} users join`, engine, filled, quiet),
    rowOf('20 pages of them', engine, listed, quiet),
    rowOf(`${members} users leave`, engine, emptied, quiet),
    rowOf(`a group of ${members} is deleted`, engine, deleted, quiet),
  ]
}

export async function benchGroupMembers(members = MEMBERS): Promise<Row[]> {
  const rows = await benchEngine('SQLite', members)
  return findPostgres() ? [...rows, ...(await benchEngine('PostgreSQL', members))] : rows
}
