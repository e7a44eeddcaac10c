/**
 * Uploaded files: logos, icons and fonts of organizations and of the instance, and pictures of users. Stream: `asset`,
 * under its own id, owned by the organization or the instance. It has one event, and is removed as a whole.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

/** The formats that are accepted, by their contents; the name is also the ending of the file. */
export type AssetFormat = 'png' | 'jpg' | 'webp' | 'gif' | 'svg' | 'woff2' | 'woff' | 'ttf' | 'otf'

export const assetEvents = declareEvents({
  /** `bytes`: the checked contents in base64; `hash`: the first 32 hexadecimal digits of their SHA-256. */
  'asset.stored.v1': data<{ readonly format: AssetFormat; readonly hash: string; readonly bytes: string }>(),
})

export type AssetEvent = EventOf<typeof assetEvents>
