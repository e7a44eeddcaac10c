/** Builds the details of objects and lists in the messages of the v1 and v2 services. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  DetailsSchema,
  ListDetailsSchema as ListDetailsV2,
} from '../../contract/gen/signet/object/v2/object_pb.ts'
import type { ListDetailsSchema as ListDetailsV1, ObjectDetailsSchema } from '../../contract/gen/signet/v1/object_pb.ts'
import type { Instant } from '../kernel/instant.ts'
import type { Document, Page, Written } from '../store/index.ts'

function details({ owner, createdAt, changedAt }: Document<unknown>, sequence: number) {
  return {
    sequence: BigInt(sequence),
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    resourceOwner: owner,
  }
}

/** Details of a document. After a write, `sequence` is the sequence of the last written event. */
export function detailsV1(
  document: Document<unknown>,
  sequence: number = document.sequence,
): MessageInitShape<typeof ObjectDetailsSchema> {
  return details(document, sequence)
}

/** The same for the v2 services. */
export function detailsV2(
  document: Document<unknown>,
  sequence: number = document.sequence,
): MessageInitShape<typeof DetailsSchema> {
  return details(document, sequence)
}

/** Details of a write that changed another document than the one it is about, as when a code is created for a user. */
export function touchedV2(
  document: Document<unknown>,
  sequence: number,
  at: Instant,
): MessageInitShape<typeof DetailsSchema> {
  return { ...details(document, sequence), changeDate: timestampFromMs(at) }
}

/** Details of the document that was just written. */
export function writtenV1({ value, sequence }: Written<Document<unknown>>) {
  return detailsV1(value, sequence)
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
