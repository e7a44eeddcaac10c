/** The parts of the benchmark. Each runs in a process of its own, with a PostgreSQL database of its own. */
import { freshDatabase } from '../test/support/postgres.ts'
import type { Row } from './table.ts'

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

/** Modules are loaded by the process that needs them. */
export const parts: readonly Part[] = [
  { name: 'wire', run: async () => (await import('./wire.ts')).benchWire() },
  { name: 'store', run: async () => withDatabase((await import('./store.ts')).benchStore) },
  { name: 'operation-6', run: async () => withDatabase((await import('./engines.ts')).benchOperation6) },
  { name: 'sessions', run: async () => withDatabase((await import('./engines.ts')).benchSessions) },
  { name: 'callers', run: async () => withDatabase((await import('./engines.ts')).benchCallers) },
  { name: 'contention', run: async () => withDatabase((await import('./contention.ts')).benchContention) },
  { name: 'pauses', run: async () => (await import('./pauses.ts')).benchPauses() },
  { name: 'openid', run: async () => withDatabase((await import('./openid.ts')).benchOpenId) },
  { name: 'saml', run: async () => withDatabase((await import('./saml.ts')).benchSaml) },
  { name: 'providers', run: async () => withTwoDatabases((await import('./providers.ts')).benchProviders) },
  { name: 'scim', run: async (size) => (await import('./scim.ts')).benchScim(size) },
  { name: 'import', run: async () => withDatabase((await import('./import.ts')).benchImport) },
  { name: 'passwords', run: async () => (await import('./passwords.ts')).benchPasswords() },
  { name: 'sign-ins', run: async () => (await import('./sign-ins.ts')).benchSignInCost() },
  { name: 'process', run: async () => (await import('./process.ts')).benchProcess() },
  { name: 'kit', run: async () => (await import('./kit.ts')).benchKit() },
  { name: 'test-server', run: async () => (await import('./test-server.ts')).benchTestServer() },
  {
    name: 'scale',
    onlyWhenNamed: true,
    run: async () => withTwoDatabases((await import('./scale.ts')).benchScale),
  },
  {
    name: 'growth',
    onlyWhenNamed: true,
    run: async (size) => {
      const { benchGrowth } = await import('./growth.ts')
      return withTwoDatabases((urls) => benchGrowth(urls, size))
    },
  },
  {
    name: 'home',
    onlyWhenNamed: true,
    run: async (size) => {
      const { benchHomeCalls } = await import('./sign-ins.ts')
      return withTwoDatabases((urls) => benchHomeCalls(urls, size))
    },
  },
  {
    name: 'openid-size',
    onlyWhenNamed: true,
    run: async (size) => (await import('./openid.ts')).benchOpenIdSize(size),
  },
  {
    name: 'actions',
    onlyWhenNamed: true,
    run: async (size) => (await import('./actions.ts')).benchActions(size),
  },
  {
    name: 'stream',
    onlyWhenNamed: true,
    run: async (size) => (await import('./stream.ts')).benchStream(size),
  },
  {
    name: 'enumeration',
    onlyWhenNamed: true,
    run: async () => withDatabase((await import('./enumeration.ts')).benchEnumeration),
  },
  {
    name: 'group-members',
    onlyWhenNamed: true,
    run: async (size) => (await import('./group-members.ts')).benchGroupMembers(size),
  },
  {
    name: 'scim-filters',
    onlyWhenNamed: true,
    run: async (size) => (await import('./scim-filters.ts')).benchScimFilters(size),
  },
  { name: 'instances', onlyWhenNamed: true, run: async () => (await import('./instances.ts')).benchInstances() },
  {
    name: 'placement',
    onlyWhenNamed: true,
    run: async (size) => (await import('./placement.ts')).benchPlacement(size),
  },
  {
    name: 'overload',
    onlyWhenNamed: true,
    run: async () => withTwoDatabases((await import('./overload.ts')).benchOverload),
  },
]
