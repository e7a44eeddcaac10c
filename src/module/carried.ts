/**
 * How the documents of a kind are carried: written to an export, put into another instance, and kept as another product has
 * them while it is followed. It is declared beside the kind, and a kind without it does not compile.
 */
import type { Reach } from '../access/paths.ts'
import { passwordRefusals } from '../crypto/passwords/index.ts'
import { hashSecret, isSecretHash } from '../crypto/tokens.ts'
import type { Instant } from '../kernel/instant.ts'
import { refused } from '../kernel/refusal.ts'
import type { AnyKind, Dates, Kind, Work } from '../store/index.ts'
import type { App } from './app.ts'

/** What every object has on its way. The rest is what its kind describes. */
export interface Draft<As extends string = string> extends Dates {
  readonly kind: As
  readonly id: string
  /** The organization that owns it; empty for the instance. */
  readonly organizationId: string
  /** It is of the instance that this one becomes again: it continues as it was there, where others begin anew. */
  readonly restores?: true
  /** Of a path: how far whoever changed it last reaches; not given: as far as an owner. */
  readonly reach?: Reach
}

/** What a draft has besides; readers of other products yield the type in the module. */
export type BodyOf<D extends Draft> = Omit<D, keyof Draft>

/** A document whose sealed values can be read. */
export interface OpenedDocument<State> extends Dates {
  readonly id: string
  readonly owner: string
  readonly state: State
  /** A sealed value in the clear; undefined when there is none. */
  unseal(member: string): string | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: only the state of a kind is asked for
type KindOf<State> = Kind<any, State, any, any, any, any>

/** A document of an export, and what is stored beside it. */
export interface Opened<State = unknown> extends OpenedDocument<State> {
  /** The document of another kind with this ID. */
  beside<Other>(kind: KindOf<Other>): Promise<OpenedDocument<Other> | undefined>
  /** The documents of another kind whose IDs begin with this one and a space. */
  parts<Other>(kind: KindOf<Other>): Promise<readonly OpenedDocument<Other>[]>
  /** What a function, always the same, finds in the documents of another kind, by their IDs. */
  all<Other, Value>(kind: KindOf<Other>, read: (state: Other) => Value | undefined): Promise<ReadonlyMap<string, Value>>
}

/** An object that arrives. What gets it may run again after a conflict. */
export interface Arriving<Body> extends Omit<Draft, 'kind'> {
  readonly app: App
  /** It knows what it changes: what was changed here since it came stays. */
  readonly work: Work
  /** The organization or the instance. */
  readonly owner: string
  readonly draft: Body
  /** Parts that are in the way here: it is put without them. */
  readonly without: ReadonlySet<string>
  /** Says in one sentence that a part stays behind. */
  leave(reason: string): void
  /** Carries a part, or says why it stays behind; the object is carried without it. */
  part(name: string, carry: () => unknown): Promise<void>
  /** The dates of a part, where they differ from the object's. */
  dates(kind: AnyKind, id: string, dates: Dates): void
}

/** What is done when everything else is there. */
export type Later = (app: App, work: Work) => Promise<void>

/** An object that another product does not have any more, by what its draft had. */
export interface Leaving<Body> {
  readonly app: App
  readonly work: Work
  readonly id: string
  readonly owner: string
  readonly draft: Body
}

/** How the documents of a kind are carried: `State` is what it folds to, `Living` the state of an object that exists. */
export interface Carried<State, Living extends State, Body extends object, Status = never> {
  /** Its name in an export: `webhook`. */
  readonly as: string
  /** What must be there before; with `everything` it comes after all that do not say so. */
  readonly after: readonly string[]
  /** The members that are secrets, a dot leads into an object. Without one that is `needed` there is nothing to carry. */
  readonly secrets?: { readonly [Member in (keyof Body & string) | `${string}.${string}`]?: 'needed' | 'optional' }
  /** The statuses of objects that are there, or what tells whether one is. */
  readonly lives: readonly Status[] | ((state: State) => state is Living)
  /** Undefined: it stays behind. */
  readonly describe:
    | 'of other products'
    | ((state: Living, opened: Opened<Living>) => Body | undefined | Promise<Body | undefined>)
  /** The ID of its document, where that is not the draft's. */
  idOf?(app: App, draft: Pick<Draft, 'id' | 'organizationId'> & Body): string
  /** Of objects that stand in one document with others: whether that has what a draft says. */
  has?(state: State, draft: Pick<Draft, 'id'> & Body): boolean
  /** Creates it, or makes what is there what the draft says: by the commands of requests, silent where nothing differs. */
  put(arriving: Arriving<Body>, before: Living | undefined): Promise<void>
  /** What must wait until everything else is there, whether it was there before or not. */
  later?(draft: Pick<Draft, 'id'> & Body): Later | undefined
  /** The part that is in the way when all of it is refused with this code: it is put once more without it. */
  spare?(code: string): string | undefined
  readonly remove: 'with its holder' | ((leaving: Leaving<Body>) => Promise<unknown>)
  /** Others change the document that it stands in: that says nothing about this object. */
  readonly othersChange?: true
  /** Whether jobs continue to remove what hangs on it: then a removal is not written as something that came from elsewhere. */
  readonly removalContinues?: true
}

/** It is part of the objects of this name, or it stays behind, for a reason. */
export type Otherwise = { readonly within: string } | { readonly stays: string }

export interface AnyCarried extends Carried<unknown, unknown, object> {
  readonly lives: (state: unknown) => state is unknown
}

/** A kind of which it is known how it is carried. */
export interface DeclaredKind {
  readonly kind: AnyKind
  readonly carried: AnyCarried | Otherwise
}

/** A declared kind whose objects have this name and these members. */
export interface Declared<As extends string, Body extends object> extends DeclaredKind {
  /** Never set: it is how the compiler knows what a draft has. */
  readonly draft?: Draft<As> & Body
}

/** The drafts of a declared kind: what it describes. */
export type DraftOf<One> = One extends Declared<infer As, infer Body> ? Draft<As> & Body : never

/** Says how the documents of a kind are carried. */
export function declare<
  As extends string,
  State,
  Body extends object,
  const Status = never,
  Living extends State = Extract<State, { readonly status: Status }>,
>(kind: KindOf<State>, carried: Carried<State, Living, Body, Status> & { readonly as: As }): Declared<As, Body> {
  const { lives } = carried
  const isLiving = (state: { readonly status: Status }) => (lives as readonly Status[]).includes(state.status)
  return { kind, carried: { ...carried, lives: Array.isArray(lives) ? isLiving : lives } as unknown as AnyCarried }
}

/** Kinds whose documents are part of the objects of this name. */
export function within(name: string, ...kinds: readonly AnyKind[]): readonly DeclaredKind[] {
  return kinds.map((kind) => ({ kind, carried: { within: name } }))
}

/** Kinds whose documents stay behind, for this reason. */
export function stays(reason: string, ...kinds: readonly AnyKind[]): readonly DeclaredKind[] {
  return kinds.map((kind) => ({ kind, carried: { stays: reason } }))
}

/** The private keys that are sealed in a document with several keys, by the IDs of these. */
export function privateKeysOf(keys: readonly { readonly keyId: string }[], { unseal }: Pick<Opened, 'unseal'>) {
  const found = keys.map(({ keyId }) => [keyId, unseal(`privateKey ${keyId}`)] as const)
  return Object.fromEntries(found.flatMap(([keyId, key]) => (key === undefined ? [] : [[keyId, key]])))
}

/** A public key of a machine user or an application. */
export interface KeyDraft {
  readonly id: string
  readonly publicKey: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** A secret that we check with a function of another product, as `$2a$04$…`, or our own hash; or in the clear. */
export type SecretDraft = { readonly hash: string } | { readonly plain: string }

type SecretState = { readonly status: 'none' } | { readonly status: 'set'; readonly secret: { readonly hash: string } }

/** A secret that is stored beside an object, with its dates. */
export function secretOf(found: OpenedDocument<SecretState> | undefined) {
  if (found?.state.status !== 'set') return {}
  const { createdAt, changedAt, state } = found
  return { secret: state.secret, secretDates: { createdAt, changedAt } }
}

/** Gives an object the secret that it should have, or none. A hash of another product is replaced at the first use. */
export function putSecret(
  { app: { hashing }, part }: Pick<Arriving<unknown>, 'app' | 'part'>,
  secret: SecretDraft | undefined,
  known: SecretState | undefined,
  { set, remove }: { set(hash: string): Promise<unknown>; remove(): Promise<unknown> },
): Promise<void> {
  return part('The secret', async () => {
    if (secret === undefined) {
      if (known?.status === 'set') await remove()
      return
    }
    const hash = 'hash' in secret ? secret.hash : hashSecret(secret.plain)
    if (known?.status === 'set' && known.secret.hash === hash) return
    const flaw = isSecretHash(hash) ? undefined : hashing.checkSecret(hash)
    if (flaw !== undefined) throw refused(passwordRefusals, flaw.code, { reason: flaw.description })
    await set(hash)
  })
}

/**
 * Gives an object the parts that it should have, each with its dates. Others that its holder has are removed, unless it is of
 * an export, where they have lines of their own.
 */
export async function putParts<Part extends Pick<KeyDraft, 'id' | 'createdAt'>>(
  { app, work, restores, dates, part }: Pick<Arriving<unknown>, 'app' | 'work' | 'restores' | 'dates' | 'part'>,
  kind: AnyKind,
  holder: { readonly field: string; readonly equals: string } | undefined,
  parts: readonly Part[],
  { name, add }: { readonly name: string; add(part: Part): Promise<unknown> },
): Promise<void> {
  const known = holder === undefined || restores ? [] : await app.store.findIds(kind, holder)
  for (const id of known.filter((one) => !parts.some((part) => part.id === one))) {
    // It may have been removed since it was found.
    if (await work.get(kind, id)) await work.decide(kind, id, { type: 'remove' })
  }
  for (const one of parts.filter(({ id }) => !known.includes(id))) {
    dates(kind, one.id, { createdAt: one.createdAt, changedAt: one.createdAt })
    await part(`${name} ${one.id}`, () => add(one))
  }
}

/** Everything was taken out of a value: what a draft has more is an error of the compiler. */
export function nothingElse(_rest: Readonly<Record<string, never>>): void {}

/** Why several kinds stay behind. */
export const STAYS = {
  signInAgain: 'Who is signed in signs in once more.',
  endsTokens: 'It ends tokens of sign-ins, which are not carried.',
  underWay: 'It lasts minutes; what was under way is begun again.',
  statistics: 'What happened before stays in the log of the old database.',
} as const
