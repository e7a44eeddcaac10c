/** Counters and histograms as every layer can keep them. Counting is cheap; text is made only when metrics are read. */

/** Joins the values of labels to a key. No label has this character. */
export const LABEL_SEPARATOR = '\0'

/** The value of labels for everything that has no series of its own. */
export const OTHER = 'other'

/** Series of one counter, and of one histogram, which has many lines for each. */
const MAX_COUNTER_SERIES = 1_500
const MAX_HISTOGRAM_SERIES = 300

/** Series beyond these, which have lost their first label only: by code and outcome they stay apart as long as possible. */
const RESERVE = 100

/**
 * The key of the series that a new value belongs to: its own while there is room, then one without its first label, then
 * the one for all others. Whatever the values are, there are never more than `most`, the reserve and one.
 */
export function seriesKey(known: ReadonlyMap<string, unknown>, key: string, most: number): string {
  if (known.size < most || known.has(key)) return key
  const [, ...rest] = key.split(LABEL_SEPARATOR)
  const partly = [OTHER, ...rest].join(LABEL_SEPARATOR)
  if (known.size < most + RESERVE || known.has(partly)) return partly
  return [OTHER, ...rest.map(() => OTHER)].join(LABEL_SEPARATOR)
}

/** How many series a metric may have. */
export function maxSeries(type: 'counter' | 'gauge' | 'histogram'): number {
  return type === 'histogram' ? MAX_HISTOGRAM_SERIES : MAX_COUNTER_SERIES
}

/** Label values, joined by `LABEL_SEPARATOR`, and a number, or the numbers of a histogram. */
export type Sample = readonly [key: string, value: number | readonly number[]]

/** Counts by labels. */
export class Counter {
  readonly #values = new Map<string, number>()

  /** `labels` in the order of their declaration. */
  add(labels: readonly string[], by = 1): void {
    let key = labels.join(LABEL_SEPARATOR)
    let before = this.#values.get(key)
    if (before === undefined) {
      key = seriesKey(this.#values, key, MAX_COUNTER_SERIES)
      before = this.#values.get(key) ?? 0
    }
    this.#values.set(key, before + by)
  }

  samples(): readonly Sample[] {
    return [...this.#values]
  }
}

/** Counts values by labels and by size. A sample has the count of each bucket, not cumulative, and then the sum. */
export class Histogram {
  readonly bounds: readonly number[]
  readonly #series = new Map<string, number[]>()

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
  }

  /** `labels` in the order of their declaration. */
  observe(labels: readonly string[], value: number): void {
    const { bounds } = this
    const one = this.#seriesOf(labels.join(LABEL_SEPARATOR))
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++
    one[bucket] = (one[bucket] ?? 0) + 1
    one[bounds.length + 1] = (one[bounds.length + 1] ?? 0) + value
  }

  #seriesOf(key: string): number[] {
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const place = seriesKey(this.#series, key, MAX_HISTOGRAM_SERIES)
    const one = this.#series.get(place) ?? new Array<number>(this.bounds.length + 2).fill(0)
    this.#series.set(place, one)
    return one
  }

  samples(): readonly Sample[] {
    return [...this.#series].map(([key, numbers]) => [key, [...numbers]])
  }
}
