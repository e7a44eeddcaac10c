/**
 * What a filter of a directory costs with 1,000 and with 1,000,000 users in the organization, on both engines in alternating
 * rounds: each attribute that the store has an index of. And what a filter costs that no index answers: up to 1,000 users are
 * compared one by one, and more are refused, which has to be cheap. `npm run bench scim-filters 20000` chooses how many.
 */
import { type EngineName, openScimScene, type ScimScene } from '../faults/scim/scene.ts'
import { findPostgres } from '../test/support/postgres.ts'
import { alternate } from './rounds.ts'
import { post } from './signet.ts'
import { median, percentile, spread } from './statistics.ts'
import type { Row } from './table.ts'
import { WATCHED, waitsOfQuiet, waitsRow, waitsWhile } from './waits.ts'

const FEW = 1_000
const MANY = 1_000_000
const ROUNDS = 20
/** Requests of one round, one after the other, so that their time is that of the filter and not of a queue. */
const REQUESTS = 10
const WARM_UP = 30
/** In a group, and so among the users of a filter by group. */
const MEMBERS = 50
/** Who send filters without an index at the same time. */
const CALLERS = 8
const LOAD_MS = 5_000
const AIM = '≤ 200 %'

interface Scene extends ScimScene {
  readonly engine: EngineName
  readonly count: number
  readonly groupId: string
}

interface Search {
  readonly name: string
  readonly place?: '/Users' | '/Groups'
  filter(scene: Scene, number: number): string
  /** The number of those that are found; undefined: some. */
  readonly finds?: number
}

/** Since when the first user has been changed, or nobody: what a directory asks that fetches changes. */
const LATER = '2999-01-01T00:00:00Z'

const SEARCHES: readonly Search[] = [
  { name: 'id eq', filter: ({ ids }, number) => `id eq "${ids[number]}"`, finds: 1 },
  { name: 'userName eq', filter: (_, number) => `userName eq "USER-${number}"`, finds: 1 },
  { name: 'externalId eq', filter: (_, number) => `externalId eq "external-${number}"`, finds: 1 },
  { name: 'emails.value eq', filter: (_, number) => `emails.value eq "user-${number}@example.com"`, finds: 1 },
  // The index narrows the search; what it finds is compared.
  { name: 'emails[value eq]', filter: (_, number) => `emails[value eq "user-${number}@example.com"]`, finds: 1 },
  { name: 'displayName eq', filter: (_, number) => `displayName eq "user-${number}"`, finds: 1 },
  { name: 'name.familyName eq', filter: (_, number) => `name.familyName eq "user-${number}"`, finds: 1 },
  { name: 'userName sw', filter: (_, number) => `userName sw "user-${number}"` },
  {
    name: 'userName eq and active eq',
    filter: (_, number) => `userName eq "user-${number}" and active eq true`,
    finds: 1,
  },
  { name: 'active eq false', filter: () => 'active eq false', finds: 0 },
  { name: 'groups.value eq', filter: ({ groupId }) => `groups.value eq "${groupId}"`, finds: MEMBERS },
  { name: 'displayName eq', place: '/Groups', filter: () => 'displayName eq "Engineering"', finds: 1 },
  { name: 'members.value eq', place: '/Groups', filter: ({ ids }) => `members.value eq "${ids[0]}"`, finds: 1 },
]

/** What reads all users, on another thread or in the database. */
const READING_ALL: readonly Search[] = [
  { name: 'active eq true', filter: () => 'active eq true' },
  { name: 'meta.lastModified gt', filter: () => `meta.lastModified gt "${LATER}"`, finds: 0 },
]

/** Of an attribute that is kept as metadata: no index has its text. */
const UNINDEXED: Search = { name: 'title eq', filter: () => 'title eq "Engineer"', finds: 0 }

interface Found {
  readonly status: number
  readonly scimType?: string
  readonly totalResults?: number
}

async function ask({ nodes: [send] }: Scene, path: string): Promise<Found> {
  const { status, body } = await send('GET', path)
  return { ...body, status }
}

function pathOf({ place = '/Users', filter }: Search, scene: Scene, number: number): string {
  return `${place}?count=10&filter=${encodeURIComponent(filter(scene, number))}`
}

/** Throws unless a search finds what it must: one that finds nothing, or is refused, is fast. */
async function check(search: Search, scene: Scene): Promise<void> {
  const { status, totalResults = 0, ...more } = await ask(scene, pathOf(search, scene, 1))
  const isRight = search.finds === undefined ? totalResults > 0 : totalResults === search.finds
  if (status !== 200 || !isRight) {
    throw new Error(`${search.name}: ${status}, ${totalResults} found: ${JSON.stringify(more)}`)
  }
}

type Timing = (scene: Scene) => Promise<number>

