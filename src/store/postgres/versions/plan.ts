/** What a start of this version would change in a PostgreSQL database. */
import type { AnyKind } from '../../kind.ts'
import { postgresDialect } from '../../query/dialect.ts'
import { FIELD_INDEX_PREFIX, indexStatements } from '../../query/schema.ts'
import { type NodePlan, planKinds, problemsOf, type UpgradePlan } from '../../transfer/upgrade-plan.ts'
import { type Connection, connect, listTargets } from '../connection.ts'
import { migrations, OLDEST_SCHEMA, oldestSchema } from '../migrations.ts'
import { CONNECT_TIMEOUT_MS, openPostgresSnapshot } from '../transfer.ts'
import { nameOfDocuments, readPlainVersions } from './document-kinds.ts'

async function readSchema({ client }: Connection): Promise<UpgradePlan['schema']> {
  const after = { wanted: migrations.length, oldestAfter: oldestSchema(migrations) }
  const { rows: tables } = await client.query(`select 1 where to_regclass('versions') is not null`)
  if (tables.length === 0) return { current: 0, oldest: 0, ...after }
  const { rows } = await client.query<{ name: string; version: number }>(
    `select name, version from versions where instance = 1 and name in ('schema', '${OLDEST_SCHEMA}')`,
  )
  const current = rows.find(({ name }) => name === 'schema')?.version ?? 0
  const oldest = rows.find(({ name }) => name === OLDEST_SCHEMA)?.version ?? current
  return { current, oldest, ...after, wanted: Math.max(current, migrations.length) }
}

async function hasTable({ client }: Connection, table: string): Promise<boolean> {
  return (await client.query(`select 1 where to_regclass($1) is not null`, [table])).rows.length > 0
}

async function planIndexes(connection: Connection, kinds: readonly AnyKind[]): Promise<UpgradePlan['indexes']> {
  const plain = await readPlainVersions(connection)
  const dialect = {
    ...postgresDialect,
    documentKind: (kind: AnyKind) => nameOfDocuments(kind, plain.get(kind.name) || undefined),
  }
  const wanted = kinds.flatMap((kind) => indexStatements(kind, dialect).map(({ name }) => name))
  const { rows } = await connection.client.query<{ name: string; valid: boolean }>(
    `select c.relname::text as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'documents'::regclass`,
  )
  const valid = new Set(rows.filter((row) => row.valid).map(({ name }) => name))
  const prefixes = kinds.map((kind) => `${FIELD_INDEX_PREFIX}${dialect.documentKind(kind)}.`)
  return {
    build: wanted.filter((name) => !valid.has(name)),
    drop: [...valid].filter((name) => prefixes.some((prefix) => name.startsWith(prefix)) && !wanted.includes(name)),
  }
}

async function readNodes(connection: Connection, kinds: readonly AnyKind[]): Promise<readonly NodePlan[]> {
  if (!(await hasTable(connection, 'nodes'))) return []
  const { rows } = await connection.client.query<{ node: string; release: string; seen: number; folds: string }>(
    `select node, release, extract(epoch from now() - seen_at)::bigint as seen, array_to_json(folds)::text as folds
     from nodes where instance = 1 order by started_at`,
  )
  const own = new Set(kinds.map(({ name, version }) => `${name}@${version}`))
  return rows.map(({ node, release, seen, folds }) => {
    const others = (JSON.parse(folds) as string[]).filter((fold) => !own.has(fold))
    return { node, release, seenSecondsAgo: seen, others }
  })
}

/** Says what a start of this version would do, without doing it. */
export async function planPostgresUpgrade(url: string, kinds: readonly AnyKind[]): Promise<UpgradePlan> {
  const connection = await connect({
    targets: listTargets(url),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: 0,
  })
  try {
    const schema = await readSchema(connection)
    const isEmpty = !(await hasTable(connection, 'events'))
    const problems: string[] = []
    if (schema.oldest > migrations.length) {
      problems.push(
        `The database needs a program that knows schema ${schema.oldest}; this one knows ${migrations.length}.`,
      )
    }
    const nodes = await readNodes(connection, kinds)
    const oldNodesContinue = schema.oldestAfter <= schema.current || isEmpty
    const plan = { engine: 'postgres', schema, nodes, oldNodesContinue } as const
    if (isEmpty) return { ...plan, kinds: [], indexes: { build: [], drop: [] }, problems }
    const snapshot = await openPostgresSnapshot(url)
    try {
      const planned = await planKinds(snapshot, kinds, async (documentKind) => {
        const text = 'select count(*) as count from documents where instance = 1 and kind = $1'
        return (await connection.client.query<{ count: number }>(text, [documentKind])).rows[0]?.count ?? 0
      })
      const indexes = await planIndexes(connection, kinds)
      return { ...plan, kinds: planned, indexes, problems: [...problems, ...problemsOf(planned)] }
    } finally {
      await snapshot.close()
    }
  } finally {
    await connection.end()
  }
}
