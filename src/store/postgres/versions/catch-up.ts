/**
 * Folds documents again that another version of their kind has left behind (0048). Such a document has revision -1, and a
 * row in `behind` has the sequence of its stream's last event. The document is written and the row deleted only if that
 * is still the event that was folded last. So no lock is held while this node reads and folds.
 */
import type { DocumentRow } from '../../engine.ts'
import { claimsOf } from '../../fold.ts'
import { type StreamName, streamKey } from '../../streams.ts'
import type { StoredEvent } from '../../types.ts'
import { bigints, booleans, integers, jsonbs, texts } from '../arrays.ts'
import { type Connection, inHastyTransaction } from '../connection.ts'
import { sqlState } from '../errors.ts'
import { type EventColumns, eventColumns, storedEvent } from '../log.ts'
import type { Pool } from '../pool.ts'
import { type DocumentColumns, documentColumns, documentRow } from '../read.ts'
import type { DocumentKinds, DocumentSet } from './document-kinds.ts'

/** How many streams are folded at once. */
const AT_ONCE = 200
const DEADLOCK = '40P01'
const MOST_ATTEMPTS = 5

interface Claim {
  readonly kind: string
  readonly value: string
}

/** A document that was folded again, and what changes with it. */
interface Refolded {
  readonly set: DocumentSet
  readonly row: DocumentRow
  /** The sequence of the document before. */
  readonly before: number
  readonly released: readonly Claim[]
  readonly claims: readonly Claim[]
}

/** A claim that only one version makes, and that another stream holds. */
export interface LostClaim extends Claim {
  readonly id: string
}

export interface CatchUpOptions {
  readonly pool: Pool
  readonly kinds: DocumentKinds
  /** Throws when this node is too old for the events of a stream. */
  checkEvents(connection: Connection, set: DocumentSet, events: readonly StoredEvent[]): Promise<void>
  /** Called with the values that a document claims but does not get. */
  onLostClaims(kind: string, lost: readonly LostClaim[]): void
}

const STREAMS = `select s.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
    select ${eventColumns} from events e where e.instance = 1 and e.id = w.id and e.kind = w.kind order by e.revision) s
  order by s.sequence`

const DOCUMENTS = `select d.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
    select ${documentColumns} from documents d
    where d.instance = 1 and d.kind = w.kind and d.id = w.id limit 1) d`

// A row that is locked belongs to a commit, which changes the stream again, or to another node that does the same work.
// When it is lost, so is the deletion of the row. The claims are compared with the document that
// was read, so it must still be the same.
const WRITE = (waits: boolean) => `with wanted as materialized (
    select b.document_kind, b.id from behind b
    join unnest($1::text[], $2::text[], $3::bigint[], $10::bigint[]) as w(kind, id, sequence, before)
      on b.document_kind = w.kind and b.id = w.id and b.sequence = w.sequence
    join documents d on d.instance = 1 and d.kind = w.kind and d.id = w.id and d.sequence = w.before
    where b.instance = 1 order by b.document_kind, b.id for update of b${waits ? '' : ' skip locked'}
  ), done as (
    delete from behind b using wanted w
    where b.instance = 1 and b.document_kind = w.document_kind and b.id = w.id returning b.document_kind, b.id
  )
  update documents d set owner = f.owner, state = f.state, gone = f.gone, revision = f.revision, sequence = f.sequence,
    created_at = f.created_at, changed_at = f.changed_at
  from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::jsonb[], $6::boolean[], $7::integer[], $8::bigint[],
      $9::bigint[]) as f(kind, id, sequence, owner, state, gone, revision, created_at, changed_at)
    join done on done.document_kind = f.kind and done.id = f.id
  where d.instance = 1 and d.kind = f.kind and d.id = f.id
  returning d.kind, d.id`

async function writeDocuments(
  { client }: Connection,
  folded: readonly Refolded[],
  waits: boolean,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<StreamName>({
    name: waits ? 'catch_up_waiting' : 'catch_up',
    text: WRITE(waits),
    values: [
      texts(folded, ({ set }) => set.documentKind),
      texts(folded, ({ row }) => row.id),
      bigints(folded, ({ row }) => row.sequence),
      texts(folded, ({ row }) => row.owner),
      jsonbs(folded, ({ row }) => row.state),
      booleans(folded, ({ row }) => row.gone),
      integers(folded, ({ row }) => row.revision),
      bigints(folded, ({ row }) => row.createdAt),
      bigints(folded, ({ row }) => row.changedAt),
      bigints(folded, ({ before }) => before),
    ],
  })
  return new Set(rows.map(streamKey))
}

