/**
 * Follows a source that is still in use: what is created, changed and removed there is created, changed and removed here, until
 * the cut-over. How far it is stands in the database of this instance, so that it can be ended, or killed, at any time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FollowProblem, type ImportMark, readImportMark, setImportMark } from '../../features/imports/index.ts'
import type { App } from '../../module/app.ts'
import type { Draft } from '../../module/carried.ts'
import { groupDigits, type Progress, showProgress } from '../progress.ts'
import type { ChangingSource, Source } from './draft.ts'
import { CannotImport } from './import.ts'
import { carryAll, type MoveOptions, markOf, showMove } from './move.ts'
import { consoleOf, type FollowSummary, MoveReport, type MoveSummary } from './report.ts'
import { takeAll } from './take.ts'

export interface FollowOptions extends Pick<MoveOptions, 'report' | 'isQuiet'> {
  /** Ends when nothing is left, instead of waiting for more. */
  readonly isCutOver: boolean
  /** Ends after what is being written. */
  readonly signal: AbortSignal
}

/** Between two looks at a source in which nothing happens. */
const PAUSE_MS = 1_000
/** At a cut-over nothing may change any more: after this many looks it is clear that the source is still in use. */
const MOST_LOOKS = 6
/** How long transactions in the source may take to end. */
const SETTLE_MS = 500

/** One run: everything that it has seen and written. */
class Following {
  readonly #app: App
  readonly #source: Source<Draft>
  readonly #changes: ChangingSource
  readonly #report: MoveReport
  #state: ImportMark
  #behind = 0
  #looks = 0

  constructor(app: App, source: Source<Draft>, changes: ChangingSource, report: MoveReport, state: ImportMark) {
    this.#app = app
    this.#source = source
    this.#changes = changes
    this.#report = report
    this.#state = state
  }

  describe(): string {
    const { carried, changed, removed, kept, refused } = this.#report.sums
    const lag = this.#behind === 0 ? 'nothing behind' : `${groupDigits(this.#behind)} events behind`
    const done = `${groupDigits(carried)} carried, ${groupDigits(changed)} changed, ${groupDigits(removed)} removed`
    const open = kept + refused === 0 ? '' : `, ${groupDigits(kept + refused)} not taken over`
    return `Following: ${lag}; ${done}${open}`
  }

  /** Counts what is newer than the last look. */
  async measure(): Promise<number> {
    this.#behind = await this.#changes.behind(this.#state.mark)
    return this.#behind
  }

  /** Writes what changed since the mark, or what is given, and moves the mark; answers how many objects became others. */
  async look(items = this.#changes.read(this.#state.mark)): Promise<number> {
    const before = this.#written()
    const problems = new Map<string, FollowProblem>()
    const solved = new Map<string, { readonly kind: string; readonly id: string }>()
    const taking = {
      app: this.#app,
      source: this.#source,
      report: this.#report,
      mode: 'follow',
      ended({ kind, id }: { readonly kind: string; readonly id: string }, problem?: FollowProblem) {
        const key = `${kind} ${id}`
        if (problem !== undefined) problems.set(key, problem)
        else if (known.has(key)) solved.set(key, { kind, id })
      },
    } as const
    const known = new Set(this.#state.problems.map(({ kind, id }) => `${kind} ${id}`))
    await takeAll(taking, items)
    this.#looks++
    this.#state = await setImportMark(
      this.#app,
      { actor: 'server', at: this.#app.clock() },
      markOf(this.#source, this.#changes),
      {
        mark: this.#changes.mark() ?? this.#state.mark,
        isComplete: true,
        problems: [...problems.values()],
        solved: [...solved.values()].filter(({ kind, id }) => !problems.has(`${kind} ${id}`)),
      },
    )
    return this.#written() - before
  }

  #written(): number {
    const { carried, changed, removed } = this.#report.sums
    return carried + changed + removed
  }

  /** Looks until the signal. A source that is away for a while is waited for. */
  async follow(signal: AbortSignal, progress: Progress): Promise<void> {
    let isFirst = true
    while (!signal.aborted) {
      try {
        if ((await this.measure()) > 0 || isFirst) await this.look()
        isFirst = false
        if ((await this.measure()) > 0) continue
      } catch (error) {
        if (!(error instanceof CannotImport)) throw error
        progress.note(error.message)
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Finishes the rest. */
  async cutOver(): Promise<void> {
    await this.#lookUntilNothing()
    await this.look(this.#changes.readLast())
  }

  /** Looks until a look finds nothing any more. */
  async #lookUntilNothing(): Promise<void> {
    for (let looks = 1; ; looks++) {
      const written = await this.look()
      const [behind, isWritten] = [await this.measure(), await this.#changes.isWritten()]
      if (written === 0 && behind === 0 && !isWritten) return
      // Nothing happens there any more, and everything that happened was read.
      if (looks === MOST_LOOKS && behind === 0 && !isWritten) return
      if (looks === MOST_LOOKS) {
        const why = behind > 0 ? `${behind} events came during the cut-over` : 'there are open transactions'
        throw new CannotImport(
          `The source is still in use: ${why}. Stop it, and run the command again; nothing is lost or done twice.`,
        )
      }
      if (isWritten) await sleep(SETTLE_MS)
    }
  }

  /** What is open from earlier runs, too. */
  summary(seconds: number | undefined): FollowSummary {
    for (const problem of this.#state.problems) this.#report.addOnce(problem)
    const { problems } = this.#state
    return {
      looks: this.#looks,
      behind: this.#behind,
      unsolved: problems.length,
      ...(seconds !== undefined && { pauseSeconds: seconds }),
    }
  }
}

/** Those come at the cut-over: until then, the source itself calls its targets about what happens. */
function withoutExecutions(source: Source<Draft>): Source<Draft> {
  return {
    ...source,
    async *read() {
      for await (const item of source.read()) if (!('kind' in item) || item.kind !== 'executions') yield item
    },
  }
}

/** Everything once, unless that was done before. */
async function begin(app: App, source: Source<Draft>, changes: ChangingSource, report: MoveReport, isQuiet: boolean) {
  const known = await readImportMark(app, markOf(source, changes))
  if (known.isComplete) return known
  const progress = showMove(source, report, isQuiet)
  try {
    return (await carryAll({ app, source: withoutExecutions(source), report })) ?? known
  } finally {
    progress.stop()
  }
}

/** Follows a source until the signal, or finishes the rest. */
export async function runFollow(app: App, source: Source<Draft>, options: FollowOptions): Promise<MoveSummary> {
  const { isQuiet = false, isCutOver, signal } = options
  const { changes } = source
  if (changes === undefined) throw new CannotImport('This source does not change: it cannot be followed.')
  const report = new MoveReport(options.report, consoleOf(app))
  try {
    const following = new Following(app, source, changes, report, await begin(app, source, changes, report, isQuiet))
    const progress = isQuiet ? { note() {}, stop() {} } : showProgress(process.stderr, () => following.describe())
    const startedAt = performance.now()
    try {
      if (isCutOver) await following.cutOver()
      else await following.follow(signal, progress)
    } finally {
      progress.stop()
    }
    const pause = isCutOver ? (performance.now() - startedAt) / 1000 : undefined
    return report.finish({ source: source.name, isDryRun: false, follow: following.summary(pause) })
  } catch (error) {
    report.close()
    throw error
  }
}
