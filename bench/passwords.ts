/** Password checks against the bare argon2id of the runtime, and what readers notice of them. */
import { argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { ARGON2_COSTS, openPasswords } from '../src/crypto/passwords/index.ts'
import { sleep } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { alternate } from './rounds.ts'
import { type Signet, startSignet } from './signet.ts'
import { median, percentile, spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

const SECONDS = 2
const ROUNDS = 4
const CORES = availableParallelism()

/** How often `work` is done in a second by this many at once. */
async function rateOf(work: () => Promise<unknown>, atOnce: number): Promise<number> {
  let done = 0
  const end = performance.now() + SECONDS * 1000
  const worker = async () => {
    while (performance.now() < end) {
      await work()
      done++
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, worker))
  return done / ((performance.now() - began) / 1000)
}

function bareHash(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const parameters = {
      message: 'correct horse battery staple',
      nonce: randomBytes(16),
      parallelism: ARGON2_COSTS.lanes,
      tagLength: 32,
      memory: ARGON2_COSTS.memoryKib,
      passes: ARGON2_COSTS.passes,
    }
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
  })
}

/** What readers of one user notice in one round. */
interface Reading {
  readonly p99: number
  readonly failed: number
}

async function readUser({ port, token }: Signet, userId: string): Promise<Reading> {
  const headers = { authorization: `Bearer ${token}` }
  const load = loadHttp1(port, { method: 'GET', path: `/v2/users/${userId}`, headers, body: () => Buffer.alloc(0) }, 2)
  await sleep(500)
  load.take()
  await sleep(SECONDS * 1000)
  const { latencies, failed } = load.take()
  load.stop()
  return { p99: percentile(latencies, 0.99), failed }
}

async function call<Answer>({ port, token }: Signet, path: string, body: unknown): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

function addUser(server: Signet, name: string): Promise<{ readonly userId: string }> {
  return call(server, '/v2/users/human', {
    username: name,
    profile: { firstName: 'Read', lastName: 'Er' },
    email: { email: `${name}@example.com`, isVerified: true },
  })
}

/** Readers while nothing else happens, and while an administrator sets passwords on all cores: one hash each. */
async function benchReaders(): Promise<Row[]> {
  const server = await startSignet()
  const { userId } = await addUser(server, 'reader')
  const hashed: string[] = []
  for (let index = 0; index < CORES * 2; index++) hashed.push((await addUser(server, `hashed${index}`)).userId)
  let hashes = 0
  const readWhileHashing = async () => {
    let isHashing = true
    const setPasswords = async (id: string) => {
      while (isHashing) {
        const password = randomBytes(12).toString('base64')
        await call(server, `/v2/users/${id}/password`, { newPassword: { password } })
        hashes++
      }
    }
    const hashing = Promise.all(hashed.map(setPasswords))
    const reading = await readUser(server, userId)
    isHashing = false
    await hashing
    return reading
  }
  await readUser(server, userId)
  const { idle, busy } = await alternate({ idle: () => readUser(server, userId), busy: readWhileHashing }, ROUNDS)
  await server.stop()
  const times = (readings: readonly Reading[]) => readings.map(({ p99 }) => p99)
  const failed = [...idle, ...busy].reduce((sum, reading) => sum + reading.failed, 0)
  const figureOf = (readings: readonly Reading[]) => ({
    figure: `${median(times(readings)).toFixed(2)} ms`,
    spread: spread(times(readings)),
  })
  return [
    { what: 'GetUserByID p99, nothing else to do', ...figureOf(idle) },
    {
      what: 'GetUserByID p99, all cores hashing',
      ...figureOf(busy),
      ratio: median(times(busy)) / median(times(idle)),
      of: 'when idle',
      aim: '≤ 200 %',
      note: `${failed > 0 ? `${failed} requests REFUSED or failed, ` : ''}${hashes} passwords were set meanwhile`,
    },
  ]
}

export async function benchPasswords(): Promise<Row[]> {
  const passwords = openPasswords({ currentOwners: () => ['bench'] })
  const hash = await passwords.hash('correct horse battery staple')
  const { bare, ours } = await alternate(
    {
      bare: () => rateOf(bareHash, CORES),
      ours: () => rateOf(() => passwords.verify(hash, 'correct horse battery staple'), CORES * 2),
    },
    ROUNDS,
  )
  await passwords.close()
  return [
    { what: 'argon2id, bare runtime', figure: perSecond(median(bare)), spread: spread(bare), isBare: true },
    {
      what: 'password checks',
      figure: perSecond(median(ours)),
      spread: spread(ours),
      ratio: median(ours.map((rate, round) => rate / (bare[round] ?? Number.NaN))),
      of: 'bare argon2id',
      aim: '90 %',
    },
    ...(await benchReaders()),
  ]
}
