/** Writes what a source yields, one kind after the other, because whatever a draft names must be there before. */
import type { FollowProblem } from '../../features/imports/index.ts'
import type { App } from '../../module/app.ts'
import type { Draft } from '../../module/carried.ts'
import type { Remark, Removal, Source } from './draft.ts'
import type { MoveReport } from './report.ts'
import { openRunners, patiently } from './runners.ts'
import { writeDraft } from './write/index.ts'
import { removeObject } from './write/remove.ts'
import { arrivalOf, KEPT_HERE, type Mode, type WriteEnd } from './write/writing.ts'

type Item = Draft | { readonly remark: Remark } | { readonly removed: Removal }
type Named = Pick<FollowProblem, 'kind' | 'id'>

/** Where it is written, and where it is reported. */
export interface Taking {
  readonly app: App
  readonly source: Source<Draft>
  readonly report: MoveReport
  readonly mode: Mode
  /** Told of each object whether it is as in the source, or why it is not. */
  ended?(object: Named, problem?: FollowProblem): void
}

type Later = { readonly draft: Draft } & Required<Pick<WriteEnd, 'later'>>

/** Refused ones that are tried again at the end: what was in the way may have been renamed or removed there, too. */
const MOST_AGAIN = 1_000

class Takings {
  readonly #taking: Taking
  readonly #later: Later[] = []
  #again: Draft[] | undefined

  constructor(taking: Taking) {
    this.#taking = taking
    if (taking.mode === 'follow') this.#again = []
  }

  async draft(draft: Draft): Promise<void> {
    const { app, source, report, mode } = this.#taking
    const { kind, id, createdAt, changedAt } = draft
    const written = await patiently(() => writeDraft(app, source.name, draft, mode))
    for (const reason of written.left) report.add({ type: 'not_carried', kind, id, reason })
    if (written.end === 'refused') {
      if (this.#again !== undefined && this.#again.length < MOST_AGAIN) this.#again.push(draft)
      else this.#fail({ type: 'refused', kind, id, reason: written.reason })
      return
    }
    report.count(kind, written.end)
    if (written.kept.length > 0) this.#fail({ type: 'kept', kind, id, reason: KEPT_HERE })
    else this.#taking.ended?.(draft)
    if (written.later === undefined) return
    // Without the draft itself, which may be large.
    this.#later.push({ draft: { kind, id, createdAt, changedAt } as Draft, later: written.later })
  }

  async removal(removal: Removal): Promise<void> {
    const { app, source, report } = this.#taking
    const { kind, id } = removal
    const removed = await patiently(() => removeObject(app, source.name, removal))
    if ('reason' in removed) return this.#fail({ type: removed.end, kind, id, reason: removed.reason })
    if (removed.end === 'removed') report.count(kind, 'removed')
    this.#taking.ended?.(removal)
  }

  /** What had to wait until everything else was there. */
  async finish(): Promise<void> {
    const again = this.#again ?? []
    this.#again = undefined
    for (const draft of again) await this.draft(draft)
    for (const one of this.#later) await this.#finishLater(one)
  }

  async #finishLater({ draft, later }: Later): Promise<void> {
    const { app, source, report } = this.#taking
    const origin = { actor: 'server', at: app.clock(), arrival: arrivalOf(source.name, draft, new Map()) } as const
    try {
      await patiently(() => app.store.write(origin, (work) => later(app, work)))
    } catch (error) {
      const { kind, id } = draft
      if (!(error instanceof Error)) throw error
      report.add({ type: 'not_carried', kind, id, reason: `It stays active: ${error.message}` })
    }
  }

  #fail(problem: FollowProblem): void {
    this.#taking.report.add(problem)
    this.#taking.ended?.(problem, problem)
  }
}

export async function takeAll(taking: Taking, items: AsyncIterable<Item>): Promise<void> {
  const takings = new Takings(taking)
  const runners = openRunners()
  let current: string | undefined
  for await (const item of items) {
    if ('remark' in item) {
      taking.report.add({ type: 'not_carried', ...item.remark })
      continue
    }
    const { kind } = 'removed' in item ? item.removed : item
    if (kind !== current) await runners.all()
    current = kind
    await runners.start(() => ('removed' in item ? takings.removal(item.removed) : takings.draft(item)))
  }
  await runners.all()
  await takings.finish()
}
