/** Bulk import with foreign hashes through the whole server: users a second, and memory from the first part to the last. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type Signet, startSignet } from './signet.ts'
import { perSecond, type Row } from './table.ts'

const USERS = 120_000
/** The first part brings the heap to its working size; whatever the others add would be growth. */
const PARTS = 3

const HASHES = [
  '$2y$12$hXUrnqdq1RIIYZ2HPytIIe5lXdIvbhqrTvdPsSF7o.jFh817Z6lwm',
  '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
]

function person(number: number): string {
  return `${JSON.stringify({
    userId: `imported-${number}`,
    username: `person${number}@example.com`,
    profile: { givenName: `Given${number % 5_000}`, familyName: `Family${number % 20_011}`, preferredLanguage: 'en' },
    email: { email: `person${number}@example.com`, isVerified: true },
    hashedPassword: { hash: HASHES[number % HASHES.length] },
  })}\n`
}

/** Sends people `from` … `to`, as fast as they are taken; gives the number of those created. */
async function sendPeople({ port, token }: Signet, from: number, to: number): Promise<number> {
  const upload = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/v2/users/import' },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  })
  const created = (async () => {
    const [answer] = (await once(upload, 'response')) as [IncomingMessage]
    let count = 0
    let rest = ''
    for await (const piece of answer.setEncoding('utf8')) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.includes('"status":"created"')) count++
    }
    return count
  })()
  for (let number = from; number < to; ) {
    let piece = ''
    for (; number < to && piece.length < 65_536; number++) piece += person(number)
    if (!upload.write(piece)) await once(upload, 'drain')
  }
  upload.end()
  return created
}

/** `engine` is a name for the table; without a database it is SQLite. */
export async function benchImport(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const server = await startSignet(databaseUrl)
  const part = USERS / PARTS
  const memory: number[] = []
  const cpuBefore = await server.processorSeconds()
  const began = performance.now()
  for (let index = 0; index < PARTS; index++) {
    const created = await sendPeople(server, index * part, (index + 1) * part)
    if (created !== part) throw new Error(`${created} of ${part} people were created`)
    memory.push(await server.residentMegabytes())
  }
  const seconds = (performance.now() - began) / 1000
  const microseconds = ((await server.processorSeconds()) - cpuBefore) * (1e6 / USERS)
  await server.stop()
  const [first = 0] = memory
  const last = memory.at(-1) ?? 0
  return [
    {
      what: `import of users with foreign hashes, ${engine}`,
      figure: perSecond(USERS / seconds),
      ...(databaseUrl === undefined ? { aim: '5 000/s' } : {}),
      note: `${microseconds.toFixed(0)} µs of processor a user`,
    },
    {
      what: `memory after ${USERS} imported users, ${engine}`,
      figure: `${last.toFixed(0)} MB`,
      ratio: last / first,
      of: `after ${part}`,
      aim: '< 110 %',
    },
  ]
}
