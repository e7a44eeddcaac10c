/** A small metrics registry: counters, gauges and histograms, in the Prometheus text format 0.0.4. */
import type { Metric } from '../../access/module.ts'

/** One metric with its samples: the suffix of the name, the labels and the value. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several processes are combined. */
  readonly merge: 'sum' | 'max'
  readonly samples: readonly (readonly [string, number])[]
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** Counting happens on each request, formatting rarely. So labels are formatted only then. */
const SEPARATOR = '\0'

function labelText(names: readonly string[], key: string): string {
  const values = key.split(SEPARATOR)
  return names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',')
}

function braces(...parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join(',')
  return text === '' ? '' : `{${text}}`
}

/** Counts by labels. */
class Counter {
  readonly #values = new Map<string, number>()

  /** `labels` in the order of their declaration. */
  add(labels: readonly string[], by = 1): void {
    const key = labels.join(SEPARATOR)
    this.#values.set(key, (this.#values.get(key) ?? 0) + by)
  }

  samples(labels: readonly string[]): Family['samples'] {
    return [...this.#values].map(([key, value]) => [braces(labelText(labels, key)), value])
  }
}

/** Counts values by labels and by size. */
class Histogram {
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { readonly counts: number[]; sum: number }>()

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  /** `labels` in the order of their declaration. */
  observe(labels: readonly string[], value: number): void {
    const key = labels.join(SEPARATOR)
    let one = this.#series.get(key)
    if (one === undefined) {
      one = { counts: new Array(this.#bounds.length + 1).fill(0), sum: 0 }
      this.#series.set(key, one)
    }
    const found = this.#bounds.findIndex((bound) => value <= bound)
    const bucket = found === -1 ? this.#bounds.length : found
    one.counts[bucket] = (one.counts[bucket] ?? 0) + 1
    one.sum += value
  }

  samples(labels: readonly string[]): Family['samples'] {
    return [...this.#series].flatMap(([key, { counts, sum }]) =>
      histogramSamples(labelText(labels, key), this.#bounds, counts, sum),
    )
  }
}

/** The metrics of one process. */
export class Registry {
  readonly #sources: (() => Family | Promise<Family>)[] = []

  counter(name: string, help: string, labels: readonly string[]): Counter {
    const counter = new Counter()
    this.#sources.push(() => ({ name, help, type: 'counter', merge: 'sum', samples: counter.samples(labels) }))
    return counter
  }

  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram {
    const histogram = new Histogram(bounds)
    this.#sources.push(() => ({ name, help, type: 'histogram', merge: 'sum', samples: histogram.samples(labels) }))
    return histogram
  }

  /** Read whenever the metrics are formatted. A source that fails is left out. */
  gauge(name: string, help: string, read: () => number | Promise<number>, merge: Family['merge'] = 'sum'): void {
    this.#sources.push(async () => ({ name, help, type: 'gauge', merge, samples: [['', await read()]] }))
  }

  /** Adds the metric of a module. It is read like a gauge. */
  add({ name, help, type, merge, label, read }: Metric): void {
    this.#sources.push(async () => {
      const value = await read()
      if (typeof value === 'number') return { name, help, type, merge, samples: [['', value]] }
      const labels = label === undefined ? [] : [label]
      const samples = Object.entries(value).map(([key, one]) => [braces(labelText(labels, key)), one] as const)
      return { name, help, type, merge, samples }
    })
  }

  /** A counter whose value is kept somewhere else. */
  total(name: string, help: string, read: () => number): void {
    this.#sources.push(() => ({ name, help, type: 'counter', merge: 'sum', samples: [['', read()]] }))
  }

  async snapshot(): Promise<readonly Family[]> {
    const settled = await Promise.allSettled(this.#sources.map(async (source) => source()))
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }
}

/** Buckets are cumulative; the last one contains all values. */
function histogramSamples(key: string, bounds: readonly number[], counts: readonly number[], sum: number) {
  let below = 0
  const buckets = counts.map((count, index): readonly [string, number] => {
    below += count
    return [`_bucket${braces(key, `le="${bounds[index] ?? '+Inf'}"`)}`, below]
  })
  return [...buckets, [`_sum${braces(key)}`, sum] as const, [`_count${braces(key)}`, below] as const]
}

/** Combines the metrics of several processes. */
export function mergeSnapshots(snapshots: readonly (readonly Family[])[]): readonly Family[] {
  const merged = new Map<string, Family & { readonly values: Map<string, number> }>()
  for (const family of snapshots.flat()) {
    const known = merged.get(family.name) ?? { ...family, values: new Map<string, number>() }
    merged.set(family.name, known)
    for (const [key, value] of family.samples) {
      const before = known.values.get(key)
      const both = before === undefined ? value : family.merge === 'max' ? Math.max(before, value) : before + value
      known.values.set(key, both)
    }
  }
  return [...merged.values()].map(({ values, ...family }) => ({ ...family, samples: [...values] }))
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Formats metrics as Prometheus text. */
export function formatMetrics(families: readonly Family[]): string {
  return families
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(([key, value]) => `${name}${key} ${value}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}
