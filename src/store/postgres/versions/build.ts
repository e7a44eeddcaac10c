/**
 * Builds the documents of a new version beside those that other nodes use, in batches and without holding up commits. The
 * version is registered before: from then on every commit of another version marks what it changes (0048).
 */
import type { BuildProgress } from '../../observer.ts'
import { streamKey } from '../../streams.ts'
import type { StoredEvent } from '../../types.ts'
import { bigints, booleans, integers, jsonbs, texts } from '../arrays.ts'
import { type Connection, inHastyTransaction, inTransaction } from '../connection.ts'
import { LOCKS, withLock } from '../locks.ts'
import { type EventColumns, eventColumns, storedEvent } from '../log.ts'
import { type CatchUp, type LostClaim, withoutDeadlock, writeClaims } from './catch-up.ts'
import { type DocumentSet, RETIRED, readFolds, readPlainVersions, type StoredFold } from './document-kinds.ts'
import { removeRetired } from './retire.ts'

/** A commit that changes one of these streams waits until the batch is written. */
const STREAMS_AT_ONCE = 250

/** Registers versions whose documents must be built; commits that come later mark what they change. */
export async function registerBuilds(connection: Connection, sets: readonly DocumentSet[]): Promise<void> {
  const names = sets.map(({ documentKind }) => documentKind)
  const isLeaving = ({ documentKind, state }: StoredFold) => state === 'retired' && names.includes(documentKind)
  // This version was retired a moment ago and is being removed: it begins from nothing.
  if ((await readFolds(connection)).some(isLeaving)) {
    await withLock(connection, LOCKS.removal, () => removeRetired(connection, names, () => false))
  }
  await inTransaction(connection, async () => {
    const { client } = connection
    await client.query('select from instances where id = 1 for update')
    const plain = await readPlainVersions(connection)
    for (const { kind, documentKind } of sets) {
      const current = plain.get(kind.name)
      if (current !== undefined && current !== RETIRED) {
        await client.query(
          `insert into folds (instance, kind, version, document_kind, state) values (1, $1, $2, $1, 'ready')
           on conflict do nothing`,
          [kind.name, current],
        )
      }
      await client.query(
        `insert into folds (instance, kind, version, document_kind, state) values (1, $1, $2, $3, 'building')
         on conflict (instance, document_kind) do update set seen_at = excluded.seen_at`,
        [kind.name, kind.version, documentKind],
      )
    }
  })
}

export interface BuildOptions {
  readonly catchUp: CatchUp
  checkEvents(connection: Connection, set: DocumentSet, events: readonly StoredEvent[]): Promise<void>
  /** Creates the indexes of the documents. */
  prepareIndexes(connection: Connection, sets: readonly DocumentSet[]): Promise<void>
  onProgress(progress: BuildProgress): void
}

/** Builds the documents of these versions, one node at a time. After an interruption the next start continues. */
export function buildSets(connection: Connection, sets: readonly DocumentSet[], options: BuildOptions): Promise<void> {
  return withLock(connection, LOCKS.build, async () => {
    for (const set of sets) {
      const folds = (await readFolds(connection)).filter(({ kind }) => kind === set.kind.name)
      const own = folds.find(({ documentKind }) => documentKind === set.documentKind)
      if (own?.state === 'ready') continue
      const source = folds.find(({ state }) => state === 'ready')
      if (own === undefined || source === undefined) throw new Error(`${set.kind.name} has no documents to build from`)
      await buildSet(connection, set, { own, source, options })
    }
  })
}

interface Building {
  readonly own: StoredFold
  /** Has a document of every stream. */
  readonly source: StoredFold
  readonly options: BuildOptions
}

