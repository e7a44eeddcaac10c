/** The metadata of the organization of the call in the v1 service. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { type Document, textFilter } from '../../store/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { checkMetadataKeys, metadataId, type NewMetadata } from './documents.ts'
import {
  ORGANIZATION_METADATA_KEY,
  type OrganizationMetadata,
  organizationMetadata,
  setOrganizationEntries,
} from './organization-metadata.ts'
import { metadataRefusals } from './refusals.ts'

const NOTHING = new Uint8Array()

function metadataV1(document: Document<OrganizationMetadata>) {
  const { state } = document
  if (state.status === 'none') return []
  return [{ details: detailsV1(document), key: state.key, value: Buffer.from(state.value, 'base64') }]
}

/** Sets entries, or removes those with an empty value; answers with the details of the last one. */
async function setEntries(app: App, { origin, organizationId }: Call, entries: readonly NewMetadata[]) {
  checkMetadataKeys(entries, 'metadata')
  const { value } = await app.store.write(origin, async (work) => {
    const organization = await requireOrganization(app, organizationId, work)
    await setOrganizationEntries(work, organizationId, entries)
    const last = await work.get(organizationMetadata, metadataId(organizationId, entries.at(-1)?.key ?? ''))
    return { last, organization }
  })
  return { details: detailsV1(value.last ?? value.organization) }
}

async function requireEntry(app: App, { organizationId }: Call, key: string) {
  const document = await app.store.get(organizationMetadata, metadataId(organizationId, key))
  const [metadata] = document === undefined ? [] : metadataV1(document)
  if (metadata === undefined) throw refused(metadataRefusals, 'metadata.not_found')
  return metadata
}

/** The v1 methods about the metadata of organizations. */
export function organizationMetadataMethodsV1(app: App): readonly Method[] {
  return methods(ManagementService, {
    setOrgMetadata: ({ key, value }, call) => setEntries(app, call, [{ key, value }]),
    bulkSetOrgMetadata: ({ metadata }, call) => setEntries(app, call, metadata),
    async listOrgMetadata({ query, queries }, call) {
      const conditions = queries.flatMap(({ query: one }) =>
        one.case === undefined ? [] : [textFilter(ORGANIZATION_METADATA_KEY, one.value.method, one.value.key)],
      )
      const where = { all: [{ field: 'organizationId', equals: call.organizationId } as const, ...conditions] }
      const page = await app.store.find(organizationMetadata, {
        where,
        orderBy: 'typedKey',
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV1(page, call.at), result: page.documents.flatMap(metadataV1) }
    },
    async getOrgMetadata({ key }, call) {
      return { metadata: await requireEntry(app, call, key) }
    },
    async removeOrgMetadata({ key }, call) {
      await requireEntry(app, call, key)
      return setEntries(app, call, [{ key, value: NOTHING }])
    },
    bulkRemoveOrgMetadata: ({ keys }, call) =>
      setEntries(
        app,
        call,
        keys.map((key) => ({ key, value: NOTHING })),
      ),
  })
}
