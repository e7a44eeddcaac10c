/**
 * Bulk import with foreign hashes through the whole server: users a second, and memory from the first part to the last.
 * The engines take turns.
 */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { alternate } from './rounds.ts'
import { type Signet, startSignet } from './signet.ts'
import { median, spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

/** The first part brings the heap to its working size; whatever the others add would be growth. */
const PARTS = 4
const USERS_OF_A_PART = 20_000

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

interface ImportedPart {
  readonly perSecond: number
  /** Processor time of the server for one user. */
  readonly microseconds: number
  readonly megabytes: number
}

async function importPart(server: Signet, part: number): Promise<ImportedPart> {
  const processor = await server.processorSeconds()
  const began = performance.now()
  const created = await sendPeople(server, part * USERS_OF_A_PART, (part + 1) * USERS_OF_A_PART)
  if (created !== USERS_OF_A_PART) throw new Error(`${created} of ${USERS_OF_A_PART} users were created`)
  return {
    perSecond: USERS_OF_A_PART / ((performance.now() - began) / 1000),
    microseconds: ((await server.processorSeconds()) - processor) * (1e6 / USERS_OF_A_PART),
    megabytes: await server.residentMegabytes(),
  }
}

function rowsOf(engine: string, parts: readonly ImportedPart[]): Row[] {
  const rates = parts.map((part) => part.perSecond)
  const [first = Number.NaN, last = Number.NaN] = [parts[0]?.megabytes, parts.at(-1)?.megabytes]
  return [
    {
      what: `import of users with foreign hashes, ${engine}`,
      figure: perSecond(median(rates)),
      spread: spread(rates),
      ...(engine === 'SQLite' ? { aim: '5 000/s' } : {}),
      note: `${median(parts.map((part) => part.microseconds)).toFixed(0)} µs of processor a user`,
    },
    {
      what: `memory after ${PARTS * USERS_OF_A_PART} imported users, ${engine}`,
      figure: `${last.toFixed(0)} MB`,
      ratio: last / first,
      of: `after ${USERS_OF_A_PART}`,
      aim: '< 110 %',
    },
  ]
}

export async function benchImport(databaseUrl: string | undefined): Promise<Row[]> {
  const servers: Record<string, Signet> = { SQLite: await startSignet() }
  if (databaseUrl !== undefined) servers.PostgreSQL = await startSignet(databaseUrl)
  const contenders = Object.entries(servers).map(
    ([engine, server]) => [engine, (part: number) => importPart(server, part)] as const,
  )
  const parts = await alternate(Object.fromEntries(contenders), PARTS)
  for (const server of Object.values(servers)) await server.stop()
  return Object.entries(parts).flatMap(([engine, list]) => rowsOf(engine, list))
}