async function buildSet(connection: Connection, set: DocumentSet, { own, source, options }: Building): Promise<void> {
  const { client } = connection
  const { name, version } = set.kind
  const count = async (documentKind: string, until = ''): Promise<number> => {
    const text = `select count(*) as count from documents where instance = 1 and kind = $1 and ($2 = '' or id <= $2)`
    return (await client.query<{ count: number }>(text, [documentKind, until])).rows[0]?.count ?? 0
  }
  const total = await count(source.documentKind)
  let done = own.builtUntil === '' ? 0 : await count(source.documentKind, own.builtUntil)
  options.onProgress({ kind: name, version, done, total })
  for (let after = own.builtUntil; ; ) {
    const { rows } = await client.query<{ id: string }>(
      `select id from documents where instance = 1 and kind = $1 and id > $2 order by id limit ${STREAMS_AT_ONCE}`,
      [source.documentKind, after],
    )
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) break
    await buildStreams(connection, set, ids, options)
    after = last
    done += ids.length
    await client.query(`update folds set built_until = $2, seen_at = now() where instance = 1 and document_kind = $1`, [
      set.documentKind,
      last,
    ])
    options.onProgress({ kind: name, version, done, total: Math.max(done, total) })
  }
  await removeGhosts(connection, set, source)
  await options.prepareIndexes(connection, [set])
  await options.catchUp.all([set.documentKind])
  const { rowCount } = await client.query(
    `update folds set state = 'ready', seen_at = now() where instance = 1 and document_kind = $1 and state = 'building'`,
    [set.documentKind],
  )
  if (rowCount !== 1) throw new Error(`The documents of ${name} were removed while they were built. Start again.`)
}

/** Deletes documents of streams that were removed between reading them and writing the document. */
async function removeGhosts({ client }: Connection, set: DocumentSet, source: StoredFold): Promise<void> {
  const isReady = `exists (select from folds where instance = 1 and document_kind = $1 and state = 'ready')`
  const { rows } = await client.query(`select 1 where ${isReady}`, [source.documentKind])
  if (rows.length === 0) {
    // Its documents may be gone before they were all read.
    await client.query(`update folds set built_until = '' where instance = 1 and document_kind = $1`, [
      set.documentKind,
    ])
    throw new Error(`Version ${source.version} of ${set.kind.name} was removed meanwhile. Start again.`)
  }
  if (set.kind.removable !== true) return
  await client.query(
    `delete from documents d where d.instance = 1 and d.kind = $2 and ${isReady}
       and not exists (select from documents s where s.instance = 1 and s.kind = $1 and s.id = d.id)`,
    [source.documentKind, set.documentKind],
  )
}

async function readStreams({ client }: Connection, kind: string, ids: readonly string[]): Promise<StoredEvent[][]> {
  const { rows } = await client.query<EventColumns>({
    name: 'build_streams',
    text: `select s.* from unnest($2::text[]) as w(id) cross join lateral (
        select ${eventColumns} from events e where e.instance = 1 and e.id = w.id and e.kind = $1 order by e.revision) s
      order by s.sequence`,
    values: [kind, ids],
  })
  return [...Map.groupBy(rows.map(storedEvent), streamKey).values()]
}

type Folded = { readonly first: StoredEvent; readonly last: StoredEvent } & ReturnType<DocumentSet['fold']>

async function buildStreams(
  connection: Connection,
  set: DocumentSet,
  ids: readonly string[],
  { checkEvents }: BuildOptions,
): Promise<void> {
  const folded: Folded[] = []
  for (const events of await readStreams(connection, set.kind.name, ids)) {
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined) continue
    await checkEvents(connection, set, events)
    folded.push({ first, last, ...set.fold(events) })
  }
  const write = async () => {
    // A document that is there already was marked since the stream was read, or built before an interruption.
    const { rows } = await connection.client.query<{ id: string }>({
      name: 'build_documents',
      text: `insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at)
        select 1, $1, d.* from unnest($2::text[], $3::text[], $4::jsonb[], $5::boolean[], $6::integer[], $7::bigint[],
          $8::bigint[], $9::bigint[]) as d
        on conflict on constraint documents_pkey do nothing returning id`,
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
    const made = new Set(rows.map(({ id }) => id))
    const claims = folded
      .filter(({ first }) => made.has(first.id))
      .flatMap(({ first, claims }) => claims.map((claim) => ({ ...claim, id: first.id })))
    const lost = await writeClaims(connection, set.kind.name, [], claims)
    if (lost.length > 0) throw new Error(describeLost(set, lost))
  }
  if (folded.length === 0) return
  await withoutDeadlock(() => inHastyTransaction(connection, write))
}

const MOST_NAMED = 20

/** Why a version cannot be used: two streams claim the same value. */
function describeLost({ kind }: DocumentSet, lost: readonly LostClaim[]): string {
  const named = lost.slice(0, MOST_NAMED).map((claim) => `${claim.id} (${claim.kind})`)
  return `Version ${kind.version} of ${kind.name} claims values that other streams hold: ${named.join(', ')}. Change them with the version that runs, then start again.`
}
