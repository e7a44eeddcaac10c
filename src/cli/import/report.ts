/** What became of an import from another product: counts by kind, and everything that was not carried, with the reason. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { groupDigits } from '../progress.ts'
import type { Remark } from './draft.ts'

/** How many objects of one kind had which end. */
export interface KindCounts {
  /** Written by this run. */
  carried: number
  /** Written by an earlier run, or there before. */
  there: number
  /** Against a rule of this server: nothing of it was written. */
  refused: number
  /** What the source has and this server does not, and parts of objects that were carried without them. */
  notCarried: number
}

/** `refused`: the object is missing. `not_carried`: a part of it, or something that has no place here. */
export type ProblemType = 'refused' | 'not_carried'

export interface Problem extends Remark {
  readonly type: ProblemType
}

/** Problems with the same reason. */
export interface Reason {
  readonly type: ProblemType
  readonly kind: string
  readonly reason: string
  count: number
  /** The first of them. */
  readonly ids: string[]
}

export interface MoveSummary {
  readonly source: string
  readonly isDryRun: boolean
  readonly seconds: number
  readonly perSecond: number
  readonly kinds: Readonly<Record<string, Readonly<KindCounts>>>
  readonly reasons: readonly Readonly<Reason>[]
}

/** More different reasons are counted together: the file has each problem. */
const MOST_REASONS = 1_000
const MOST_IDS = 5
const OTHER_REASONS = 'Other reasons; the file of --report has them all.'

/** Collects what became of each object. Problems go to the file at once, so that a million of them need no memory. */
export class MoveReport {
  readonly #kinds = new Map<string, KindCounts>()
  readonly #reasons = new Map<string, Reason>()
  readonly #startedAt = performance.now()
  readonly #file: number | undefined
  #problems = 0

  constructor(file?: string) {
    this.#file = file === undefined ? undefined : openSync(file, 'w', 0o600)
    this.#write('{"problems":[')
  }

  /** How many objects have an end. */
  get done(): number {
    let done = 0
    for (const { carried, there, refused } of this.#kinds.values()) done += carried + there + refused
    return done
  }

  get refused(): number {
    let refused = 0
    for (const counts of this.#kinds.values()) refused += counts.refused
    return refused
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  count(kind: string, end: 'carried' | 'there'): void {
    this.#countsOf(kind)[end]++
  }

  add(problem: Problem): void {
    const { type, kind, id, reason } = problem
    this.#countsOf(kind)[type === 'refused' ? 'refused' : 'notCarried']++
    this.#write(`${this.#problems++ === 0 ? '' : ','}\n${JSON.stringify({ type, kind, id, reason })}`)
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
  finish(about: Pick<MoveSummary, 'source' | 'isDryRun'>): MoveSummary {
    const { seconds } = this
    const summary: MoveSummary = {
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

const COLUMNS = ['carried', 'there', 'refused', 'notCarried'] as const
const HEADINGS = ['', 'carried', 'already there', 'refused', 'not carried']

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

/** The report for a terminal. */
export function describeSummary({ kinds, reasons, seconds, perSecond, isDryRun }: MoveSummary): readonly string[] {
  const rows = Object.entries(kinds).map(([kind, counts]) => [
    kind,
    ...COLUMNS.map((column) => groupDigits(counts[column])),
  ])
  const sorted = [...reasons].sort((one, other) => other.count - one.count)
  const explained = sorted.map(({ type, kind, reason, count, ids }) => {
    const word = type === 'refused' ? 'refused' : 'not carried'
    const more = count > ids.length ? ', …' : ''
    return `${kind}, ${word} (${groupDigits(count)}): ${reason} [${ids.join(', ')}${more}]`
  })
  return [
    ...table([HEADINGS, ...rows]),
    ...(explained.length === 0 ? [] : ['', ...explained]),
    '',
    `${isDryRun ? 'Dry run on a copy, nothing was changed' : 'Done'}: ${seconds.toFixed(1)} s, ${groupDigits(perSecond)}/s.`,
  ]
}
