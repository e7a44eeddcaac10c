/**
 * Under which names the documents of this node's kinds are stored. Each version of a kind has documents of its own: those of
 * the version that the database records for the kind have its name, others have the version in their name (0048).
 */
import { type RebuildFold, rebuildFold } from '../../fold.ts'
import type { AnyKind } from '../../kind.ts'
import { type Dialect, postgresDialect } from '../../query/dialect.ts'
import type { Connection } from '../connection.ts'

/** One kind of this node, with the name of its documents. */
export interface DocumentSet {
  readonly kind: AnyKind
  readonly documentKind: string
  readonly fold: RebuildFold
}

/** The version in `versions` of documents that must be folded after a log was loaded. */
export const LOADED = 0

/** The version in `versions` of a kind whose documents under the plain name were retired. */
export const RETIRED = -1

/** The name in `versions` of the version whose documents have the plain name of the kind. */
export function foldName(kind: { readonly name: string }): string {
  return `fold.${kind.name}`
}

/** The name of the kind in the name of its documents. */
export function kindOfDocuments(documentKind: string): string {
  const end = documentKind.indexOf('@')
  return end < 0 ? documentKind : documentKind.slice(0, end)
}

/** The name of the documents of a kind's version, where `plain` is the version that has the plain name. */
export function nameOfDocuments({ name, version }: AnyKind, plain: number | undefined): string {
  return plain === undefined || plain === version ? name : `${name}@${version}`
}

/** The names that one engine uses; they are resolved once, when the database is prepared. */
export class DocumentKinds {
  readonly #byKind = new Map<string, DocumentSet>()
  readonly #byDocumentKind = new Map<string, DocumentSet>()
  /** Without sets: names of documents that are only read. */
  readonly #names = new Map<string, string>()
  #dialect: Dialect = postgresDialect

  /** Sets the names of the kinds that the engine is prepared for. */
  resolve(kinds: readonly AnyKind[], plain: ReadonlyMap<string, number>): void {
    this.#byKind.clear()
    this.#byDocumentKind.clear()
    for (const kind of kinds) {
      const set = { kind, documentKind: nameOfDocuments(kind, plain.get(kind.name)), fold: rebuildFold(kind) }
      this.#byKind.set(kind.name, set)
      this.#byDocumentKind.set(set.documentKind, set)
    }
    // A new object: compiled conditions and indexes are kept for each.
    this.#dialect = { ...postgresDialect, documentKind: ({ name }) => this.of(name) }
  }

  /** Sets the name of documents that are read without a version of their own. */
  readAs(kind: string, documentKind: string): void {
    this.#names.set(kind, documentKind)
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  get sets(): readonly DocumentSet[] {
    return [...this.#byKind.values()]
  }

  /** The names of the documents whose kinds claim values. */
  get claiming(): readonly string[] {
    return this.sets.filter(({ kind }) => kind.claims !== undefined).map(({ documentKind }) => documentKind)
  }

  of(kind: string): string {
    return this.#byKind.get(kind)?.documentKind ?? this.#names.get(kind) ?? kind
  }

  /** The kind of a name; undefined where documents are only read. */
  find(name: string): AnyKind | undefined {
    return this.#byKind.get(name)?.kind
  }

  setOf(documentKind: string): DocumentSet {
    const set = this.#byDocumentKind.get(documentKind)
    if (set === undefined) throw new Error(`this node has no kind for the documents ${documentKind}`)
    return set
  }
}

/** The versions of kinds whose documents have the plain name. */
export async function readPlainVersions({ client }: Connection): Promise<ReadonlyMap<string, number>> {
  const text = `select substr(name, 6) as kind, version from versions where instance = 1 and name like 'fold.%'`
  const { rows } = await client.query<{ kind: string; version: number }>(text)
  return new Map(rows.map(({ kind, version }) => [kind, version]))
}

/** A version of a kind's documents in the database. */
export interface StoredFold {
  readonly kind: string
  readonly version: number
  readonly documentKind: string
  readonly state: 'building' | 'ready' | 'retired'
  readonly builtUntil: string
  /** How long no node has used it, in milliseconds. */
  readonly unusedMs: number
}

/** All versions of kinds that have had more than one, newest first. */
export async function readFolds({ client }: Connection): Promise<readonly StoredFold[]> {
  const { rows } = await client.query<StoredFold>(
    `select kind, version, document_kind as "documentKind", state, built_until as "builtUntil",
       (extract(epoch from now() - seen_at) * 1000)::bigint as "unusedMs"
     from folds where instance = 1 order by kind, version desc`,
  )
  return rows
}

/** Lets the engine read the documents of each kind under the name that they have here, whatever their version. */
export async function readAnyVersion(connection: Connection, kinds: DocumentKinds): Promise<void> {
  const { rows } = await connection.client.query(`select 1 where to_regclass('folds') is not null`)
  if (rows.length === 0) return
  for (const { kind, documentKind, state } of (await readFolds(connection)).toReversed()) {
    if (state === 'ready') kinds.readAs(kind, documentKind)
  }
}
