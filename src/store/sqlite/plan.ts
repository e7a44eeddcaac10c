/** What a start of this version would change in a SQLite file. */
import { access } from 'node:fs/promises'
import type { AnyKind } from '../kind.ts'
import { sqliteDialect } from '../query/dialect.ts'
import { FIELD_INDEX_PREFIX, indexStatements } from '../query/schema.ts'
import { planKinds, problemsOf, type UpgradePlan } from '../transfer/upgrade-plan.ts'
import { openReadOnly } from './connection.ts'
import { migrations } from './migrations.ts'
import { openSqliteSnapshot } from './transfer.ts'

/** Says what a start of this version would do, without doing it. */
export async function planSqliteUpgrade(file: string, kinds: readonly AnyKind[]): Promise<UpgradePlan> {
  const wanted = migrations.length
  const after = { wanted, oldestAfter: wanted }
  const plan = { engine: 'sqlite', nodes: [], oldNodesContinue: false } as const
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    return {
      ...plan,
      schema: { current: 0, oldest: 0, ...after },
      kinds: [],
      indexes: { build: [], drop: [] },
      problems: [],
    }
  }
  const database = openReadOnly(file)
  const snapshot = await openSqliteSnapshot(file)
  try {
    const row = database.prepare(`select version from versions where instance = 1 and name = 'schema'`).get()
    const current = Number(row?.version ?? 0)
    const planned = await planKinds(snapshot, kinds, async (documentKind) => {
      const text = 'select count(*) as count from documents where instance = 1 and kind = ?'
      return Number(database.prepare(text).get(documentKind)?.count ?? 0)
    })
    const names = kinds.flatMap((kind) => indexStatements(kind, sqliteDialect).map(({ name }) => name))
    const existing = database
      .prepare(`select name from sqlite_schema where type = 'index' and tbl_name = 'documents'`)
      .all()
      .map(({ name }) => String(name))
    const prefixes = kinds.map(({ name }) => `${FIELD_INDEX_PREFIX}${name}.`)
    const isOurs = (name: string) => prefixes.some((prefix) => name.startsWith(prefix))
    const problems =
      current > wanted ? [`The database has schema version ${current}; this program knows ${wanted}.`] : []
    return {
      ...plan,
      schema: { current, oldest: current, ...after },
      kinds: planned,
      indexes: {
        build: names.filter((name) => !existing.includes(name)),
        drop: existing.filter((name) => isOurs(name) && !names.includes(name)),
      },
      problems: [...problems, ...problemsOf(planned)],
    }
  } finally {
    await snapshot.close()
    database.close()
  }
}
