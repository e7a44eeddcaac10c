/** The doctor's look at what goes out: webhooks and targets that do not work, and those that were given up. */
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, databaseFile } from '../../config/index.ts'
import { QUEUES_IN_TROUBLE } from '../../features/deliveries/index.ts'
import { type Check, tracelessly } from './checks.ts'

const PATIENCE_MS = 5_000
const { failing, parked } = QUEUES_IN_TROUBLE

/** How many queues there are of each kind; none where there are no tables yet. */
async function countQueues({ databaseUrl, dataDir }: Config): Promise<ReadonlyMap<string, number>> {
  const counted = (rows: readonly object[]) =>
    new Map((rows as { kind: string; number: number }[]).map(({ kind, number }) => [kind, Number(number)]))
  const query = `select kind, count(*) as number from jobs where kind in ('${failing}', '${parked}') group by kind`
  if (databaseUrl) {
    const { connect, listTargets } = await import('../../store/postgres/connection.ts')
    const targets = listTargets(databaseUrl.reveal())
    const connection = await connect({ targets, connectTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS })
    return connection.client
      .query(query)
      .then(({ rows }) => counted(rows))
      .finally(() => connection.end())
  }
  const file = databaseFile(resolve(dataDir))
  await access(file)
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(await tracelessly(file), { readOnly: true, timeout: PATIENCE_MS })
  try {
    return counted(database.prepare(query).all())
  } finally {
    database.close()
  }
}

export const checkDeliveries: Check = async (config) => {
  // A database that is not there yet, or cannot be read, is the matter of another check.
  const queues = await countQueues(config).catch(() => new Map<string, number>())
  const [trying, givenUp] = [queues.get(failing) ?? 0, queues.get(parked) ?? 0]
  if (trying + givenUp === 0) return { verdict: 'ok', text: 'no webhook or target fails' }
  const text = `${trying} webhooks or targets fail and are tried again, ${givenUp} were given up after three days`
  return { verdict: 'note', text: `${text}; events wait for them, see Webhooks in the console.` }
}
