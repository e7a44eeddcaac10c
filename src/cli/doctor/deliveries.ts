/** The doctor's look at what goes out: webhooks and targets that do not work, and those that were given up. */
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, databaseFile } from '../../config/index.ts'
import { QUEUES_IN_TROUBLE, troubleOf } from '../../features/deliveries/index.ts'
import { type Check, tracelessly } from './checks.ts'

const PATIENCE_MS = 5_000
const { failing, parked } = QUEUES_IN_TROUBLE

/** How many are named. */
const MOST_NAMED = 3

interface Queue {
  readonly kind: string
  readonly name: string
  readonly reason: string
}

/** The queues that do not work; none where there are no tables yet. */
async function readQueues({ databaseUrl, dataDir }: Config): Promise<readonly Queue[]> {
  const named = (rows: readonly object[]) =>
    (rows as { kind: string; id: string; data: string }[]).map(({ kind, id, data }) => ({
      kind,
      ...troubleOf(id, data),
    }))
  const query = `select kind, id, cast(data as text) as data from jobs where kind in ('${failing}', '${parked}') order by id`
  if (databaseUrl) {
    const { connect, listTargets } = await import('../../store/postgres/connection.ts')
    const targets = listTargets(databaseUrl.reveal())
    const connection = await connect({ targets, connectTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS })
    return connection.client
      .query(query)
      .then(({ rows }) => named(rows))
      .finally(() => connection.end())
  }
  const file = databaseFile(resolve(dataDir))
  await access(file)
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(await tracelessly(file), { readOnly: true, timeout: PATIENCE_MS })
  try {
    return named(database.prepare(query).all())
  } finally {
    database.close()
  }
}

export const checkDeliveries: Check = async (config) => {
  // A database that is not there yet, or cannot be read, is the matter of another check.
  const queues = await readQueues(config).catch(() => [])
  if (queues.length === 0) return { verdict: 'ok', text: 'no webhook or target fails' }
  const givenUp = queues.filter(({ kind }) => kind === parked)
  const text = `${queues.length - givenUp.length} webhooks or targets fail and are tried again, ${givenUp.length} were given up after three days or because they answered 410`
  const some = [...givenUp, ...queues.filter((one) => !givenUp.includes(one))].slice(0, MOST_NAMED)
  const names = some.map(({ name, reason }) => `${name}: ${reason}`).join(', ')
  const more = queues.length > some.length ? ', …' : ''
  return {
    verdict: 'note',
    text: `${text} (${names}${more}); events wait for them, see Webhooks and Actions in the console.`,
  }
}