/**
 * The claims that the streams do not hold yet. Those that all versions make were written with the events. To insert them
 * again would mean to wait for commits that are running, and they may wait for this transaction.
 */
async function withoutHeld(
  client: Connection['client'],
  claims: readonly LostClaim[],
  columns: (rows: readonly LostClaim[]) => readonly Buffer[],
): Promise<readonly LostClaim[]> {
  if (claims.length === 0) return []
  const { rows } = await client.query<LostClaim>({
    text: `select c.kind, c.value, c.id from unnest($1::text[], $2::text[], $3::text[]) as c(kind, value, id)
      where not exists (
        select from claims h where h.instance = 1 and h.kind = c.kind and h.value = c.value and h.id = c.id)`,
    values: [...columns(claims)],
  })
  return rows
}

/** Writes the difference of claims; returns the claims that other streams hold. */
export async function writeClaims(
  { client }: Connection,
  kind: string,
  released: readonly LostClaim[],
  claims: readonly LostClaim[],
): Promise<readonly LostClaim[]> {
  const columns = (rows: readonly LostClaim[]) => [
    texts(rows, (row) => row.kind),
    texts(rows, (row) => row.value),
    texts(rows, (row) => row.id),
  ]
  if (released.length > 0) {
    await client.query({
      text: `delete from claims c using unnest($1::text[], $2::text[], $3::text[]) as r(kind, value, id)
        where c.instance = 1 and c.kind = r.kind and c.value = r.value and c.id = r.id`,
      values: columns(released),
    })
  }
  const missing = await withoutHeld(client, claims, columns)
  if (missing.length === 0) return []
  await client.query({
    text: `insert into claims (instance, kind, value, id, holder_kind)
      select 1, c.kind, c.value, c.id, $4 from unnest($1::text[], $2::text[], $3::text[]) as c(kind, value, id)
      on conflict do nothing`,
    values: [...columns(missing), kind],
  })
  const { rows } = await client.query<LostClaim>({
    text: `select c.kind, c.value, c.id from unnest($1::text[], $2::text[], $3::text[]) as c(kind, value, id)
      join claims h on h.instance = 1 and h.kind = c.kind and h.value = c.value where h.id <> c.id`,
    values: columns(missing),
  })
  return rows
}

function without(claims: readonly Claim[], others: readonly Claim[]): readonly Claim[] {
  return claims.filter(({ kind, value }) => !others.some((other) => other.kind === kind && other.value === value))
}

function refold(set: DocumentSet, before: DocumentRow, events: readonly StoredEvent[]): Refolded | undefined {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const { state, gone, claims, createdAt, changedAt } = set.fold(events)
  const row: DocumentRow = {
    kind: set.kind.name,
    id: first.id,
    owner: first.owner,
    state,
    gone,
    revision: last.revision,
    sequence: last.sequence,
    createdAt,
    changedAt,
  }
  const held = claimsOf(set.kind, JSON.parse(before.state), { owner: first.owner, gone: before.gone })
  return { set, row, before: before.sequence, released: without(held, claims), claims: without(claims, held) }
}