/** The milliseconds of one request, each of another user. */
function timingOf(search: Search, requests: number): Timing {
  return async (scene) => {
    const began = performance.now()
    for (let request = 0; request < requests; request++) {
      await ask(scene, pathOf(search, scene, Math.floor(Math.random() * scene.count)))
    }
    return (performance.now() - began) / requests
  }
}

interface Plan {
  readonly rounds: number
  /** In each round. */
  readonly requests: number
  readonly warmUp: number
}

const BY_INDEX: Plan = { rounds: ROUNDS, requests: REQUESTS, warmUp: WARM_UP }
/** What reads all users takes a second with a million of them. */
const READING: Plan = { rounds: 5, requests: 1, warmUp: 1 }

async function benchSearch(search: Search, few: Scene, many: Scene, plan: Plan, aim?: string): Promise<Row> {
  const { rounds, requests, warmUp } = plan
  const time = timingOf(search, requests)
  for (const scene of [few, many]) for (let done = 0; done < warmUp; done += requests) await time(scene)
  const times = await alternate({ few: () => time(few), many: () => time(many) }, rounds)
  const count = many.count.toLocaleString('en-US')
  return {
    what: `${search.place ?? '/Users'}, ${search.name}, ${many.engine}, ${count} users`,
    figure: `${median(times.many).toFixed(1)} ms`,
    spread: spread(times.many),
    ratio: median(times.many.map((one, round) => one / (times.few[round] ?? Number.NaN))),
    of: `with ${FEW.toLocaleString('en-US')}`,
    ...(aim !== undefined && { aim }),
    note: `${median(times.few).toFixed(1)} ms with few, p95 ${percentile(times.many, 0.95).toFixed(1)} ms`,
  }
}

/** How long others wait while several callers send filters that no index answers. */
async function benchWaits({ servers: [server], ids, engine, count }: Scene, run: (search: Search) => Promise<unknown>) {
  const of = `${engine}, ${count.toLocaleString('en-US')} users`
  const quiet = await waitsOfQuiet(server, ids)
  const rows = [waitsRow(`nothing happens, ${of}`, quiet, quiet)]
  for (const search of [...READING_ALL, UNINDEXED]) {
    const waits = await waitsWhile(server, ids, async () => {
      const until = performance.now() + LOAD_MS
      const caller = async () => {
        while (performance.now() < until) await run(search)
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    })
    rows.push(waitsRow(`${CALLERS} callers filter by ${search.name}, ${of}`, waits, quiet))
  }
  return rows
}

/** Filters that no index answers: they read everything, or are answered with few users and refused with many. */
async function benchOthers(few: Scene, many: Scene): Promise<Row[]> {
  const rows: Row[] = []
  for (const search of READING_ALL) {
    for (const scene of [few, many]) await check(search, scene)
    const row = await benchSearch(search, few, many, READING)
    rows.push({ ...row, note: `reads all users, ${row.note}` })
  }
  await check(UNINDEXED, few)
  const { status, scimType } = await ask(many, pathOf(UNINDEXED, many, 0))
  if (status !== 400 || scimType !== 'tooMany') throw new Error(`${status} ${scimType} instead of a refusal`)
  const row = await benchSearch(UNINDEXED, few, many, READING)
  rows.push({ ...row, note: `refused (tooMany), with few compared one by one, ${row.note}` })
  return [...rows, ...(await benchWaits(many, (search) => ask(many, pathOf(search, many, 0))))]
}

async function openScene(engine: EngineName, count: number, cleanUp: AsyncDisposableStack): Promise<Scene> {
  const scene = await openScimScene(engine, count, cleanUp, WATCHED)
  const [server] = scene.servers
  const group = { organizationId: scene.organizationId, name: 'Engineering' }
  const { id: groupId } = await post<{ readonly id: string }>(
    server,
    '/signet.group.v2.GroupService/CreateGroup',
    group,
  )
  const userIds = scene.ids.slice(0, MEMBERS)
  await post(server, '/signet.group.v2.GroupService/AddUsersToGroup', { id: groupId, userIds })
  return { ...scene, engine, count, groupId }
}

async function benchEngine(engine: EngineName, most: number): Promise<Row[]> {
  await using cleanUp = new AsyncDisposableStack()
  const few = await openScene(engine, FEW - 1, cleanUp)
  const many = await openScene(engine, most, cleanUp)
  const rows: Row[] = []
  for (const search of SEARCHES) {
    for (const scene of [few, many]) await check(search, scene)
    rows.push(await benchSearch(search, few, many, BY_INDEX, AIM))
  }
  return [...rows, ...(await benchOthers(few, many))]
}

export async function benchScimFilters(most = MANY): Promise<Row[]> {
  const rows = await benchEngine('SQLite', most)
  return findPostgres() ? [...rows, ...(await benchEngine('PostgreSQL', most))] : rows
}
