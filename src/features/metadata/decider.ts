/** The rules of metadata: an entry can be set, replaced and removed. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { MetadataEntry, MetadataEvent } from './events.ts'
import type { MetadataRefusal } from './refusals.ts'

/** The longest value that users can be found by, in bytes: what the contract allows in a filter. */
const LONGEST_SEARCHED_VALUE = 200
/** Stands for every longer value; it is not base64, so no filter can match it. */
const LONG_VALUE = '-'

export interface SetMetadata extends MetadataEntry {
  readonly status: 'set'
  readonly search: {
    /** Folded, for filters that ignore case. */
    readonly key: string
    /** The value when it is short enough to be searched by. */
    readonly value: string
  }
}

/** The document stays after a removal, because the key may be set again. It has no fields then, so no list finds it. */
export type Metadata = { readonly status: 'none' } | SetMetadata

export type MetadataCommand = ({ readonly type: 'set' } & MetadataEntry) | { readonly type: 'remove' }

/** The text that an entry with this value, in base64, is found by. */
function searchedValue(value: string): string {
  return value.length <= Math.ceil(LONGEST_SEARCHED_VALUE / 3) * 4 ? value : LONG_VALUE
}

export const metadata: Decider<MetadataCommand, Metadata, MetadataEvent, MetadataRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    if (event.type === 'metadata.removed.v1') return { status: 'none' }
    const { userId, key, value } = event.data
    return { status: 'set', userId, key, value, search: { key: searchText(key), value: searchedValue(value) } }
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
