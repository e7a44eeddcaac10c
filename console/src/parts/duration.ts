/** Durations of the API in seconds, as fields have them. */
import { type Duration, durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'

/** The seconds of a duration of the API. */
export function secondsOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Math.round(durationMs(duration) / 1000)
}

/** A duration of the API. */
export function durationOf(seconds: number): Duration {
  return durationFromMs(seconds * 1000)
}
