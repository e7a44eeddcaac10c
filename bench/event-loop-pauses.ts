/**
 * Loaded into a server before it starts: reports the pauses of its main thread since it was last asked, and how much of them
 * was garbage collection.
 */
import { PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** A time in which the event loop made no turn. */
export interface Pause {
  readonly ms: number
  /** The part in which it worked or collected garbage; otherwise it waited for a processor that others used. */
  readonly ownMs: number
  /** Garbage collection within it. */
  readonly collectionMs: number
}

interface Span {
  readonly from: number
  readonly until: number
}

interface Gap extends Span {
  /** Processor time within it: of the main thread, and of all threads. */
  readonly mainMs: number
  readonly allMs: number
}

const TICK_MS = 2
/** Shorter ones are not reported: under load, the event loop serves many requests in one turn. */
const LEAST_MS = 10

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.until, other.until) - Math.max(one.from, other.from))
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

function watch(): void {
  let gaps: Gap[] = []
  let collections: Span[] = []
  let last = performance.now()
  let lastMain = process.threadCpuUsage()
  let lastAll = process.cpuUsage()
  const tick = () => {
    const now = performance.now()
    if (now - last - TICK_MS > LEAST_MS) {
      const mainMs = milliseconds(process.threadCpuUsage(lastMain))
      gaps.push({ from: last + TICK_MS, until: now, mainMs, allMs: milliseconds(process.cpuUsage(lastAll)) })
    }
    last = now
    lastMain = process.threadCpuUsage()
    lastAll = process.cpuUsage()
  }
  setInterval(tick, TICK_MS).unref()
  const keep = (entries: readonly { readonly startTime: number; readonly duration: number }[]) => {
    for (const { startTime, duration } of entries) collections.push({ from: startTime, until: startTime + duration })
  }
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  process.on('message', (message) => {
    if (message !== 'pauses') return
    tick()
    keep(observer.takeRecords())
    const pauses = gaps.map((gap): Pause => {
      const ms = gap.until - gap.from
      const collectingMs = collections.reduce((sum, collection) => sum + overlap(gap, collection), 0)
      // The main thread waits for those that collect with it, but a collection can wait for a processor, too.
      const collectionMs = Math.min(collectingMs, gap.allMs)
      return { ms, collectionMs, ownMs: Math.min(ms, Math.max(gap.mainMs, collectionMs)) }
    })
    process.send?.({ pauses })
    gaps = []
    collections = []
  })
  process.channel?.unref()
}

// Preloaded modules are loaded into worker threads too.
if (isMainThread) watch()
