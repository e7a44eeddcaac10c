/**
 * `npm run bench [part …] [number]`: measures the parts named, or all that are not marked `onlyWhenNamed`, and prints
 * the rows of each as soon as it has ended, and all of them again in one table. Each row is a ratio to something
 * measured in the same run. A part that fails is a row too; the exit code is then 1.
 */
import { availableParallelism, cpus } from 'node:os'
import { freshDatabase } from '../test/support/postgres.ts'
import { killRunning } from './child.ts'
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

const words = process.argv.slice(2)
const wanted = words.filter((word) => !/^\d+$/.test(word))
const size = words.find((word) => /^\d+$/.test(word))

/** The part `run` on SQLite and on PostgreSQL. */
function onBoth(run: (engine: string, databaseUrl: string | undefined) => Promise<Row[]>): () => Promise<Row[]> {
  return async () => [
    ...(await run('SQLite', undefined)),
    ...(await withDatabase(async (url) => (url ? run('PostgreSQL', url) : []))),
  ]
}

/** A database of its own for each part, so that none pays for another's rows. */
async function withDatabase(run: (url: string | undefined) => Promise<Row[]>): Promise<Row[]> {
  const database = await freshDatabase()
  if (!database) console.error('No PostgreSQL on this machine: its rows are left out.')
  try {
    return await run(database?.url)
  } finally {
    await database?.drop()
  }
}

interface Part {
  readonly name: string
  readonly onlyWhenNamed?: true
  readonly run: () => Promise<Row[]>
}

const parts: readonly Part[] = [
  { name: 'wire', run: benchWire },
  { name: 'store', run: () => withDatabase(benchStore) },
  { name: 'operation-6', run: onBoth(benchOperation6) },
  { name: 'sessions', run: onBoth(benchSessions) },
  { name: 'openid', run: onBoth(benchOpenId) },
  { name: 'openid-size', run: () => benchOpenIdSize(Number(size ?? 100_000)) },
  {
    name: 'providers',
    run: () => withDatabase((few) => withDatabase((many) => benchProviders(few && many ? [few, many] : undefined))),
  },
  { name: 'import', run: onBoth(benchImport) },
  { name: 'passwords', run: benchPasswords },
  { name: 'enumeration', onlyWhenNamed: true, run: onBoth(benchEnumeration) },
  { name: 'overload', onlyWhenNamed: true, run: benchOverload },
  { name: 'scale', onlyWhenNamed: true, run: () => withDatabase(benchScale) },
  { name: 'list', onlyWhenNamed: true, run: () => withDatabase(benchList) },
  { name: 'process', run: benchProcess },
]

const unknown = wanted.filter((word) => !parts.some(({ name }) => name === word))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${parts.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}\n`)
const rows: Row[] = []
for (const { name, onlyWhenNamed, run } of parts) {
  if (wanted.length === 0 ? onlyWhenNamed : !wanted.includes(name)) continue
  const began = performance.now()
  const found = await run().catch((error: unknown): Row[] => {
    process.exitCode = 1
    console.error(error)
    return [{ what: name, figure: 'FAILED', note: String(error) }]
  })
  await killRunning()
  console.log(`${name}, ${((performance.now() - began) / 1000).toFixed(0)} s`)
  printTable(found)
  console.log()
  rows.push(...found)
}
console.log('All parts')
printTable(rows)
// The PostgreSQL server of the test support ends with this process.
process.exit()
