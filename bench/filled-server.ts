/**
 * A server with any number of users, sessions and personal access tokens. They are written through the store, many in one
 * commit, while the server is stopped: filling a million over HTTP would take an hour.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { databaseFile } from '../src/config/index.ts'
import { newPersonalAccessToken, newSessionToken } from '../src/crypto/tokens.ts'
import { NEVER, personalAccessTokens } from '../src/features/machines/index.ts'
import { sessions } from '../src/features/sessions/documents.ts'
import { BUILT_IN_LOGIN } from '../src/features/settings/index.ts'
import { users } from '../src/features/users/index.ts'
import { newId } from '../src/kernel/id.ts'
import { instant, systemClock } from '../src/kernel/instant.ts'
import { kinds } from '../src/modules.ts'
import { openSqlite, openStore, type Store, type Work } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { type Signet, startSignet, UNLIMITED } from './signet.ts'

const AT_ONCE = 50
const WRITERS = 8
const SAMPLES = 50_000
const DAY_MS = 86_400_000

/** Some of what a server has, chosen evenly. */
export interface Sample {
  readonly userId: string
  readonly email: string
  readonly sessionId: string
  /** A token of the machine user. */
  readonly token: string
  readonly createdAt: Date
}

export interface FilledServer {
  readonly server: Signet
  readonly samples: readonly Sample[]
  readonly fillSeconds: number
}

/** Who everything belongs to. */
interface Owner {
  readonly organizationId: string
  readonly machineId: string
}

async function addMachine({ port, token }: Signet): Promise<Owner> {
  const answer = await fetch(`http://127.0.0.1:${port}/management/v1/users/machine`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userName: 'reader', name: 'Reader' }),
  })
  if (!answer.ok) throw new Error(`no machine user could be added: ${await answer.text()}`)
  const { userId, details } = (await answer.json()) as { userId: string; details: { resourceOwner: string } }
  return { organizationId: details.resourceOwner, machineId: userId }
}

/** A user, a session of this user and a token of the machine user. */
async function addOne(work: Work, number: number, { organizationId, machineId }: Owner): Promise<Sample> {
  const [userId, sessionId, tokenId] = [newId(), newId(), newId()]
  const { at } = work.origin
  const name = `user-${number.toString(36)}-${(number * 7919) % 1_000_003}`
  const email = `${name}@example.com`
  const [firstName, lastName] = [`Given${number % 5_000}`, `Family${number % 20_011}`]
  const profile = {
    ...{ firstName, lastName, nickName: '', displayName: `${firstName} ${lastName}` },
    preferredLanguage: 'en',
    gender: 'unspecified',
  } as const
  const human = { type: 'add_human', userName: name, profile, email: { address: email, isVerified: true } } as const
  await work.begin(users, userId, { ...human, needsSetUp: false }, organizationId)
  const session = {
    type: 'create',
    creatorId: machineId,
    at,
    person: { userId, organizationId, login: BUILT_IN_LOGIN, generations: { user: 0, organization: 0 } },
    checks: [{ check: 'user' }],
    challenges: {},
    metadata: {},
    defaultExpiresAt: instant(at + DAY_MS),
    tokenHash: newSessionToken(sessionId).hash,
  } as const
  await work.begin(sessions, sessionId, session, organizationId)
  const { text, hash } = newPersonalAccessToken(tokenId)
  const token = { type: 'add', userId: machineId, expiresAt: NEVER, hash, at } as const
  await work.begin(personalAccessTokens, tokenId, token, organizationId)
  return { userId, email, sessionId, token: text, createdAt: new Date(at) }
}

async function fill(store: Store, count: number, owner: Owner): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const step = Math.ceil(count / SAMPLES)
  let next = 0
  const write = async () => {
    while (next < count) {
      const from = next
      next = Math.min(count, next + AT_ONCE)
      const until = next
      const { value } = await store.write({ actor: { user: owner.machineId }, at: systemClock() }, async (work) => {
        const added: Sample[] = []
        for (let number = from; number < until; number++) added.push(await addOne(work, number, owner))
        return added
      })
      samples.push(...value.filter((_, index) => (from + index) % step === 0))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return samples
}

/** As autovacuum would do soon. */
async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

/** Starts a server with `count` of everything; its data folder is left to the caller. */
export async function startFilled(databaseUrl: string | undefined, count: number): Promise<FilledServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
  const environment = { ...UNLIMITED, ...(databaseUrl && { SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }) }
  const first = await startSignet(databaseUrl, { dataFolder, environment })
  const owner = await addMachine(first)
  await first.stop()
  const engine = await (databaseUrl
    ? openPostgres({ url: databaseUrl })
    : openSqlite({ file: databaseFile(dataFolder) }))
  const began = performance.now()
  const store = await openStore(engine, kinds)
  const samples = await fill(store, count, owner)
  await store.close()
  if (databaseUrl) await analyze(databaseUrl)
  const fillSeconds = (performance.now() - began) / 1000
  const server = await startSignet(databaseUrl, { dataFolder, environment, token: first.token })
  return { server, samples, fillSeconds }
}
