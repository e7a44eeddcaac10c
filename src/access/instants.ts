/** Points in time as messages carry them. */
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Instant, instant } from '../kernel/instant.ts'

/** The farthest point in time, either way, that a date can be (ECMA-262 21.4.1.1). */
const FARTHEST = 8_640_000_000_000_000

/** A timestamp as an instant; what is beyond every date, and only binary messages can say, is the farthest date. */
export function instantOf(timestamp: Timestamp): Instant {
  return instant(Math.max(-FARTHEST, Math.min(FARTHEST, timestampMs(timestamp))))
}
