/** Retires versions of documents that no node has used for a while, and removes their documents in batches (0048). */
import { claimsOf } from '../../fold.ts'
import { FIELD_INDEX_PREFIX } from '../../query/schema.ts'
import { ROWS_AT_ONCE } from '../../streams.ts'
import { texts } from '../arrays.ts'
import { type Connection, inHastyTransaction, inTransaction } from '../connection.ts'
import { changeSchema } from '../distributed.ts'
import { LOCKS, withFreeLock } from '../locks.ts'
import { REBUILDS } from '../migrations.ts'
import { type DocumentSet, foldName, RETIRED, readFolds, type StoredFold } from './document-kinds.ts'

/** In `built_until` of retired versions: the claims that only they made are released; their documents are removed. */
const RELEASED = 'released'
const REMOVED = 'removed'

/** Retired versions that are still to be removed. */
export function isLeaving({ state, builtUntil }: StoredFold): boolean {
  return state === 'retired' && builtUntil !== REMOVED
}

/** Makes all nodes check whether their own versions are still there, see `HISTORY`. */
export async function raiseHistory({ client }: Connection): Promise<void> {
  await client.query(
    `insert into versions as v (instance, name, version) values (1, $1, 1)
     on conflict (instance, name) do update set version = v.version + 1`,
    [REBUILDS],
  )
}

/** Retires the other versions of these kinds that were not used for `unusedMs`. */
export async function retireUnused(
  connection: Connection,
  own: readonly DocumentSet[],
  unusedMs: number,
): Promise<void> {
  const folds = await readFolds(connection)
  const isReady = (kind: string) =>
    own.some(
      (set) =>
        set.kind.name === kind &&
        folds.some(({ documentKind, state }) => documentKind === set.documentKind && state === 'ready'),
    )
  const isOwn = ({ documentKind }: StoredFold) => own.some((set) => set.documentKind === documentKind)
  const isUnused = (fold: StoredFold) =>
    fold.state !== 'retired' && !isOwn(fold) && fold.unusedMs >= unusedMs && isReady(fold.kind)
  if (!folds.some(isUnused)) return
  const retire = (state: StoredFold['state']) =>
    inTransaction(connection, async () => {
      const { client } = connection
      await client.query('select from instances where id = 1 for update')
      const unused = (await readFolds(connection)).filter((fold) => fold.state === state && isUnused(fold))
      for (const { kind, documentKind } of unused) {
        await client.query(
          `update folds set state = 'retired', built_until = '' where instance = 1 and document_kind = $1`,
          [documentKind],
        )
        if (documentKind !== kind) continue
        await client.query('update versions set version = $2 where instance = 1 and name = $1', [
          foldName({ name: kind }),
          RETIRED,
        ])
      }
      if (unused.length > 0) await raiseHistory(connection)
    })
  await withFreeLock(connection, LOCKS.schema, async () => {
    await retire('ready')
    // What another node is building is in use, however long its last sign of life is ago.
    await withFreeLock(connection, LOCKS.build, () => retire('building'))
  })
}

/** Removes documents in the order of their ids, so that no batch reads over what the one before left; false if it is over. */
async function removeDocuments(connection: Connection, documentKind: string, isOver: () => boolean): Promise<boolean> {
  const { client } = connection
  for (let after = ''; ; ) {
    if (isOver()) return false
    const { rows } = await inHastyTransaction(connection, () =>
      client.query<{ last: string | null }>(
        `with batch as (
         select id from documents where instance = 1 and kind = $1 and id > $2 order by id limit ${ROWS_AT_ONCE}
       ), removed as (
         delete from documents d using batch where d.instance = 1 and d.kind = $1 and d.id = batch.id
       )
       select max(id) as last from batch`,
        [documentKind, after],
      ),
    )
    const last = rows[0]?.last ?? null
    if (last === null) return true
    after = last
  }
}

/** Removes the documents, marks and indexes of retired versions with these names. */
export async function removeRetired(
  connection: Connection,
  documentKinds: readonly string[],
  isOver: () => boolean,
): Promise<void> {
  const { client } = connection
  for (const fold of await readFolds(connection)) {
    if (!isLeaving(fold) || !documentKinds.includes(fold.documentKind)) continue
    const { documentKind, kind } = fold
    if (!(await removeDocuments(connection, documentKind, isOver))) return
    await client.query('delete from behind where instance = 1 and document_kind = $1', [documentKind])
    const { rows } = await client.query<{ name: string }>(
      `select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'documents'::regclass and starts_with(c.relname::text, $1)`,
      [`${FIELD_INDEX_PREFIX}${documentKind}.`],
    )
    for (const { name } of rows) await changeSchema(connection, `drop index concurrently if exists "${name}"`)
    // The plain name is never used again. The row says so to nodes that were paused.
    await client.query(
      documentKind === kind
        ? `update folds set built_until = '${REMOVED}' where instance = 1 and document_kind = $1`
        : `delete from folds where instance = 1 and document_kind = $1`,
      [documentKind],
    )
  }
}

