/** The metrics registry: counters, gauges and histograms, in the Prometheus text format 0.0.4. */

import { Counter, Histogram, LABEL_SEPARATOR, maxSeries, type Sample, seriesKey } from '../../kernel/metrics.ts'
import type { KeptMetric, Metric } from '../../module/module.ts'

/** One metric with its samples. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several processes are combined. */
  readonly merge: 'sum' | 'max'
  /** Names of the labels. */
  readonly labels?: readonly string[]
  /** Upper bounds of the buckets of a histogram. */
  readonly bounds?: readonly number[]
  readonly samples: readonly Sample[]
}

/** The value of each label of a sample. */
export function labelsOf({ labels = [] }: Pick<Family, 'labels'>, key: string): readonly (readonly [string, string])[] {
  const values = key.split(LABEL_SEPARATOR)
  return labels.map((name, index) => [name, values[index] ?? ''])
}

/** The metrics of one process. */
export class Registry {
  readonly #sources: (() => Family | Promise<Family>)[] = []

  counter(name: string, help: string, labels: readonly string[]): Counter {
    const counter = new Counter()
    this.#sources.push(() => ({ name, help, type: 'counter', merge: 'sum', labels, samples: counter.samples() }))
    return counter
  }

  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram {
    const histogram = new Histogram(bounds)
    this.#sources.push(() => ({
      ...{ name, help, type: 'histogram', merge: 'sum', labels, bounds },
      samples: histogram.samples(),
    }))
    return histogram
  }

  /** Read whenever the metrics are formatted. A source that fails is left out. */
  gauge(name: string, help: string, read: () => number | Promise<number>, merge: Family['merge'] = 'sum'): void {
    this.#sources.push(async () => ({ name, help, type: 'gauge', merge, samples: [['', await read()]] }))
  }

  /** Adds the metric of a module. It is read like a gauge. */
  add(metric: Metric | KeptMetric): void {
    if ('values' in metric) {
      const { name, help, labels, values } = metric
      const kind = values instanceof Histogram ? { type: 'histogram', bounds: values.bounds } : { type: 'counter' }
      this.#sources.push(() => ({ name, help, labels, merge: 'sum', ...kind, samples: values.samples() }) as Family)
      return
    }
    const { name, help, type, merge, label, read } = metric
    this.#sources.push(async () => {
      const value = await read()
      if (typeof value === 'number') return { name, help, type, merge, samples: [['', value]] }
      const labels = label === undefined ? [] : [label]
      return { name, help, type, merge, labels, samples: Object.entries(value) }
    })
  }

  /** A gauge that is always 1 and tells something by its labels. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void {
    const key = Object.values(labels).join(LABEL_SEPARATOR)
    this.#sources.push(() => ({
      ...{ name, help, type: 'gauge', merge: 'max', labels: Object.keys(labels) },
      samples: [[key, 1]],
    }))
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

function combine(merge: Family['merge'], one: Sample[1], other: Sample[1]): Sample[1] {
  if (typeof one !== 'number' || typeof other !== 'number') {
    const [left, right] = [one, other].map((value) => (typeof value === 'number' ? [value] : value))
    return (left ?? []).map((value, index) => value + (right?.[index] ?? 0))
  }
  return merge === 'max' ? Math.max(one, other) : one + other
}

/** Combines the metrics of several processes. */
export function mergeSnapshots(snapshots: readonly (readonly Family[])[]): readonly Family[] {
  const merged = new Map<string, Family & { readonly values: Map<string, Sample[1]> }>()
  for (const family of snapshots.flat()) {
    const known = merged.get(family.name) ?? { ...family, values: new Map<string, Sample[1]>() }
    merged.set(family.name, known)
    for (const [own, value] of family.samples) {
      const key = seriesKey(known.values, own, maxSeries(family.type))
      const before = known.values.get(key)
      known.values.set(key, before === undefined ? value : combine(family.merge, before, value))
    }
  }
  return [...merged.values()].map(({ values, ...family }) => ({ ...family, samples: [...values] }))
}

/** For how long the metrics, once gathered, are given to everybody who asks. */
export const METRICS_KEPT_MS = 1_000

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function braces(labels: readonly (readonly [string, string])[]): string {
  return labels.length === 0 ? '' : `{${labels.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

/** Buckets are cumulative; the last one contains all values. */
function histogramLines(family: Family, key: string, numbers: readonly number[]): string {
  const { name, bounds = [] } = family
  const labels = labelsOf(family, key)
  let below = 0
  const buckets = numbers.slice(0, bounds.length + 1).map((count, index) => {
    below += count
    return `${name}_bucket${braces([...labels, ['le', String(bounds[index] ?? '+Inf')]])} ${below}\n`
  })
  return `${buckets.join('')}${name}_sum${braces(labels)} ${numbers.at(-1)}\n${name}_count${braces(labels)} ${below}\n`
}

/** Formats metrics as Prometheus text. */
export function formatMetrics(families: readonly Family[]): string {
  return families
    .map((family) => {
      const { name, help, type, samples } = family
      const lines = samples.map(([key, value]) =>
        typeof value === 'number'
          ? `${name}${braces(labelsOf(family, key))} ${value}\n`
          : histogramLines(family, key, value),
      )
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}
