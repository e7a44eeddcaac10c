/** Converts timestamps of messages. */
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Instant, instant } from '../kernel/instant.ts'

/** The last point in time that a Date can represent, in both directions (ECMA-262 21.4.1.1). */
const FARTHEST = 8_640_000_000_000_000

/** Converts a timestamp. Binary messages can exceed the range of a Date; such values become its last point. */
export function instantOf(timestamp: Timestamp): Instant {
  return instant(Math.max(-FARTHEST, Math.min(FARTHEST, timestampMs(timestamp))))
}
