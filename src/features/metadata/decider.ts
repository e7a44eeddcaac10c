/** The rules of metadata: an entry can be set, replaced and removed. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { MetadataEntry, MetadataEvent } from './events.ts'
import type { MetadataRefusal } from './refusals.ts'

/** The longest searchable value in bytes, which is the limit of the contract for filters. */
const LONGEST_SEARCHED_VALUE = 200
/** Replaces longer values in the index. It is not base64, so no filter matches it. */
const LONG_VALUE = '-'

export interface SetMetadata extends MetadataEntry {
  readonly status: 'set'
  /** Characters of the value. */
  readonly size: number
  readonly search: {
    /** Folded, for filters that ignore case. */
    readonly key: string
    /** The value, if it is short enough to be searched. */
    readonly value: string
  }
}

/**
 * The document remains after a removal, because the key can be set again. It then has no fields, so no list finds it.
 */
export type Metadata = { readonly status: 'none' } | SetMetadata

export type MetadataCommand = ({ readonly type: 'set' } & MetadataEntry) | { readonly type: 'remove' }

/** The search text of an entry with this base64 value. */
function searchedValue(value: string): string {
  return value.length <= Math.ceil(LONGEST_SEARCHED_VALUE / 3) * 4 ? value : LONG_VALUE
}

export const metadata: Decider<MetadataCommand, Metadata, MetadataEvent, MetadataRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    if (event.type === 'metadata.removed.v1') return { status: 'none' }
    const { userId, key, value } = event.data
    const search = { key: searchText(key), value: searchedValue(value) }
    return { status: 'set', userId, key, value, size: value.length, search }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'none' ? refuse('metadata.not_found') : accept({ type: 'metadata.removed.v1', data: {} })
    }
    const { userId, key, value } = command
    if (state.status === 'set' && state.value === value) return accept()
    return accept({ type: 'metadata.set.v1', data: { userId, key, value } })
  },
}