/** Does something again that was rolled back because of a deadlock. */
export async function withoutDeadlock<Value>(act: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

/** What became of some streams. */
interface CaughtUp {
  /** The current documents, by the key of their stream. */
  readonly found: ReadonlyMap<string, DocumentRow>
  /** How many documents were written; others have changed again meanwhile. */
  readonly written: number
}

export class CatchUp {
  readonly #options: CatchUpOptions

  constructor(options: CatchUpOptions) {
    this.#options = options
  }

  /** The current document of a stream that was read with revision -1. */
  async get(kind: string, id: string): Promise<DocumentRow | undefined> {
    const { pool, kinds } = this.#options
    const wanted = [{ kind: kinds.of(kind), id }]
    const { found } = await pool.read('catch up', (connection) => this.#retried(connection, wanted))
    return found.get(streamKey({ kind, id }))
  }

  /** Folds the documents of these names that are behind, up to about `most`; returns how many there were. */
  all(documentKinds: readonly string[], most = Number.POSITIVE_INFINITY): Promise<number> {
    return this.#options.pool.read('catch up', (connection) =>
      this.#all(connection, { documentKinds, most }, (wanted) => this.#retried(connection, wanted)),
    )
  }

  /** As above, inside a transaction of the caller. */
  allWithin(connection: Connection, documentKinds: readonly string[]): Promise<number> {
    const most = Number.POSITIVE_INFINITY
    return this.#all(connection, { documentKinds, most }, (wanted) => this.#streams(connection, wanted, undefined))
  }

  async #all(
    { client }: Connection,
    { documentKinds, most }: { readonly documentKinds: readonly string[]; readonly most: number },
    fold: (wanted: readonly StreamName[]) => Promise<CaughtUp>,
  ): Promise<number> {
    const text = `select document_kind as kind, id from behind where instance = 1 and document_kind = any($1::text[])
      order by document_kind, id limit ${AT_ONCE}`
    for (let total = 0; ; ) {
      const { rows } = await client.query<StreamName>(text, [documentKinds])
      const written = rows.length === 0 ? 0 : (await fold(rows)).written
      total += written
      if (rows.length < AT_ONCE || written === 0 || total >= most) return total
    }
  }

  #retried(connection: Connection, wanted: readonly StreamName[]): Promise<CaughtUp> {
    return withoutDeadlock(() => this.#streams(connection, wanted, (write) => inHastyTransaction(connection, write)))
  }

  /** `wanted` has the names of documents. */
  async #streams(
    connection: Connection,
    wanted: readonly StreamName[],
    transact: Transact | undefined,
  ): Promise<CaughtUp> {
    const { kinds, checkEvents } = this.#options
    const found = new Map<string, DocumentRow>()
    const { rows } = await connection.client.query<DocumentColumns>({
      name: 'documents_behind',
      text: DOCUMENTS,
      values: [wanted.map(({ kind }) => kind), wanted.map(({ id }) => id)],
    })
    for (const row of rows) if (row.revision >= 0) found.set(streamKey(documentRow(row)), documentRow(row))
    const behind = rows
      .filter(({ revision }) => revision < 0)
      .map((row) => ({ before: documentRow(row), set: kinds.setOf(row.kind) }))
    if (behind.length === 0) return { found, written: 0 }
    const { rows: events } = await connection.client.query<EventColumns>({
      name: 'streams_behind',
      text: STREAMS,
      values: [behind.map(({ set }) => set.kind.name), behind.map(({ before }) => before.id)],
    })
    const streams = Map.groupBy(events.map(storedEvent), streamKey)
    const folded: Refolded[] = []
    for (const { before, set } of behind) {
      const stream = streams.get(streamKey(before)) ?? []
      await checkEvents(connection, set, stream)
      const again = refold(set, before, stream)
      // Without events the stream was removed meanwhile.
      if (again === undefined) continue
      folded.push(again)
      found.set(streamKey(before), again.row)
    }
    return { found, written: await this.#write(connection, folded, transact) }
  }

  async #write(connection: Connection, folded: readonly Refolded[], transact: Transact | undefined): Promise<number> {
    if (folded.length === 0) return 0
    // While the caller keeps all commits from running, the transaction that holds a row is about to end.
    const waits = transact === undefined
    const write = async () => {
      const written = await writeDocuments(connection, folded, waits)
      const done = folded.filter(({ set, row }) => written.has(streamKey({ kind: set.documentKind, id: row.id })))
      for (const [kind, some] of Map.groupBy(done, ({ set }) => set.kind.name)) {
        const claimsBy = (pick: (one: Refolded) => readonly Claim[]) =>
          some.flatMap((one) => pick(one).map((claim) => ({ ...claim, id: one.row.id })))
        const lost = await writeClaims(
          connection,
          kind,
          claimsBy(({ released }) => released),
          claimsBy(({ claims }) => claims),
        )
        if (lost.length > 0) this.#options.onLostClaims(kind, lost)
      }
      return written.size
    }
    return transact === undefined ? write() : transact(write)
  }
}

/** Runs the writes in a transaction. */
type Transact = (write: () => Promise<number>) => Promise<number>
