/** The metadata of groups in the GroupService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { GroupService } from '../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { type SearchableText, textFilter } from '../../store/index.ts'
import { checkMetadataKeys } from '../metadata/index.ts'
import { groupMetadata } from './documents.ts'
import { groupForCaller } from './find-group.ts'
import { setGroupEntries } from './handlers/set-metadata.ts'

const KEY: SearchableText<keyof typeof groupMetadata.fields & string> = { folded: 'key', typed: ['typedKey'] }
const NOTHING = new Uint8Array()

/** The methods about the metadata of groups. */
export function groupMetadataMethods(app: App): readonly Method[] {
  return methods(GroupService, {
    async setGroupMetadata({ id, metadata }, call) {
      await groupForCaller(app, call, id)
      checkMetadataKeys(metadata, 'metadata')
      const { value } = await app.store.write(call.origin, (work) => setGroupEntries(work, id, metadata))
      return { setDate: timestampFromMs(value) }
    },
    async listGroupMetadata({ id, pagination, filters }, call) {
      await groupForCaller(app, call, id)
      const conditions = filters.flatMap(({ filter }) =>
        filter.case === undefined ? [] : [textFilter(KEY, filter.value.method, filter.value.key)],
      )
      const page = pageOf(pagination, 'pagination')
      const where = { all: [{ field: 'groupId', equals: id } as const, ...conditions] }
      const { documents, total } = await app.store.find(groupMetadata, { where, orderBy: 'typedKey', ...page })
      const metadata = documents.flatMap(({ createdAt, changedAt, state }) => {
        if (state.status === 'none') return []
        const dates = { creationDate: timestampFromMs(createdAt), changeDate: timestampFromMs(changedAt) }
        return [{ ...dates, key: state.key, value: Buffer.from(state.value, 'base64') }]
      })
      return { pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) }, metadata }
    },
    async deleteGroupMetadata({ id, keys }, call) {
      await groupForCaller(app, call, id)
      const removed = keys.map((key) => ({ key, value: NOTHING }))
      const { value } = await app.store.write(call.origin, (work) => setGroupEntries(work, id, removed))
      return { deletionDate: timestampFromMs(value) }
    },
  })
}
