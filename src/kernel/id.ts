/** Ids of everything we make: UUIDv7, so that they sort by birth and never meet. */
import { randomUUIDv7 } from 'node:crypto'

/** Where ids come from; tests pass their own. */
export type NewId = () => string

export const newId: NewId = () => randomUUIDv7()
