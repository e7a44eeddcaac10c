/**
 * What it costs when much has to do with one thing: calls of an administrator who has created 5,000 organizations beside
 * those of one who has created none, and changes of one user by all callers beside changes of different users.
 */
import { loadHttp1 } from './load-http1.ts'
import { addAdministrator, post, type Signet, startSignet, UNLIMITED } from './signet.ts'
import { bareRow, measureInTurn, type Speed, speedRow, type Target } from './speed.ts'
import type { Row } from './table.ts'

const ORGANIZATIONS = 5_000
const CALLERS = 16
const PLAN = { rounds: 6, seconds: 1, warmUpMs: 2_000 }

/** Has several callers do something a number of times. */
async function repeat(times: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const callers = Array.from({ length: CALLERS }, async () => {
    while (next < times) await run(next++)
  })
  await Promise.all(callers)
}

function readingOneself(server: Signet, token: string): Target {
  const headers = { authorization: `Bearer ${token}` }
  const request = { method: 'GET', path: '/auth/v1/users/me', headers, body: () => Buffer.alloc(0) }
  return { server, load: (port) => loadHttp1(port, request, CALLERS) }
}

function changing(server: Signet, userIds: readonly string[]): Target {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  let changes = 0
  const request = {
    method: 'PUT',
    path: () => `/v2/users/human/${userIds[changes % userIds.length]}`,
    headers,
    body: () => Buffer.from(JSON.stringify({ profile: { givenName: `Ada ${changes++}`, familyName: 'Lovelace' } })),
  }
  return { server, load: (port) => loadHttp1(port, request, CALLERS) }
}

async function addUsers(server: Signet, count: number): Promise<readonly string[]> {
  const userIds: string[] = []
  await repeat(count, async (index) => {
    const email = { email: `user-${index}@example.com`, isVerified: true }
    const body = { profile: { givenName: 'Ada', familyName: 'Lovelace' }, email }
    userIds.push((await post<{ readonly userId: string }>(server, '/v2/users/human', body)).userId)
  })
  return userIds
}

function rowsOf(
  what: readonly [string, string],
  bare: readonly Speed[],
  speeds: readonly Speed[],
  aim?: string,
): Row[] {
  const comparison = { to: bare, of: what[0], aim, callers: CALLERS }
  return [bareRow(what[0], bare, CALLERS), speedRow(what[1], speeds, comparison)]
}

async function benchEngine(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const server = await startSignet(databaseUrl, { environment: UNLIMITED })
  const [some, none] = [await addAdministrator(server, 'some'), await addAdministrator(server, 'none')]
  await repeat(ORGANIZATIONS, (index) =>
    post({ port: server.port, token: some }, '/v2/organizations', { name: `Organization ${index}` }),
  )
  const reads = await measureInTurn({ none: readingOneself(server, none), some: readingOneself(server, some) }, PLAN)
  const userIds = await addUsers(server, 1_000)
  const changes = await measureInTurn(
    { different: changing(server, userIds), same: changing(server, userIds.slice(0, 1)) },
    PLAN,
  )
  await server.stop()
  const of = ORGANIZATIONS.toLocaleString('en-US')
  return [
    ...rowsOf(
      [`call of an owner, ${engine}`, `of one with ${of} organizations, ${engine}`],
      reads.none,
      reads.some,
      '≥ 90 %',
    ),
    ...rowsOf([`change different users, ${engine}`, `change one user, ${engine}`], changes.different, changes.same),
  ]
}

export async function benchContention(databaseUrl: string | undefined): Promise<Row[]> {
  const sqlite = await benchEngine('SQLite', undefined)
  return databaseUrl === undefined ? sqlite : [...sqlite, ...(await benchEngine('PostgreSQL', databaseUrl))]
}
