/**
 * Users created by SCIM beside the same users created by the API: the same fields and metadata, no mail, the same server in
 * alternating rounds. And bulk requests: their rate beside single requests, and how long others wait meanwhile.
 */
import { type EngineName, openScimScene, type ScimScene } from '../faults/scim/scene.ts'
import { findPostgres } from '../test/support/postgres.ts'
import { type Http1Request, loadHttp1 } from './load-http1.ts'
import { alternate } from './rounds.ts'
import type { Signet } from './signet.ts'
import { bareRow, measureInTurn, type Plan, speedRow, type Target } from './speed.ts'
import { median, spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'
import { WATCHED, waitsOfQuiet, waitsRow, waitsWhile } from './waits.ts'

/** Fewer than one token may send at once. */
const CALLERS = 16
const PLAN: Plan = { rounds: 24, seconds: 0.5, warmUpMs: 5_000 }
/** The most that a bulk request may have. */
const OPERATIONS = 1_000
const BULK_ROUNDS = 6
/** Whom others read. */
const USERS = 200

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
const EXTERNAL_ID = 'urn:zitadel:scim:externalId'

let created = 0

/** What both ways are told of a user. */
function nextUser() {
  const userName = `new-${(created++).toString(36)}@example.com`
  return { userName, givenName: 'Ada', familyName: `Family${created % 997}`, externalId: `entra-${created}` }
}

function scimUser(): object {
  const { userName, givenName, familyName, externalId } = nextUser()
  const name = { givenName, familyName }
  const emails = [{ value: userName, primary: true }]
  return { schemas: [USER], userName, externalId, name, displayName: `${givenName} ${familyName}`, emails }
}

function apiUser(organizationId: string): object {
  const { userName, givenName, familyName, externalId } = nextUser()
  return {
    username: userName,
    organization: { orgId: organizationId },
    profile: { givenName, familyName, displayName: `${givenName} ${familyName}` },
    email: { email: userName, isVerified: true },
    metadata: [{ key: EXTERNAL_ID, value: Buffer.from(externalId).toString('base64') }],
  }
}

function creating(token: string, path: string, body: () => object): Http1Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: () => Buffer.from(JSON.stringify(body())) }
}

async function send({ port }: Signet, { path, headers, body }: Http1Request): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: Buffer.from(body()) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

interface Ways {
  readonly api: Http1Request
  readonly scim: Http1Request
  readonly bulk: Http1Request
}

function waysOf({ organizationId, token, servers: [server] }: ScimScene, operations: number): Ways {
  const base = `/scim/v2/${organizationId}`
  const operation = (_: unknown, number: number) => ({
    method: 'POST',
    path: '/Users',
    bulkId: `user-${number}`,
    data: scimUser(),
  })
  const bulk = () => ({ schemas: [BULK], Operations: Array.from({ length: operations }, operation) })
  return {
    api: creating(server.token, '/v2/users/human', () => apiUser(organizationId)),
    scim: creating(token, `${base}/Users`, scimUser),
    bulk: creating(token, `${base}/Bulk`, bulk),
  }
}

async function benchCreation(server: Signet, { api, scim }: Ways, engine: EngineName): Promise<Row[]> {
  const target = (request: Http1Request): Target => ({ server, load: (port) => loadHttp1(port, request, CALLERS) })
  await Promise.all([send(server, api), send(server, scim)])
  const speeds = await measureInTurn({ api: target(api), scim: target(scim) }, PLAN)
  const comparison = { to: speeds.api, of: 'by the API', callers: CALLERS, aim: '≥ 70 %' }
  return [
    bareRow(`create a user by the API, ${engine}`, speeds.api, CALLERS),
    speedRow(`create a user by SCIM, ${engine}`, speeds.scim, comparison),
  ]
}

/** Sends one bulk request, of which every operation must succeed. */
async function sendBulk(server: Signet, bulk: Http1Request, operations: number): Promise<void> {
  const { Operations = [] } = (await send(server, bulk)) as { Operations?: readonly { readonly status: string }[] }
  const done = Operations.filter(({ status }) => status === '201').length
  if (done !== operations) throw new Error(`${done} of ${operations} operations succeeded`)
}

async function benchBulk(scene: ScimScene, ways: Ways, operations: number, engine: EngineName): Promise<Row[]> {
  const [server] = scene.servers
  const rateOf = async (run: () => Promise<void>) => {
    const began = performance.now()
    await run()
    return operations / ((performance.now() - began) / 1000)
  }
  const single = async () => {
    for (let number = 0; number < operations; number++) await send(server, ways.scim)
  }
  const inBulk = () => sendBulk(server, ways.bulk, operations)
  const rates = await alternate({ single: () => rateOf(single), bulk: () => rateOf(inBulk) }, BULK_ROUNDS)
  const quiet = await waitsOfQuiet(server, scene.ids)
  const waits = await waitsWhile(server, scene.ids, async () => {
    for (let number = 0; number < BULK_ROUNDS; number++) await inBulk()
  })
  return [
    {
      what: `create users one after the other by SCIM, ${engine}`,
      figure: perSecond(median(rates.single)),
      spread: spread(rates.single),
      isBare: true,
    },
    {
      what: `operations of bulk requests, ${operations} in each, ${engine}`,
      figure: perSecond(median(rates.bulk)),
      spread: spread(rates.bulk),
      ratio: median(rates.bulk.map((rate, round) => rate / (rates.single[round] ?? Number.NaN))),
      of: 'one after the other',
      aim: '≥ 100 %',
      note: `a request takes ${((operations / median(rates.bulk)) * 1000).toFixed(0)} ms`,
    },
    waitsRow(`nothing happens, ${engine}`, quiet, quiet),
    waitsRow(`bulk requests of ${operations} users, ${engine}`, waits, quiet),
  ]
}

async function benchEngine(engine: EngineName, operations: number): Promise<Row[]> {
  await using cleanUp = new AsyncDisposableStack()
  const scene = await openScimScene(engine, USERS, cleanUp, WATCHED)
  const ways = waysOf(scene, operations)
  return [
    ...(await benchCreation(scene.servers[0], ways, engine)),
    ...(await benchBulk(scene, ways, operations, engine)),
  ]
}

export async function benchScim(operations = OPERATIONS): Promise<Row[]> {
  const rows = await benchEngine('SQLite', operations)
  return findPostgres() ? [...rows, ...(await benchEngine('PostgreSQL', operations))] : rows
}
