/** Counters and histograms as every layer can keep them. Counting is cheap; text is made only when metrics are read. */

/** Joins the values of labels to a key. No label has this character. */
export const LABEL_SEPARATOR = '\0'

/** Label values, joined by `LABEL_SEPARATOR`, and a number, or the numbers of a histogram. */
export type Sample = readonly [key: string, value: number | readonly number[]]

/** Counts by labels. */
export class Counter {
  readonly #values = new Map<string, number>()

  /** `labels` in the order of their declaration. */
  add(labels: readonly string[], by = 1): void {
    const key = labels.join(LABEL_SEPARATOR)
    this.#values.set(key, (this.#values.get(key) ?? 0) + by)
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
    const key = labels.join(LABEL_SEPARATOR)
    const { bounds } = this
    let one = this.#series.get(key)
    if (one === undefined) {
      one = new Array<number>(bounds.length + 2).fill(0)
      this.#series.set(key, one)
    }
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++
    one[bucket] = (one[bucket] ?? 0) + 1
    one[bounds.length + 1] = (one[bounds.length + 1] ?? 0) + value
  }

  samples(): readonly Sample[] {
    return [...this.#series].map(([key, numbers]) => [key, [...numbers]])
  }
}
