/** The kind `asset`: one checked file. What refers to it removes it with its whole stream when it is no longer used. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { kind } from '../../store/index.ts'
import { type AssetEvent, type AssetFormat, assetEvents } from './events.ts'
import { type AssetRefusal, assetRefusals } from './refusals.ts'

/** A stored file. */
export interface StoredAsset {
  readonly format: AssetFormat
  readonly hash: string
  /** Base64. */
  readonly bytes: string
}

export type Asset = { readonly format: 'none' } | StoredAsset

const assetDecider: Decider<StoredAsset, Asset, AssetEvent, AssetRefusal> = {
  initial: { format: 'none' },
  evolve: (_, { data }) => data,
  decide: (command, state) =>
    state.format === 'none' ? accept({ type: 'asset.stored.v1', data: command }) : refuse('asset.exists'),
}

export const assets = kind({
  name: 'asset',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: assetEvents,
  decider: assetDecider,
  refusals: assetRefusals,
  fields: {},
  removable: true,
})
