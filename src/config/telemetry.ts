/**
 * Traces and metrics over OTLP. The variables are those of the OpenTelemetry specification; they only have an effect
 * when the endpoint is set.
 */
import { BadSetting, Secret, setting, wholeNumber } from './setting.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Which traces are recorded. */
export type SamplerName = (typeof SAMPLERS)[number]

function readEndpoint(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new BadSetting('must be an http or https URL without user and query, such as http://localhost:4318.')
  }
  return url.href.replace(/\/$/, '')
}

/** `key=value,key=value`, percent-encoded (W3C Baggage, as the specification of OpenTelemetry says). */
function readPairs(text: string | undefined): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of (text ?? '').split(',')) {
    if (pair.trim() === '') continue
    const equals = pair.indexOf('=')
    const key = pair.slice(0, Math.max(equals, 0)).trim()
    try {
      if (key === '') throw new URIError()
      pairs.set(key, decodeURIComponent(pair.slice(equals + 1).trim()))
    } catch {
      throw new BadSetting('must be a list such as name=value,name=value, with percent-encoded values.')
    }
  }
  return pairs
}

function readHeaders(text: string | undefined): ReadonlyMap<string, Secret> {
  const headers = new Map<string, Secret>()
  for (const [name, value] of readPairs(text)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e]/.test(value)) {
      throw new BadSetting('must be a list of header names and values (its value is not shown).')
    }
    headers.set(name.toLowerCase(), new Secret(value))
  }
  return headers
}

function readSampler(text: string | undefined): SamplerName {
  const sampler = SAMPLERS.find((known) => known === (text ?? 'parentbased_always_on'))
  if (sampler === undefined) throw new BadSetting(`must be one of ${SAMPLERS.join(', ')}.`)
  return sampler
}

function readRatio(text: string | undefined): number {
  const ratio = text === undefined ? 1 : /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return ratio
  throw new BadSetting('must be a number from 0 to 1.')
}

function readExporter(text: string | undefined): boolean {
  if (text === undefined || text === 'otlp' || text === 'none') return text !== 'none'
  throw new BadSetting('must be otlp or none.')
}

function readProtocol(text: string | undefined): void {
  // Collectors take JSON and binary messages at the same address and tell them apart by their content type.
  if (text === undefined || text === 'http/json' || text === 'http/protobuf') return
  throw new BadSetting('must be http/json: gRPC is not supported. Use the HTTP port of the collector, usually 4318.')
}

export const telemetrySettings = {
  endpoint: setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    defaultText: 'unset = no OpenTelemetry',
    meaning:
      'Base URL of an OTLP/HTTP collector, such as `http://localhost:4318`. Turns traces and metrics over OTLP on.',
    read: readEndpoint,
  }),
  headers: setting({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    defaultText: 'none',
    meaning: 'Headers for the collector, `name=value,name=value`, with percent-encoded values.',
    isSecret: true,
    read: readHeaders,
  }),
  protocol: setting({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    defaultText: '`http/json`',
    meaning:
      'Only JSON over HTTP is sent. `http/protobuf` is accepted, because collectors take both at the same address; `grpc` is not.',
    read: readProtocol,
  }),
  timeoutMs: setting({
    name: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    defaultText: '`10000`',
    meaning: 'Milliseconds that one export may take.',
    read: wholeNumber(1, 600_000, 10_000),
  }),
  serviceName: setting({
    name: 'OTEL_SERVICE_NAME',
    defaultText: '`signet`',
    meaning: 'Name of the service in traces and metrics. Wins over `service.name` of the resource attributes.',
    read: (text) => text,
  }),
  resourceAttributes: setting({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    defaultText: 'none',
    meaning:
      'More attributes of the resource, `name=value,name=value`, such as `deployment.environment.name=production`.',
    read: readPairs,
  }),
  sampler: setting({
    name: 'OTEL_TRACES_SAMPLER',
    defaultText: '`parentbased_always_on`',
    meaning: `Which traces are recorded: ${SAMPLERS.map((name) => `\`${name}\``).join(', ')}.`,
    read: readSampler,
  }),
  samplerRatio: setting({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    defaultText: '`1`',
    meaning: 'Share of the traces that a sampler with `traceidratio` records, from 0 to 1.',
    read: readRatio,
  }),
  exportsTraces: setting({
    name: 'OTEL_TRACES_EXPORTER',
    defaultText: '`otlp`',
    meaning: '`none` turns traces off.',
    read: readExporter,
  }),
  exportsMetrics: setting({
    name: 'OTEL_METRICS_EXPORTER',
    defaultText: '`otlp`',
    meaning: '`none` turns metrics over OTLP off. `/metrics` stays.',
    read: readExporter,
  }),
  metricIntervalMs: setting({
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    defaultText: '`60000`',
    meaning: 'Milliseconds between two exports of the metrics.',
    read: wholeNumber(100, 3_600_000, 60_000),
  }),
  traceDelayMs: setting({
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    defaultText: '`5000`',
    meaning: 'Milliseconds that spans wait for others before they are exported.',
    read: wholeNumber(1, 60_000, 5_000),
  }),
} as const
