/** OpenTelemetry: traces and metrics over OTLP. Loaded only when an endpoint is set; decision 0044 says why it is ours. */
import { hostname } from 'node:os'
import type { Passwords } from '../../crypto/passwords/index.ts'
import type { SpanAttributes, Tracer } from '../../kernel/tracer.ts'
import type { Log } from '../../module/app.ts'
import type { Registry } from '../monitoring/metrics.ts'
import { Exporter } from './exporter.ts'
import { openSender } from './send.ts'
import { openSampler } from './trace-context.ts'
import { Tracing } from './tracing.ts'

/** The settings of OpenTelemetry. */
export interface TelemetryOptions {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly serviceName: string | undefined
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly sampler: string
  readonly samplerRatio: number
  readonly exportsTraces: boolean
  readonly exportsMetrics: boolean
  readonly metricIntervalMs: number
  readonly traceDelayMs: number
  readonly version: string
  readonly engine: 'sqlite' | 'postgres'
  readonly registry: Registry
  readonly log: Pick<Log, 'warn' | 'info'>
}

export interface Telemetry {
  /** Undefined when only metrics are exported. */
  readonly tracing: Tracing | undefined
  /** Exports what is left, for a few seconds at most. */
  close(): Promise<void>
}

function resourceOf({ serviceName, resourceAttributes, version }: TelemetryOptions): SpanAttributes {
  const named = serviceName === undefined ? {} : { 'service.name': serviceName }
  return {
    'service.name': 'signet',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'signet',
    'telemetry.sdk.version': version,
    ...resourceAttributes,
    ...named,
  }
}

/** Starts to export. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { endpoint, headers, timeoutMs, registry, log, version, engine } = options
  const exporter = new Exporter({
    sender: openSender({ endpoint, headers, timeoutMs }),
    resource: { attributes: resourceOf(options), version },
    log,
    traceDelayMs: options.traceDelayMs,
    metrics: options.exportsMetrics
      ? { intervalMs: options.metricIntervalMs, read: () => registry.snapshot() }
      : undefined,
  })
  registry.add({
    name: 'signet_spans_total',
    help: 'Spans exported over OTLP, and dropped.',
    type: 'counter',
    merge: 'sum',
    label: 'outcome',
    read: () => ({ ...exporter.counts }),
  })
  const tracing = options.exportsTraces
    ? new Tracing({
        sampler: openSampler(options.sampler, options.samplerRatio),
        engine: engine === 'postgres' ? 'postgresql' : 'sqlite',
        onEnd: (span) => exporter.add(span),
      })
    : undefined
  return { tracing, close: () => exporter.close() }
}

/** Wraps the password functions so that each has a span. */
export function tracePasswords(passwords: Passwords, tracer: Tracer): Passwords {
  const trace = <Value>(name: string, run: () => Promise<Value>) => tracer.trace(name, 'part', {}, run)
  return {
    ...passwords,
    hash: (password) => trace('password hash', () => passwords.hash(password)),
    verify: (hash, password, group) => trace('password check', () => passwords.verify(hash, password, group)),
    verifySecret: (hash, secret, group) => trace('secret check', () => passwords.verifySecret(hash, secret, group)),
    verifyNothing: (password) => trace('password check', () => passwords.verifyNothing(password)),
  }
}
