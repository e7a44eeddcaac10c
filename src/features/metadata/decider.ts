/** The rules of metadata: an entry can be set, replaced and removed. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { searchedValue } from '../../kernel/searched-value.ts'
import type { MetadataEntry, MetadataEvent } from './events.ts'
import { type ListedValues, listedValues } from './listed-values.ts'
import type { MetadataRefusal } from './refusals.ts'

export interface SetMetadata extends MetadataEntry {
  readonly status: 'set'
  /** Characters of the value. */
  readonly size: number
  readonly search: {
    /** Folded, for filters that ignore case. */
    readonly key: string
    /** The value, if it is short enough to be searched. */
    readonly value: string
    readonly listed?: ListedValues
  }
}

/**
 * The document remains after a removal, because the key can be set again. It then has no fields, so no list finds it.
 */
export type Metadata = { readonly status: 'none' } | SetMetadata

export type MetadataCommand = ({ readonly type: 'set' } & MetadataEntry) | { readonly type: 'remove' }

export const metadata: Decider<MetadataCommand, Metadata, MetadataEvent, MetadataRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    if (event.type === 'metadata.removed.v1') return { status: 'none' }
    const { userId, key, value } = event.data
    const listed = listedValues(key, value)
    const search = { key: searchText(key), value: searchedValue(value), ...(listed && { listed }) }
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
