/** An event as JSON, as the REST API answers it. */
import { toJson } from '@bufbuild/protobuf'
import { type Event, EventSchema } from '../../../contract/gen/signet/event/v1/event_pb.ts'

/** On several lines, to read. */
export function readableJson(event: Event): string {
  return JSON.stringify(toJson(EventSchema, event), undefined, 2)
}

/** On one line, for NDJSON. */
export function jsonLine(event: Event): string {
  return JSON.stringify(toJson(EventSchema, event))
}
