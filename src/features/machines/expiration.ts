/** Until when a credential is good. */
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { instantOf } from '../users/index.ts'
import { machineRefusals } from './refusals.ts'

/** What "for ever" is: 9999-12-31T23:59:59Z, the last whole second that every format can write. */
export const NEVER: Instant = instant(253_402_300_799_000)

/** Reads the field `expirationDate`: not given means never. Refuses, naming the field, what has passed already. */
export function expirationOf(date: Timestamp | undefined, at: Instant): Instant {
  if (date === undefined) return NEVER
  const expiresAt = instantOf(date)
  const refuse = (code: 'machine.expiration_past' | 'machine.expiration_invalid', description: string) =>
    refused(machineRefusals, code, { violations: [{ field: 'expirationDate', description }] })
  if (expiresAt <= at) throw refuse('machine.expiration_past', 'must be in the future')
  if (expiresAt >= NEVER + 1000) throw refuse('machine.expiration_invalid', 'must be before the year 10000')
  return expiresAt
}
