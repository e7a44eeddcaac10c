/**
 * Reads every statement that Signet sends to PostgreSQL in a test, and refuses the shapes that a distributed engine cannot
 * run, or a pooler that gives each transaction another session. The test fails, even where the error is caught.
 */
import pg from 'pg'
import { statementsOf } from '../../src/store/postgres/statements.ts'

/** A shape of a statement that Signet must not send. */
interface Shape {
  readonly name: string
  readonly why: string
  /** Only where tables are distributed; elsewhere it is right. */
  readonly onlyDistributed?: boolean
  /** `sql` is the whole call. */
  matches(sql: string): boolean
}

const TABLES = 'instances|events|documents|claims|jobs|writers|versions|folds|behind|nodes|removals|counters'
const VERB = /^(?:\s|--[^\n]*\n)*(\w+)/

const verbOf = (statement: string): string => VERB.exec(statement)?.[1]?.toLowerCase() ?? ''
const isOfSchema = (statement: string): boolean =>
  ['create', 'alter', 'drop', 'truncate', 'comment'].includes(verbOf(statement))

export const SHAPES: readonly Shape[] = [
  {
    name: 'several statements, and one changes the schema',
    why: 'a distributed engine refuses them in one call',
    matches(sql) {
      const statements = statementsOf(sql)
      return statements.length > 1 && statements.some(isOfSchema)
    },
  },
  {
    name: 'a conflict that is solved by a function of time or chance',
    why: 'each server would compute another value; write excluded.<column>',
    matches: (sql) =>
      /\bon conflict\b[^;]*\bdo update set\b[^;]*\b(now|clock_timestamp|statement_timestamp|current_timestamp|random|gen_random_uuid|nextval)\b/i.test(
        sql,
      ),
  },
  {
    name: 'a function with a mode of plans',
    why: 'there is no generic plan for a statement that goes to another server',
    onlyDistributed: true,
    matches: (sql) => statementsOf(sql).some((one) => isOfSchema(one) && /\bset plan_cache_mode\b/i.test(one)),
  },
  {
    name: 'rows copied from one table to another by one statement',
    why: 'Citus 13.2 writes SQL that is not valid; read, then insert values',
    matches: (sql) =>
      statementsOf(sql).some(
        (one) =>
          verbOf(one) === 'insert' &&
          new RegExp(`\\bselect\\b[\\s\\S]*\\b(?:from|join)\\s+(?:${TABLES})\\b`, 'i').test(one),
      ),
  },
  {
    name: 'a setting made by a condition',
    why: 'conditions are computed where the rows are, or before; write set local',
    matches: (sql) => /\b(?:where|and|or|not|on|when|having)\s*\(*\s*(?:select\s+)?set_config\s*\(/i.test(sql),
  },
  {
    name: 'an advisory lock of a session',
    why: 'it excludes nobody on other servers, and behind a pooler another session would release it',
    matches: (sql) => /\bpg_(?:try_)?advisory_(?:un)?lock/i.test(sql),
  },
  {
    name: 'a state of a session',
    why: 'behind a pooler the next transaction may have another session',
    matches: (sql) =>
      statementsOf(sql).some(
        (one) =>
          /^(?:\s|--[^\n]*\n)*(?:set\s+(?!local\b)|listen\b|prepare\b|discard\b|create\s+temp|declare\b[^;]*\bwith hold\b)/i.test(
            one,
          ) ||
          // Lists are faster without it, but right with it.
          /\bset_config\s*\(\s*'(?!jit')[^)]*\bfalse\s*\)/i.test(one),
      ),
  },
]

/** The shapes that a call has. */
export function shapesOf(sql: string, { isDistributed }: { readonly isDistributed: boolean }): readonly Shape[] {
  return SHAPES.filter(({ matches, onlyDistributed = false }) => (isDistributed || !onlyDistributed) && matches(sql))
}

interface Guarded {
  readonly connectionParameters: { readonly application_name?: string }
}

/** The text of a call of the driver. */
function textOf(call: unknown): string | undefined {
  if (typeof call === 'string') return call
  const text = (call as { readonly text?: unknown } | undefined)?.text
  return typeof text === 'string' ? text : undefined
}

const readers = new Set<(sql: string) => void>()
let isWatching = false

/** Reads what Signet sends from now on in this process; tests themselves may send anything. */
export function watchStatements(): void {
  if (isWatching) return
  isWatching = true
  const send = pg.Client.prototype.query as (...call: readonly unknown[]) => unknown
  const known = new Set<string>()
  const guarded = function query(this: Guarded, ...call: readonly unknown[]): unknown {
    const sql = this.connectionParameters.application_name === 'signet' ? textOf(call[0]) : undefined
    if (sql !== undefined) for (const read of readers) read(sql)
    if (sql !== undefined && !known.has(sql)) {
      known.add(sql)
      const [shape] = shapesOf(sql, { isDistributed: false })
      if (shape !== undefined) {
        const problem = `Signet must not send ${shape.name}: ${shape.why}\n${sql}`
        // Some errors are caught and reported: the file fails all the same.
        process.exitCode = 1
        process.on('exit', () => {
          console.error(problem)
          process.exitCode = 1
        })
        throw new Error(problem)
      }
    }
    return send.apply(this, [...call])
  }
  pg.Client.prototype.query = guarded as typeof pg.Client.prototype.query
}

/** Collects the statements that Signet sends while `work` runs. */
export async function statementsDuring(work: () => Promise<void>): Promise<readonly string[]> {
  watchStatements()
  const statements: string[] = []
  const read = (sql: string) => void statements.push(sql)
  readers.add(read)
  try {
    await work()
  } finally {
    readers.delete(read)
  }
  return statements
}