interface HeldClaim {
  readonly kind: string
  readonly value: string
  readonly id: string
}

interface HeldClaimWithDocument extends HeldClaim {
  readonly state: string | null
  readonly owner: string | null
  readonly gone: boolean
}

/** Releases the claims that only retired versions of the kind made, once, and only if `set` is the only version left. */
export async function releaseClaims(connection: Connection, set: DocumentSet, isOver: () => boolean): Promise<void> {
  const folds = (await readFolds(connection)).filter(({ kind }) => kind === set.kind.name)
  const isUnreleased = (fold: StoredFold) => isLeaving(fold) && fold.builtUntil !== RELEASED
  if (!folds.some(isUnreleased) || folds.filter(({ state }) => state !== 'retired').length !== 1) return
  await releaseUnmade(connection, set, isOver)
  if (isOver()) return
  await connection.client.query(
    `update folds set built_until = '${RELEASED}' where instance = 1 and document_kind = any($1::text[])`,
    [folds.filter(isUnreleased).map(({ documentKind }) => documentKind)],
  )
}

/** Releases the claims of a kind that its only version does not make. */
async function releaseUnmade(connection: Connection, set: DocumentSet, isOver: () => boolean): Promise<void> {
  const { client } = connection
  const isMade = ({ kind, value, state, gone, owner }: HeldClaimWithDocument): boolean =>
    state !== null &&
    claimsOf(set.kind, JSON.parse(state), { owner: owner ?? '', gone }).some(
      (claim) => claim.kind === kind && claim.value === value,
    )
  const columns = `c.kind, c.value, c.id, d.state, d.owner, coalesce(d.gone, true) as gone`
  const documents = `left join documents d on d.instance = 1 and d.kind = $1 and d.id = c.id`
  for (let after: readonly [string, string] = ['', '']; !isOver(); ) {
    const { rows } = await client.query<HeldClaimWithDocument>(
      `select ${columns} from (select * from claims where instance = 1 and (kind, value) > ($2, $3)
           order by kind, value limit ${ROWS_AT_ONCE}) c ${documents}
       where c.holder_kind = $4 order by c.kind, c.value`,
      [set.documentKind, ...after, set.kind.name],
    )
    const wrong = rows.filter((row) => !isMade(row))
    if (wrong.length > 0) await releaseWrong(connection, wrong, { columns, documents, isMade, set })
    const { rows: ends } = await client.query<HeldClaim>(
      `select kind, value, id from claims where instance = 1 and (kind, value) > ($1, $2) order by kind, value
       offset ${ROWS_AT_ONCE - 1} limit 1`,
      [...after],
    )
    const [end] = ends
    if (end === undefined) return
    after = [end.kind, end.value]
  }
}

interface Check {
  readonly columns: string
  readonly documents: string
  readonly set: DocumentSet
  isMade(claim: HeldClaimWithDocument): boolean
}

/** Looks again while no commit runs: a stream may have claimed the value meanwhile. */
async function releaseWrong(
  connection: Connection,
  wrong: readonly HeldClaim[],
  { columns, documents, set, isMade }: Check,
): Promise<void> {
  const { client } = connection
  await inTransaction(connection, async () => {
    await client.query('select from instances where id = 1 for update')
    const { rows } = await client.query<HeldClaimWithDocument>(
      `select ${columns} from unnest($2::text[], $3::text[]) as w(kind, value)
       join claims c on c.instance = 1 and c.kind = w.kind and c.value = w.value ${documents}`,
      [set.documentKind, wrong.map(({ kind }) => kind), wrong.map(({ value }) => value)],
    )
    const released = rows.filter((row) => !isMade(row))
    await client.query(
      `delete from claims c using unnest($1::text[], $2::text[], $3::text[]) as r(kind, value, id)
       where c.instance = 1 and c.kind = r.kind and c.value = r.value and c.id = r.id`,
      [texts(released, ({ kind }) => kind), texts(released, ({ value }) => value), texts(released, ({ id }) => id)],
    )
    // No event says that a claim was released: nodes drop what they have cached.
    if (released.length > 0) await raiseHistory(connection)
  })
}
