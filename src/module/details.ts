/** Builds the details of objects and lists in the messages of the v1 and v2 services. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ListDetailsSchema as ListDetailsV2 } from '../../contract/gen/signet/object/v2/object_pb.ts'
import type { ListDetailsSchema as ListDetailsV1 } from '../../contract/gen/signet/v1/object_pb.ts'
import type { Instant } from '../kernel/instant.ts'
import type { Document, Page, Written } from '../store/index.ts'

/** The details of an object. The messages of both generations have the same fields. */
export interface Details {
  sequence: bigint
  creationDate: Timestamp
  changeDate: Timestamp
  resourceOwner: string
}

function details({ owner, sequence, createdAt, changedAt }: Document<unknown>): Details {
  return {
    sequence: BigInt(sequence),
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    resourceOwner: owner,
  }
}

/** Details of a document. After a write it is the one that the write has returned; the next read shows the same. */
export function detailsV1(document: Document<unknown>): Details {
  return details(document)
}

/** As above, for the v2 services. */
export function detailsV2(document: Document<unknown>): Details {
  return details(document)
}

/** Details of a write that changed something beside the document it is about, as when a code is made for a user. */
export function touchedV2(document: Document<unknown>, at: Instant): Details {
  return { ...details(document), changeDate: timestampFromMs(at) }
}

/** When a document last changed: by this write, or before it where everything was as it should be. */
export function changeDateOf({ value }: Pick<Written<Document<unknown>>, 'value'>): Timestamp {
  return timestampFromMs(value.changedAt)
}

/** Details of what was just written: the document as it is now. */
export function writtenV1({ value }: Pick<Written<Document<unknown>>, 'value'>) {
  return detailsV1(value)
}

/** Details of a v1 list. */
export function listDetailsV1(
  page: Pick<Page<unknown>, 'total' | 'sequence'>,
  at: Instant,
): MessageInitShape<typeof ListDetailsV1> {
  return {
    totalResult: BigInt(page.total),
    processedSequence: BigInt(page.sequence),
    viewTimestamp: timestampFromMs(at),
  }
}

/** Details of a v2 list. */
export function listDetailsV2(
  page: Pick<Page<unknown>, 'total' | 'sequence'>,
  at: Instant,
): MessageInitShape<typeof ListDetailsV2> {
  return {
    totalResult: BigInt(page.total),
    processedSequence: BigInt(page.sequence),
    timestamp: timestampFromMs(at),
  }
}
