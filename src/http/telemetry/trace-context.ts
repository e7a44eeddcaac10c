/** Trace ids, the header `traceparent` of W3C Trace Context (level 1), and which traces are recorded. */
import { randomBytes } from 'node:crypto'

/** The identity of a span, as it is passed on. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the trace is recorded. */
  readonly isSampled: boolean
}

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 1

/** Reads the header; undefined when it is invalid, because then the trace starts here (§3.2.2, §4.3). */
export function readTraceparent(header: string | undefined): SpanContext | undefined {
  const match = header === undefined ? null : HEADER.exec(header.trim())
  if (match === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match
  // A later version may say more at the end; version 00 may not, and ff is no version.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 }
}

/** Writes the header for a call that is made inside of a span. */
export function writeTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString('hex')
  return ZEROS.test(id) ? randomId(bytes) : id
}

/** Whether a trace is recorded: of a trace that began elsewhere, `parent` is the calling span. */
export type Sampler = (traceId: string, parent: SpanContext | undefined) => boolean

/** The last seven bytes of a trace id are random (level 2, §2.2.3), so every server of a trace decides alike. */
const RANDOM_DIGITS = 14

function ratioSampler(ratio: number): Sampler {
  const limit = ratio * 2 ** 52
  // 52 of the 56 bits, which a number holds exactly.
  return (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS).slice(1), 16) < limit
}

/** The sampler of a setting, such as `parentbased_traceidratio` with a ratio. */
export function openSampler(name: string, ratio: number): Sampler {
  const [, basedOnParent, root] = /^(parentbased_)?(.+)$/.exec(name) ?? []
  const decide: Sampler = root === 'always_on' ? () => true : root === 'always_off' ? () => false : ratioSampler(ratio)
  if (basedOnParent === undefined) return decide
  return (traceId, parent) => (parent === undefined ? decide(traceId, parent) : parent.isSampled)
}

/** The context of a span below `parent`, in the same trace. */
export function childContext(parent: SpanContext): SpanContext {
  return { traceId: parent.traceId, spanId: randomId(8), isSampled: parent.isSampled }
}

/** The context of the first span of this server in a trace, which may have begun elsewhere. */
export function rootContext(sampler: Sampler, parent: SpanContext | undefined): SpanContext {
  const traceId = parent?.traceId ?? randomId(16)
  return { traceId, spanId: randomId(8), isSampled: sampler(traceId, parent) }
}
