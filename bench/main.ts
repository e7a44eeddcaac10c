/**
 * `npm run bench [part …]`: one table, each row a ratio to something measured in this run. Parts: wire, store,
 * operation-6, sessions, openid, providers, import, passwords, process; and four that run only when named: list, which fills a
 * million users, enumeration, which asks whether answers tell who has an account, overload, which offers more than
 * the server can do, and scale, which compares one node, two nodes and workers.
 */
import { availableParallelism, cpus } from 'node:os'
import { freshDatabase } from '../test/support/postgres.ts'
import { benchEnumeration } from './enumeration.ts'
import { benchImport } from './import.ts'
import { benchList } from './list.ts'
import { benchOpenId, benchOpenIdSize } from './openid.ts'
import { benchOperation6 } from './operation-6.ts'
import { benchOverload } from './overload.ts'
import { benchPasswords } from './passwords.ts'
import { benchProcess } from './process.ts'
import { benchProviders } from './providers.ts'
import { benchScale } from './scale.ts'
import { benchSessions } from './sessions.ts'
import { benchStore } from './store.ts'
import { printTable, type Row } from './table.ts'
import { benchWire } from './wire.ts'

const wanted = process.argv.slice(2)
function wants(part: string) {
  return wanted.length === 0 || wanted.includes(part)
}

const rows: Row[] = []
/** A database of its own for each part, so that none pays for another's rows. */
async function withDatabase(run: (url: string | undefined) => Promise<Row[]>): Promise<void> {
  const database = await freshDatabase()
  if (!database) console.error('No PostgreSQL on this machine: its rows are left out.')
  rows.push(...(await run(database?.url)))
  await database?.drop()
}

if (wants('wire')) rows.push(...(await benchWire()))
if (wants('store')) await withDatabase(benchStore)
if (wants('operation-6')) {
  rows.push(...(await benchOperation6('SQLite', undefined)))
  await withDatabase(async (url) => (url ? benchOperation6('PostgreSQL', url) : []))
}
if (wants('sessions')) {
  rows.push(...(await benchSessions('SQLite', undefined)))
  await withDatabase(async (url) => (url ? benchSessions('PostgreSQL', url) : []))
}
if (wants('openid')) {
  rows.push(...(await benchOpenId('SQLite', undefined)))
  await withDatabase(async (url) => (url ? benchOpenId('PostgreSQL', url) : []))
  rows.push(...(await benchOpenIdSize(Number(wanted.find((word) => /^\d+$/.test(word)) ?? 100_000))))
}
if (wants('providers')) {
  const databases = [await freshDatabase(), await freshDatabase()]
  const [few, many] = databases
  rows.push(...(await benchProviders(few && many && [few.url, many.url])))
  for (const database of databases) await database?.drop()
}
if (wants('import')) {
  rows.push(...(await benchImport('SQLite', undefined)))
  await withDatabase(async (url) => (url ? benchImport('PostgreSQL', url) : []))
}
if (wants('passwords')) rows.push(...(await benchPasswords()))
if (wanted.includes('enumeration')) {
  rows.push(...(await benchEnumeration('SQLite', undefined)))
  await withDatabase(async (url) => (url ? benchEnumeration('PostgreSQL', url) : []))
}
if (wanted.includes('overload')) rows.push(...(await benchOverload()))
if (wanted.includes('scale')) await withDatabase(benchScale)
if (wanted.includes('list')) await withDatabase(benchList)
if (wants('process')) rows.push(...(await benchProcess()))

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}\n`)
printTable(rows)
process.exit(0)
