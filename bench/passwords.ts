/** Password checks against the bare argon2id of the runtime, and what readers notice of them. */
import { argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { ARGON2_COSTS, openPasswords } from '../src/crypto/passwords/index.ts'
import { median, percentile, sleep } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { startSignet } from './signet.ts'
import { perSecond, type Row } from './table.ts'

const SECONDS = 3
const ROUNDS = 3
const CORES = availableParallelism()

/** How often `work` is done in a second by so many at once. */
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

/** The 99th percentile of reading one user over REST while `meanwhile` runs. */
async function readLatency(port: number, token: string, userId: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const load = loadHttp1(port, { method: 'GET', path: `/v2/users/${userId}`, headers, body: () => Buffer.alloc(0) }, 2)
  await sleep(1500)
  load.take()
  await sleep(SECONDS * 1000)
  const { latencies } = load.take()
  load.stop()
  return percentile(latencies, 0.99)
}

export async function benchPasswords(): Promise<Row[]> {
  const passwords = openPasswords()
  const hash = await passwords.hash('correct horse battery staple')
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await rateOf(bareHash, CORES))
    ours.push(await rateOf(() => passwords.verify(hash, 'correct horse battery staple'), CORES * 2))
  }
  await passwords.close()

  const server = await startSignet()
  const call = async (path: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { readonly userId?: string }
  }
  const add = (name: string) =>
    call('/v2/users/human', {
      username: name,
      profile: { firstName: 'Read', lastName: 'Er' },
      email: { email: `${name}@example.com`, isVerified: true },
    })
  const { userId = '' } = await add('reader')
  const idle = await readLatency(server.port, server.token, userId)
  let isHashing = true
  let hashes = 0
  // An administrator sets passwords: one hash each, through the whole server.
  const hasher = async (index: number) => {
    const person = await add(`hashed${index}`)
    while (isHashing) {
      const password = randomBytes(12).toString('base64')
      await call(`/v2/users/${person.userId}/password`, { newPassword: { password } })
      hashes++
    }
  }
  const hashers = Promise.all(Array.from({ length: CORES * 2 }, (_, index) => hasher(index)))
  const busy = await readLatency(server.port, server.token, userId)
  isHashing = false
  await hashers
  await server.stop()
  return [
    { what: 'argon2id, bare runtime', figure: perSecond(median(bare)) },
    {
      what: 'password checks',
      figure: perSecond(median(ours)),
      ratio: median(ours) / median(bare),
      of: 'bare argon2id',
      aim: '90 %',
    },
    { what: 'GetUserByID p99, nothing else to do', figure: `${idle.toFixed(2)} ms` },
    {
      what: 'GetUserByID p99, all cores hashing',
      figure: `${busy.toFixed(2)} ms`,
      ratio: busy / idle,
      of: 'when idle',
      aim: '≤ 200 %',
      note: `${hashes} passwords were set meanwhile`,
    },
  ]
}
