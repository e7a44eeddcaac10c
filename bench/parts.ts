/** The parts of the benchmark. Each runs in a process of its own, with a PostgreSQL database of its own. */
import { freshDatabase } from '../test/support/postgres.ts'
import { benchCallers, benchOperation6, benchSessions } from './engines.ts'
import { benchEnumeration } from './enumeration.ts'
import { benchGrowth } from './growth.ts'
import { benchImport } from './import.ts'
import { benchOpenId, benchOpenIdSize } from './openid.ts'
import { benchOverload } from './overload.ts'
import { benchPasswords } from './passwords.ts'
import { benchPauses } from './pauses.ts'
import { benchProcess } from './process.ts'
import { benchProviders } from './providers.ts'
import { benchScale } from './scale.ts'
import { benchStore } from './store.ts'
import type { Row } from './table.ts'
import { benchWire } from './wire.ts'

export interface Part {
  readonly name: string
  /** For parts that take long or are no comparison of speeds. */
  readonly onlyWhenNamed?: true
  /** `size` is a number that was given beside the names of the parts. */
  run(size: number | undefined): Promise<Row[]>
}

/** Without PostgreSQL on this machine, `run` gets undefined and leaves those rows out. */
async function withDatabase(run: (url: string | undefined) => Promise<Row[]>): Promise<Row[]> {
  const database = await freshDatabase()
  if (!database) console.error('No PostgreSQL on this machine: its rows are left out.')
  try {
    return await run(database?.url)
  } finally {
    await database?.drop()
  }
}

function withTwoDatabases(run: (urls: readonly [string, string] | undefined) => Promise<Row[]>): Promise<Row[]> {
  return withDatabase((one) => withDatabase((other) => run(one && other ? [one, other] : undefined)))
}

export const parts: readonly Part[] = [
  { name: 'wire', run: benchWire },
  { name: 'store', run: () => withDatabase(benchStore) },
  { name: 'operation-6', run: () => withDatabase(benchOperation6) },
  { name: 'sessions', run: () => withDatabase(benchSessions) },
  { name: 'callers', run: () => withDatabase(benchCallers) },
  { name: 'pauses', run: benchPauses },
  { name: 'openid', run: () => withDatabase(benchOpenId) },
  { name: 'providers', run: () => withTwoDatabases(benchProviders) },
  { name: 'import', run: () => withDatabase(benchImport) },
  { name: 'passwords', run: benchPasswords },
  { name: 'process', run: benchProcess },
  { name: 'scale', onlyWhenNamed: true, run: () => withTwoDatabases(benchScale) },
  { name: 'growth', onlyWhenNamed: true, run: (size) => withTwoDatabases((urls) => benchGrowth(urls, size)) },
  { name: 'openid-size', onlyWhenNamed: true, run: benchOpenIdSize },
  {
    name: 'enumeration',
    onlyWhenNamed: true,
    run: () => withDatabase(benchEnumeration),
  },
  { name: 'overload', onlyWhenNamed: true, run: benchOverload },
]
