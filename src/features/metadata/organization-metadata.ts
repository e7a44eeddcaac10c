/** Metadata of organizations: the kind `organization-metadata`, one stream per organization and key, and its rules. */

import { accept, type Decider } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { kind, type Origin, type SearchableText, type Work } from '../../store/index.ts'
import { METADATA_LIMIT, metadataId, type NewMetadata } from './documents.ts'

/** Add to this list; never change or remove a line that has shipped (see test/golden). `value` is in base64. */
const organizationMetadataEvents = declareEvents({
  'organization_metadata.set.v1': data<{
    readonly organizationId: string
    readonly key: string
    readonly value: string
  }>(),
  /** The key may be set again in the same stream. */
  'organization_metadata.removed.v1': data(),
})

type OrganizationMetadataEvent = EventOf<typeof organizationMetadataEvents>

/** An entry of an organization. */
export type OrganizationMetadata =
  | { readonly status: 'none' }
  | {
      readonly status: 'set'
      readonly organizationId: string
      readonly key: string
      readonly value: string
      /** Characters of the value. */
      readonly size: number
      readonly search: { readonly key: string }
    }

type OrganizationMetadataCommand =
  | { readonly type: 'set'; readonly organizationId: string; readonly key: string; readonly value: string }
  | { readonly type: 'remove' }

const decider: Decider<OrganizationMetadataCommand, OrganizationMetadata, OrganizationMetadataEvent, never> = {
  initial: { status: 'none' },

  evolve(_, event) {
    if (event.type === 'organization_metadata.removed.v1') return { status: 'none' }
    const { key, value } = event.data
    return { status: 'set', ...event.data, size: value.length, search: { key: searchText(key) } }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'none' ? accept() : accept({ type: 'organization_metadata.removed.v1', data: {} })
    }
    const { organizationId, key, value } = command
    if (state.status === 'set' && state.value === value) return accept()
    return accept({ type: 'organization_metadata.set.v1', data: { organizationId, key, value } })
  },
}

export const organizationMetadata = kind({
  name: 'organization-metadata',
  ids: { joined: ['organization', 'key'] },
  waits: false,
  path: false,
  version: 2,
  events: organizationMetadataEvents,
  decider,
  refusals: {},
  fields: {
    organizationId: { path: ['organizationId'], type: 'text', beside: ['size'] },
    key: { path: ['search', 'key'], type: 'text', indexed: false },
    typedKey: { path: ['key'], type: 'text', indexed: false },
    size: { path: ['size'], type: 'number', indexed: false },
  },
  limits: [{ ...METADATA_LIMIT, holder: 'an organization', by: ['organizationId'] }],
})

type OrganizationMetadataField = keyof typeof organizationMetadata.fields & string

/** The text that entries are searched by: their key, folded or as typed. */
export const ORGANIZATION_METADATA_KEY: SearchableText<OrganizationMetadataField> = {
  folded: 'key',
  typed: ['typedKey'],
}

/** Sets entries of an organization as part of a write, and returns when they last changed; an empty value removes one. */
export async function setOrganizationEntries(
  work: Work,
  organizationId: string,
  entries: readonly NewMetadata[],
): Promise<Instant | undefined> {
  const dates: number[] = []
  for (const { key, value } of entries) {
    const base64 = Buffer.from(value).toString('base64')
    const command =
      base64 === '' ? ({ type: 'remove' } as const) : ({ type: 'set', organizationId, key, value: base64 } as const)
    const entry = await work.decide(organizationMetadata, metadataId(organizationId, key), command, organizationId)
    if (entry.revision > 0) dates.push(entry.changedAt)
  }
  return dates.length === 0 ? undefined : instant(Math.max(...dates))
}

/** Removes up to `limit` entries of an organization that was removed; answers how many there were. */
export async function removeOrganizationEntries(
  { store }: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const where = { field: 'organizationId', equals: organizationId } as const
  const ids = await store.findIds(organizationMetadata, where, limit)
  if (ids.length === 0) return 0
  await store.write(origin, async (work) => {
    for (const id of ids) await work.decide(organizationMetadata, id, { type: 'remove' })
  })
  return ids.length
}
