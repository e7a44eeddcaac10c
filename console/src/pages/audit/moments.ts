/** Moments as fields for date and time have them. */
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'

/** The moment of a local time; undefined for none, or for a text that is none. */
export function momentOf(local: string | undefined): Timestamp | undefined {
  const date = new Date(local ?? '')
  return Number.isNaN(date.getTime()) ? undefined : timestampFromDate(date)
}
