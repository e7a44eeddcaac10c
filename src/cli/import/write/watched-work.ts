/**
 * A write that knows which objects it changes, so that what was changed here since it came from elsewhere is not
 * overwritten: the last event of such a stream does not say that it was imported.
 */
import type { AnyEvent } from '../../../kernel/event.ts'
import type { Id, NewId } from '../../../kernel/id.ts'
import type { App } from '../../../module/app.ts'
import {
  type AnyKind,
  type Document,
  type Kind,
  type NewJob,
  OBJECT_IMPORTED,
  type Work,
} from '../../../store/index.ts'

/** Streams by kind and ID. */
export type Streams = ReadonlySet<string>

/** These were changed here. */
export class ChangedHere extends Error {
  override readonly name = 'ChangedHere'
  readonly streams: readonly string[]

  constructor(streams: readonly string[]) {
    super(`changed here: ${streams.join(', ')}`)
    this.streams = streams
  }
}

function keyOf({ name }: { readonly name: string }, id: string): string {
  return `${name} ${id}`
}

/** Whether the last change of an object was made by an import. */
export async function isAsImported({ store }: App, kind: string, id: string): Promise<boolean> {
  const [last] = await store.events({ kinds: [kind], id, descending: true, limit: 1 })
  return last?.type === OBJECT_IMPORTED
}

export class WatchedWork implements Work {
  readonly #work: Work
  readonly #kept: Streams
  readonly #isOld = new Map<string, boolean>()
  readonly #changed = new Map<string, { readonly kind: string; readonly id: string }>()

  /** `kept`: nothing is decided on these. */
  constructor(work: Work, kept: Streams) {
    this.#work = work
    this.#kept = kept
  }

  get origin() {
    return this.#work.origin
  }

  /** Whether it writes anything. */
  get isChange(): boolean {
    return this.#changed.size > 0
  }

  /** Throws if it would overwrite what was changed here. The commit fails if that happens from now on. */
  async check(app: App): Promise<void> {
    const touched: string[] = []
    for (const [key, { kind, id }] of this.#changed) {
      if (this.#isOld.get(key) && !(await isAsImported(app, kind, id))) touched.push(key)
    }
    if (touched.length > 0) throw new ChangedHere(touched)
  }

  get<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ): Promise<Document<S, O> | undefined> {
    return this.#work.get(kind, id)
  }

  async decide<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
    command: C,
    owner?: string,
  ): Promise<Document<S, O>> {
    const key = keyOf(kind, id)
    const before = await this.#work.get(kind, id)
    if (!this.#isOld.has(key)) this.#isOld.set(key, before !== undefined)
    if (before !== undefined && this.#kept.has(key)) return before
    const after = await this.#work.decide(kind, id, command, owner)
    if (after.revision !== (before?.revision ?? 0)) this.#changed.set(key, { kind: kind.name, id })
    return after
  }

  unusedId<O extends string>(kind: AnyKind<O>, next: NewId): Promise<Id<O>> {
    return this.#work.unusedId(kind, next)
  }

  async begin<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
    command: C,
    owner: string,
  ): Promise<Document<S, O>> {
    this.#isOld.set(keyOf(kind, id), false)
    this.#changed.set(keyOf(kind, id), { kind: kind.name, id })
    return this.#work.begin(kind, id, command, owner)
  }

  removeStream<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ) {
    return this.#work.removeStream(kind, id)
  }

  putLast(kind: AnyKind, id: string): void {
    this.#work.putLast(kind, id)
  }

  enqueue(job: NewJob): void {
    this.#work.enqueue(job)
  }

  waitForDisk(): void {
    this.#work.waitForDisk()
  }
}
