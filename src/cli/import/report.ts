/** What became of an import from another product: counts by kind, and everything that was not carried, with the reason. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { KindCounts, MoveSummary, ProblemType, Reason } from '../../kernel/import-report.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import type { App } from '../../module/app.ts'
import { groupDigits } from '../progress.ts'
import { Decisions, describeDecisions } from './decisions.ts'
import type { Remark } from './draft.ts'

export type { FollowSummary, KindCounts, MoveSummary } from '../../kernel/import-report.ts'

export interface Problem extends Remark {
  readonly type: ProblemType
}

/** More different reasons are counted together: the file has each problem. */
const MOST_REASONS = 1_000
const MOST_IDS = 5
/** How many problems are remembered, so that they are not added twice. */
const MOST_NAMED = 10_000
const OTHER_REASONS = 'Other reasons; the file of --report has them all.'

function nameOf({ kind, id, reason }: Problem): string {
  return `${kind} ${id} ${reason}`
}

/** The address of the console. */
export function consoleOf({ externalUrl }: Pick<App, 'externalUrl'>): string {
  return `${externalUrl}${PATHS.console}`
}

/** Collects what became of each object. Problems go to the file at once, so that a million of them need no memory. */
export class MoveReport {
  readonly #kinds = new Map<string, KindCounts>()
  readonly #reasons = new Map<string, Reason>()
  readonly #named = new Set<string>()
  readonly #startedAt = performance.now()
  readonly #file: number | undefined
  readonly #decisions: Decisions
  #problems = 0

  /** `console`: the address of the console, for links. */
  constructor(file: string | undefined, console: string) {
    this.#decisions = new Decisions(console)
    this.#file = file === undefined ? undefined : openSync(file, 'w', 0o600)
    this.#write('{"problems":[')
  }

  /** How many objects have an end. */
  get done(): number {
    const { carried, there, refused, changed, removed } = this.sums
    return carried + there + refused + changed + removed
  }

  get refused(): number {
    return this.sums.refused
  }

  /** Of all kinds together. */
  get sums(): Readonly<Required<KindCounts>> {
    const sums = { carried: 0, there: 0, refused: 0, notCarried: 0, changed: 0, removed: 0, kept: 0 }
    for (const counts of this.#kinds.values()) {
      for (const column of Object.keys(sums) as (keyof KindCounts)[]) sums[column] += counts[column] ?? 0
    }
    return sums
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  count(kind: string, end: 'carried' | 'there' | 'changed' | 'removed'): void {
    const counts = this.#countsOf(kind)
    counts[end] = (counts[end] ?? 0) + 1
  }

  /** Adds a problem unless it was added before. */
  addOnce(problem: Problem): void {
    if (!this.#named.has(nameOf(problem))) this.add(problem)
  }

  add(problem: Problem): void {
    if (problem.type !== 'not_carried' && this.#named.size < MOST_NAMED) this.#named.add(nameOf(problem))
    const { type, kind, id, reason } = problem
    const counts = this.#countsOf(kind)
    const column = type === 'not_carried' ? 'notCarried' : type
    counts[column] = (counts[column] ?? 0) + 1
    this.#write(`${this.#problems++ === 0 ? '' : ','}\n${JSON.stringify({ type, kind, id, reason })}`)
    this.#decisions.add(problem)
    const key = `${type} ${kind} ${reason}`
    const known = this.#reasons.get(key) ?? this.#newReason(key, problem)
    known.count++
    if (known.ids.length < MOST_IDS) known.ids.push(id)
  }

  #newReason(key: string, { type, kind, reason }: Problem): Reason {
    const isRoom = this.#reasons.size < MOST_REASONS
    const [named, text] = isRoom ? [key, reason] : [`${type} ${kind}`, OTHER_REASONS]
    const found = this.#reasons.get(named) ?? { type, kind, reason: text, count: 0, ids: [] }
    this.#reasons.set(named, found)
    return found
  }

  #countsOf(kind: string): KindCounts {
    let counts = this.#kinds.get(kind)
    if (counts === undefined) {
      counts = { carried: 0, there: 0, refused: 0, notCarried: 0 }
      this.#kinds.set(kind, counts)
    }
    return counts
  }

  #write(text: string): void {
    if (this.#file !== undefined) writeSync(this.#file, text)
  }

  /** The end: completes the file. */
  finish(about: Pick<MoveSummary, 'source' | 'isDryRun' | 'follow'>): MoveSummary {
    const { seconds } = this
    const summary: MoveSummary = {
      toDecide: this.#decisions.list(),
      ...about,
      seconds,
      perSecond: this.done / seconds,
      kinds: Object.fromEntries(this.#kinds),
      reasons: [...this.#reasons.values()],
    }
    this.#write(`\n],\n${JSON.stringify(summary, null, 2).slice(2)}\n`)
    this.close()
    return summary
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

const COLUMNS = {
  carried: 'carried',
  changed: 'changed',
  removed: 'removed',
  there: 'already there',
  kept: 'kept as here',
  refused: 'refused',
  notCarried: 'not carried',
} as const

const WORDS = { refused: 'refused', not_carried: 'not carried', kept: 'kept as here' } as const

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

function describeFollow({ follow }: MoveSummary): readonly string[] {
  if (follow === undefined) return []
  const { pauseSeconds, behind, unsolved } = follow
  const open = unsolved === 0 ? '' : ` ${groupDigits(unsolved)} objects are not as they are there: see above.`
  if (pauseSeconds === undefined) return [`Ended with ${groupDigits(behind)} events behind.${open}`]
  return [`Nothing is left: the cut-over took ${pauseSeconds.toFixed(1)} s.${open}`]
}

/** The report for a terminal. */
export function describeSummary(summary: MoveSummary): readonly string[] {
  const { kinds, reasons, seconds, perSecond, isDryRun } = summary
  const all = Object.values(kinds)
  const columns = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((column) =>
    all.some((counts) => counts[column] !== undefined),
  )
  const rows = Object.entries(kinds).map(([kind, counts]) => [
    kind,
    ...columns.map((column) => groupDigits(counts[column] ?? 0)),
  ])
  const sorted = [...reasons].sort((one, other) => other.count - one.count)
  const explained = sorted.map(({ type, kind, reason, count, ids }) => {
    const more = count > ids.length ? ', …' : ''
    return `${kind}, ${WORDS[type]} (${groupDigits(count)}): ${reason} [${ids.join(', ')}${more}]`
  })
  return [
    ...describeDecisions(summary),
    ...table([['', ...columns.map((column) => COLUMNS[column])], ...rows]),
    ...(explained.length === 0 ? [] : ['', ...explained]),
    '',
    ...describeFollow(summary),
    `${isDryRun ? 'Dry run on a copy, nothing was changed' : 'Done'}: ${seconds.toFixed(1)} s, ${groupDigits(perSecond)}/s.`,
  ]
}
