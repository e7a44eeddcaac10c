/** What differs where PostgreSQL distributes its tables over several servers (Citus). Elsewhere nothing here does anything. */
import { DatabaseRefused } from '../transfer/types.ts'
import type { Connection } from './connection.ts'

/**
 * Runs a statement that changes the schema. The coordinator tells all servers of the cluster about it, and no other server
 * may.
 */
export async function changeSchema({ client, isWorker }: Connection, statement: string): Promise<void> {
  if (isWorker) {
    throw new DatabaseRefused(
      `The database needs a change of its schema, and ${client.host}:${client.port} is a worker of a Citus cluster. Start Signet once with the address of the coordinator in SIGNET_DATABASE_URL.`,
    )
  }
  await client.query(statement)
}

const DURABLE = ['on', 'remote_apply']

/**
 * Refuses a cluster that would acknowledge commits that are not durable. A commit sets `synchronous_commit` itself, but only
 * in its own session: on the server that has the rows, the setting of that server counts.
 */
export async function checkDurability({ client, isDistributed }: Connection): Promise<void> {
  if (!isDistributed) return
  const { rows } = await client.query<{ host: string; port: number; success: boolean; result: string }>(
    `select nodename::text as host, nodeport as port, success, result
     from run_command_on_workers('show synchronous_commit') order by nodename, nodeport`,
  )
  for (const { host, port, success, result } of rows) {
    if (!success) throw new DatabaseRefused(`The worker ${host}:${port} of the Citus cluster did not answer: ${result}`)
    if (DURABLE.includes(result)) continue
    throw new DatabaseRefused(
      `synchronous_commit is ${result} on the worker ${host}:${port} of the Citus cluster, so a crash could lose what was acknowledged. Set it to on there: alter system set synchronous_commit = on; select pg_reload_conf()`,
    )
  }
}
