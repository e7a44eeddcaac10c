/** The metadata of organizations in the v2 service. That of users is in `humans`, which knows users. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { textFilter } from '../../store/index.ts'
import { findOrganization, requireOrganization } from '../organizations/index.ts'
import { checkMetadataKeys } from './documents.ts'
import { ORGANIZATION_METADATA_KEY, organizationMetadata, setOrganizationEntries } from './organization-metadata.ts'

const NOTHING = new Uint8Array()

/** The methods about the metadata of organizations. */
export function organizationMetadataMethods(app: App): readonly Method[] {
  return methods(OrganizationService, {
    async setOrganizationMetadata({ organizationId, metadata }, call) {
      call.authorize(organizationId)
      checkMetadataKeys(metadata, 'metadata')
      const { value } = await app.store.write(call.origin, async (work) => {
        const { changedAt } = await requireOrganization(app, organizationId, work)
        return (await setOrganizationEntries(work, organizationId, metadata)) ?? changedAt
      })
      return { setDate: timestampFromMs(value) }
    },

    async listOrganizationMetadata({ organizationId, pagination, filters }, call) {
      const page = pageOf(pagination, 'pagination')
      const isThere = (await findOrganization(app.store, organizationId)) !== undefined
      if (!call.reaches(organizationId) || !isThere) return { pagination: { appliedLimit: BigInt(page.limit) } }
      const conditions = filters.flatMap(({ filter }) =>
        filter.case === undefined ? [] : [textFilter(ORGANIZATION_METADATA_KEY, filter.value.method, filter.value.key)],
      )
      const where = { all: [{ field: 'organizationId', equals: organizationId } as const, ...conditions] }
      const { documents, total } = await app.store.find(organizationMetadata, { where, orderBy: 'typedKey', ...page })
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        metadata: documents.flatMap(({ createdAt, changedAt, state }) =>
          state.status === 'none'
            ? []
            : [
                {
                  creationDate: timestampFromMs(createdAt),
                  changeDate: timestampFromMs(changedAt),
                  key: state.key,
                  value: Buffer.from(state.value, 'base64'),
                },
              ],
        ),
      }
    },

    async deleteOrganizationMetadata({ organizationId, keys }, call) {
      call.authorize(organizationId)
      const { value } = await app.store.write(call.origin, async (work) => {
        const { changedAt } = await requireOrganization(app, organizationId, work)
        const removed = keys.map((key) => ({ key, value: NOTHING }))
        return (await setOrganizationEntries(work, organizationId, removed)) ?? changedAt
      })
      return { deletionDate: timestampFromMs(value) }
    },
  })
}
