/** Metrics of the process itself, with the names that dashboards expect. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { work } from '../work.ts'
import type { Registry } from './metrics.ts'

const NANOSECONDS = 1e9

/** Adds the metrics of this process. The event loop delay is measured since the last read. */
export function addProcessMetrics(registry: Registry): void {
  const startedAt = Date.now() / 1000 - process.uptime()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  registry.total('process_cpu_seconds_total', 'User and system CPU time spent in seconds.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  registry.gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss())
  registry.gauge(
    'process_start_time_seconds',
    'Start time of the process, in seconds since the Unix epoch.',
    () => startedAt,
    'max',
  )
  registry.gauge('nodejs_heap_size_used_bytes', 'Heap in use, in bytes.', () => process.memoryUsage().heapUsed)
  registry.total('signet_request_elements_total', 'Elements of request messages that were parsed.', () => work.elements)
  registry.total(
    'signet_request_inflated_bytes_total',
    'Bytes of requests that came out of decompression.',
    () => work.inflatedBytes,
  )
  registry.gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'Event loop delay, 99th percentile since the last scrape.',
    () => {
      const seconds = delay.percentile(99) / NANOSECONDS
      delay.reset()
      return seconds
    },
    'max',
  )
}
