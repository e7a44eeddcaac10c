/** Folds the documents and claims of one kind again from the log, in one transaction that blocks all writers. */
import { type CountRow, countsOf, Tally } from '../counters.ts'
import type { RebuildFold } from '../fold.ts'
import { ROWS_AT_ONCE } from '../streams.ts'
import type { StoredEvent } from '../types.ts'
import { bigints, booleans, integers, jsonbs, texts } from './arrays.ts'
import { type Connection, inTransaction } from './connection.ts'
import { sqlState } from './errors.ts'
import { streamsOf } from './log.ts'
import { recordFold } from './schema.ts'
import type { DocumentSet } from './versions/document-kinds.ts'
import { raiseHistory } from './versions/retire.ts'

type Folded = { readonly first: StoredEvent; readonly last: StoredEvent } & ReturnType<RebuildFold>

async function writeFolded(
  { client }: Connection,
  set: DocumentSet,
  folded: readonly Folded[],
  isOnly: boolean,
): Promise<void> {
  await client.query({
    name: 'rebuild_documents',
    text: `insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at)
      select 1, $1, d.* from unnest($2::text[], $3::text[], $4::jsonb[], $5::boolean[], $6::integer[], $7::bigint[],
        $8::bigint[], $9::bigint[]) as d`,
    values: [
      set.documentKind,
      texts(folded, ({ first }) => first.id),
      texts(folded, ({ first }) => first.owner),
      jsonbs(folded, ({ state }) => state),
      booleans(folded, ({ gone }) => gone),
      integers(folded, ({ last }) => last.revision),
      bigints(folded, ({ last }) => last.sequence),
      bigints(folded, ({ createdAt }) => createdAt),
      bigints(folded, ({ changedAt }) => changedAt),
    ],
  })
  const claims = folded.flatMap(({ first, claims }) => claims.map((claim) => ({ ...claim, id: first.id })))
  if (claims.length === 0) return
  await client.query({
    text: `insert into claims (instance, kind, value, id, holder_kind)
      select 1, c.kind, c.value, c.id, $1 from unnest($2::text[], $3::text[], $4::text[]) as c(kind, value, id)
      ${isOnly ? '' : 'on conflict do nothing'}`,
    values: [
      set.kind.name,
      texts(claims, (claim) => claim.kind),
      texts(claims, (claim) => claim.value),
      texts(claims, (claim) => claim.id),
    ],
  })
}

async function writeCounts({ client }: Connection, counts: readonly CountRow[]): Promise<void> {
  if (counts.length === 0) return
  await client.query({
    name: 'rebuild_counters',
    text: `insert into counters as c (instance, kind, scope, hour, name, n)
      select 1, a.* from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::bigint[]) as a
      on conflict on constraint counters_pkey do update set n = c.n + excluded.n`,
    values: [
      texts(counts, ({ kind }) => kind),
      texts(counts, ({ scope }) => scope),
      integers(counts, ({ hour }) => hour),
      texts(counts, ({ name }) => name),
      bigints(counts, ({ n }) => n),
    ],
  })
}

/**
 * Replaces all documents, claims and counters of a kind; readers see the old ones until the new ones are complete. While another
 * version is in use, the claims stay: that version may make some of them.
 */
export function rebuildKind(connection: Connection, set: DocumentSet, fold: RebuildFold): Promise<void> {
  return inTransaction(connection, async () => {
    const { client } = connection
    const { kind, documentKind } = set
    await client.query('select from instances where id = 1 for update')
    const others = await client.query(
      `select from folds where instance = 1 and kind = $1 and document_kind <> $2 and state <> 'retired'`,
      [kind.name, documentKind],
    )
    const isOnly = others.rows.length === 0
    if (isOnly) await client.query('delete from claims where instance = 1 and holder_kind = $1', [kind.name])
    await client.query('delete from documents where instance = 1 and kind = $1', [documentKind])
    await client.query('delete from counters where instance = 1 and kind = $1', [kind.name])
    await client.query('delete from behind where instance = 1 and document_kind = $1', [documentKind])
    let folded: Folded[] = []
    const counted = new Tally()
    const write = async () => {
      try {
        await writeFolded(connection, set, folded, isOnly)
      } catch (cause) {
        if (sqlState(cause) !== '23505') throw cause
        throw new Error(`rebuild of ${kind.name}: a claim of one of its streams is held by another`, { cause })
      }
      folded = []
    }
    for await (const events of streamsOf(connection, kind)) {
      const [first, last] = [events[0], events.at(-1)]
      if (first && last) folded.push({ first, last, ...fold(events) })
      for (const event of events) counted.add(countsOf(kind, event, event))
      if (folded.length >= ROWS_AT_ONCE) await write()
      if (counted.size >= ROWS_AT_ONCE) await writeCounts(connection, counted.take())
    }
    if (folded.length > 0) await write()
    await writeCounts(connection, counted.take())
    if (documentKind === kind.name) await recordFold(connection, kind)
    // No event tells the readers that these documents changed.
    await raiseHistory(connection)
  })
}
