/** Reads from PostgreSQL. Each call is one statement, so that its whole answer comes from one snapshot. */
import type { QueryConfig } from 'pg'
import type { Instant } from '../../kernel/instant.ts'
import { type Holder, MAX_CHANGES } from '../cache/read-cache.ts'
import type { Changed, DocumentRow, FoundRows } from '../engine.ts'
import type { Stamp } from '../history.ts'
import type { TraceContext } from '../observer.ts'
import { type CompiledQuery, FEW_MATCHES } from '../query/index.ts'
import type { StreamName } from '../streams.ts'
import { type Connection, inTransaction } from './connection.ts'
import { REBUILDS } from './migrations.ts'
import type { Pool } from './pool.ts'
import { kindOfDocuments } from './versions/document-kinds.ts'

/** Columns of `documents` in SQL; `documentRow` reads them. */
export const documentColumns = 'kind, id, owner, state, gone, revision, sequence, created_at, changed_at'

export interface DocumentColumns {
  readonly kind: string
  readonly id: string
  readonly owner: string
  readonly state: string
  readonly gone: boolean
  readonly revision: number
  readonly sequence: number
  readonly created_at: Instant
  readonly changed_at: Instant
}

export function documentRow(row: DocumentColumns): DocumentRow {
  return {
    kind: kindOfDocuments(row.kind),
    id: row.id,
    owner: row.owner,
    state: row.state,
    gone: row.gone,
    revision: row.revision,
    sequence: row.sequence,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}

/**
 * When the server was started, and how often documents were rebuilt. Every acknowledged commit survives as long as the
 * server runs; after that, a standby may have been promoted that lacks some, and sequences may be given out again.
 */
export const HISTORY = `(extract(epoch from pg_postmaster_start_time())::text || ' ' ||
  (select coalesce(sum(version), 0) from versions where instance = 1 and name = '${REBUILDS}')::text)`

const CHANGES = `select 0 as part, ${HISTORY} as kind, null as id, null as owner, null::jsonb as state, null::boolean as gone,
    null::integer as revision, sequence, null::bigint as created_at, null::bigint as changed_at
  from instances where id = 1
  union all (select 1, kind, id, null, null, null, null, sequence, null, null from events
    where instance = 1 and sequence > $1 order by sequence limit ${MAX_CHANGES})
  union all select 1, kind, null, null, null, null, null, sequence, null, null from removals
    where instance = 1 and sequence > $1`

const DOCUMENTS = `select 2, d.* from unnest($2::text[], $3::text[]) as w(kind, id) cross join lateral (
    select ${documentColumns} from documents d where d.instance = 1 and d.kind = w.kind and d.id = w.id limit 1) d`

/** The holder's kind is in the place of a state. The last row says whether documents that claim values are behind. */
const HOLDERS = `select 3, h.kind, h.value, h.id, to_jsonb(h.holder_kind), null, null, null, null, null
  from unnest($4::text[], $5::text[]) as w(kind, value) cross join lateral (
    select * from claims h where h.instance = 1 and h.kind = w.kind and h.value = w.value limit 1) h
  union all select 4, '', '', '', null, exists (select from behind) and exists (
    select from behind where instance = 1 and document_kind = any($6::text[])), null, null, null, null`

const STATEMENTS = {
  changes: CHANGES,
  documents: `${CHANGES} union all ${DOCUMENTS}`,
  holders: `${CHANGES} union all ${DOCUMENTS} union all ${HOLDERS}`,
}

/** A value that a stream may have claimed. */
export interface ClaimName {
  readonly kind: string
  readonly value: string
}

/** What one statement reads for all callers that wait for it. */
export interface Wanted {
  readonly documents: readonly StreamName[]
  readonly claims: readonly ClaimName[]
  /** The names of the documents whose kinds claim values. */
  readonly claiming: readonly string[]
}

export interface RoundAnswer extends Stamp {
  /** Since the given sequence. */
  readonly changed: readonly Changed[]
  readonly rows: readonly DocumentRow[]
  readonly holders: readonly (ClaimName & { readonly holder: Holder })[]
  /** Whether a claim may be missing until documents are folded again (0048). */
  readonly areClaimsBehind: boolean
}

function roundQuery(since: number, { documents, claims, claiming }: Wanted): QueryConfig {
  if (claims.length > 0) {
    const values = [claims.map(({ kind }) => kind), claims.map(({ value }) => value), claiming]
    return { name: 'round_with_holders', text: STATEMENTS.holders, values: [since, ...namesOf(documents), ...values] }
  }
  if (documents.length > 0) return { name: 'round', text: STATEMENTS.documents, values: [since, ...namesOf(documents)] }
  return { name: 'changes', text: STATEMENTS.changes, values: [since] }
}

/** What changed since a sequence, and what is wanted, from one snapshot, for the callers of these contexts. */
export function readRound(
  pool: Pool,
  since: number,
  wanted: Wanted,
  contexts: readonly TraceContext[],
): Promise<RoundAnswer> {
  const run = async ({ client }: Connection): Promise<RoundAnswer> => {
    const { rows } = await client.query<DocumentColumns & { part: number }>(roundQuery(since, wanted))
    const [now] = rows
    if (now?.part !== 0) throw new Error('The database has no instance.')
    const ofPart = (part: number) => rows.filter((row) => row.part === part)
    return {
      history: now.kind,
      sequence: now.sequence,
      changed: ofPart(1).map(({ kind, id }) => [kind, id] as const),
      rows: ofPart(2).map(documentRow),
      holders: ofPart(3).map(({ kind, id, owner, state }) => ({
        kind,
        value: id,
        holder: { kind: JSON.parse(state) as string, id: owner },
      })),
      areClaimsBehind: ofPart(4).some(({ gone }) => gone),
    }
  }
  return pool.read('get', run, contexts)
}

/** The columns of `unnest` for these names. */
function namesOf(batch: readonly StreamName[]): readonly (readonly string[])[] {
  return [batch.map(({ kind }) => kind), batch.map(({ id }) => id)]
}

/** Whether some of the documents that an answer depends on must be folded again first (0048). */
export interface MayBeBehind {
  readonly isBehind: boolean
}

/** The stream that holds a claim, if there is one. `claiming` are the names of the documents whose kinds claim values. */
export async function findHolder(
  { client }: Connection,
  claimKind: string,
  value: string,
  claiming: readonly string[],
): Promise<{ readonly holder: Holder | undefined } & Stamp & MayBeBehind> {
  const { rows } = await client.query<{ kind: string | null; id: string } & Stamp & MayBeBehind>({
    name: 'holder',
    text: `select h.holder_kind as kind, h.id, ${HISTORY} as history, i.sequence,
        exists (select from behind) and exists (
          select from behind where instance = 1 and document_kind = any($3::text[])) as "isBehind"
      from instances i left join claims h on h.instance = 1 and h.kind = $1 and h.value = $2 where i.id = 1`,
    values: [claimKind, value, claiming],
  })
  const [{ kind, id, ...stamp } = { kind: null, id: '', history: '', sequence: 0, isBehind: false }] = rows
  return { ...stamp, holder: kind === null ? undefined : { kind, id } }
}

const MOST_NAMED = 200
const names = new Map<string, string>()

/**
 * Names a statement, so that each connection plans it once: planning costs more than finding. Only the first statements
 * get a name, because filters have no end of combinations and every connection keeps all named ones.
 */
export function nameOf(text: string): { name?: string } {
  const name = names.get(text) ?? (names.size < MOST_NAMED ? `find_${names.size}` : undefined)
  if (name === undefined) return {}
  names.set(text, name)
  return { name }
}

/**
 * Whether enough documents match that the page is read in the order of an index instead of being sorted; asked where only
 * the data tell. The page itself comes from one later snapshot.
 */
async function hasManyMatches({ client }: Connection, query: KnownQuery): Promise<boolean> {
  if (query.knownTotal !== undefined) return true
  const { where, parameters } = query
  const text = `select from documents where ${where} offset ${FEW_MATCHES} limit 1`
  return (await client.query({ ...nameOf(text), text, values: [...parameters] })).rows.length > 0
}

/** A query whose total may be known already, and above `FEW_MATCHES`. */
export interface KnownQuery extends CompiledQuery {
  readonly knownTotal?: number
}

/** The answer to a query, without the total if it is known. */
export type FoundPage = Omit<FoundRows, 'total'> & { readonly total: number | undefined }

/** The same, and whether it may be used. */
export type StampedRows = FoundPage & MayBeBehind

/** How many documents are read in the order of a list with many matches before PostgreSQL chooses another way. */
const MAX_READ_IN_ORDER = 5_000

/** A page, the total, and where in which history they were read. */
export async function findDocuments(connection: Connection, query: KnownQuery): Promise<StampedRows> {
  const { where, ofKind, limit, offset, knownTotal, orderByIndex, orderByOfMany } = query
  if (query.isSorted) return readPage(connection, query, `from documents where ${where} order by ${query.orderBy}`)
  if (knownTotal !== undefined && orderByIndex !== undefined && offset + limit < MAX_READ_IN_ORDER) {
    // The first documents often contain the page; by its estimates, PostgreSQL might sort all matches instead.
    const { sql, key } = orderByIndex
    const first = `select *, ${key} as sort_key from documents where ${ofKind} order by ${sql} limit ${MAX_READ_IN_ORDER}`
    const found = await readPage(
      connection,
      query,
      `from (${first}) documents where ${where} order by ${sql.replace(key, 'sort_key')}`,
    )
    if (found.rows.length === limit) return found
  }
  if (query.isTextSearch && knownTotal === undefined && orderByIndex !== undefined)
    return searchTexts(connection, query)
  const isMany = orderByOfMany !== undefined && (await hasManyMatches(connection, query))
  return readPage(connection, query, `from documents where ${where} order by ${isMany ? orderByOfMany : query.orderBy}`)
}

/**
 * A page of the documents with a text inside. They are looked for once, in any order, because PostgreSQL then reads them in
 * parallel; in the order of the list it would read them alone, and once more to count.
 */
function searchTexts(connection: Connection, query: KnownQuery): Promise<StampedRows> {
  const { where, ofKind, orderByIndex: { sql, key } = { sql: '', key: '' } } = query
  const [limit, offset] = pageParameters(query)
  const matches = `matches as materialized (select id, ${key} as sort_key from documents where ${where})`
  const ids = `select id from matches order by ${sql.replace(key, 'sort_key')} limit ${limit} offset ${offset}`
  const page = `select ${documentColumns} from documents where ${ofKind} and id = any(array(${ids})) order by ${sql}`
  const count = '(select count(*) from matches)'
  return byIndex(connection, () => readFound(connection, query, { matches: `${matches}, `, page, count }))
}

/**
 * Has PostgreSQL find the documents of a kind by an index, when all of them have to be read or just some of those that match.
 * The whole table may be many times as large, and all matches at its end, which its estimates do not show.
 */
function byIndex<Value>(connection: Connection, read: () => Promise<Value>): Promise<Value> {
  return inTransaction(connection, async () => {
    // Also on the server that has the tables, which may be another one.
    if (connection.isDistributed) await connection.client.query(`set local citus.propagate_set_commands = 'local'`)
    await connection.client.query('set local enable_seqscan = off')
    return read()
  })
}

/** The page of the documents that `source`, the end of a statement, finds. */
function readPage(connection: Connection, query: KnownQuery, source: string): Promise<StampedRows> {
  const [limit, offset] = pageParameters(query)
  const page = `select ${documentColumns} ${source} limit ${limit} offset ${offset}`
  const count = query.knownTotal !== undefined ? 'null' : `(select count(*) from documents where ${query.where})`
  return readFound(connection, query, { matches: '', page, count })
}

function pageParameters({ parameters }: CompiledQuery): [limit: string, offset: string] {
  return [`$${parameters.length + 1}::bigint`, `$${parameters.length + 2}::bigint`]
}

/** Parts of a statement: a table expression for the others, the page in its order, and the total. */
interface FindingParts {
  readonly matches: string
  readonly page: string
  readonly count: string
}

async function readFound(
  { client }: Connection,
  query: CompiledQuery,
  { matches, page, count }: FindingParts,
): Promise<StampedRows> {
  const { parameters, documentKinds } = query
  const [limit, offset] = pageParameters(query)
  const names = documentKinds.map((name) => `'${name}'`).join(', ')
  // A page that is not full is the last one and needs no count. The left join returns total and sequence even for an
  // empty page; row_number keeps the order of the page.
  const text = `
      with ${matches}page as materialized (
        select row_number() over () as position, found.* from (${page}) found
      )
      select case when size.rows < ${limit} and (size.rows > 0 or ${offset} = 0) then ${offset} + size.rows
          else ${count} end as total, (select sequence from instances where id = 1) as last_sequence, ${HISTORY} as history,
        exists (select from behind where instance = 1 and document_kind in (${names})) as is_behind, page.*
      from (select count(*) as rows from page) size left join page on true order by position`
  const { rows } = await client.query<
    {
      total: number | null
      last_sequence: number
      history: string
      is_behind: boolean
      position: number | null
    } & DocumentColumns
  >({ ...nameOf(text), text, values: [...parameters, query.limit, query.offset] })
  return {
    rows: rows.filter(({ position }) => position !== null).map(documentRow),
    total: rows[0]?.total ?? undefined,
    sequence: rows[0]?.last_sequence ?? 0,
    history: rows[0]?.history ?? '',
    isBehind: rows[0]?.is_behind ?? false,
  }
}

/** The values of a column in the documents that match a query, and where they were read. */
export async function findValues(
  connection: Connection,
  { where, parameters, documentKinds, isTextSearch, limit: wanted }: CompiledQuery,
  column: string,
  limit: number,
): Promise<{ readonly values: readonly unknown[] } & Stamp & MayBeBehind> {
  const names = documentKinds.map((name) => `'${name}'`).join(', ')
  const matching = `select ${column} as value from documents where ${where}`
  // With the limit inside, PostgreSQL would expect to find that many soon and not read in parallel.
  const [matches, source] = isTextSearch
    ? [`with matches as materialized (${matching})`, 'select value from matches']
    : ['', matching]
  const text = `${matches}
      select to_json(array(${source} limit ${limit}))::text as found,
        (select sequence from instances where id = 1) as sequence, ${HISTORY} as history,
        exists (select from behind where instance = 1 and document_kind in (${names})) as "isBehind"`
  const read = () =>
    connection.client.query<{ found: string } & Stamp & MayBeBehind>({
      ...nameOf(text),
      text,
      values: [...parameters],
    })
  const { rows } = await (isTextSearch || wanted > 0 ? byIndex(connection, read) : read())
  const [{ found, ...stamp } = { found: '[]', history: '', sequence: 0, isBehind: false }] = rows
  return { ...stamp, values: JSON.parse(found) as unknown[] }
}
