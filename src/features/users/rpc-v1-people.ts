/** Adding people, and the metadata of users, in the v1 service: in the organization of the call. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { Gender as GenderV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV1, listDetailsV1 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { refused } from '../../kernel/refusal.ts'
import { type Document, textFilter } from '../../store/index.ts'
import {
  checkMetadataKeys,
  findMetadata,
  listMetadata,
  METADATA_KEY,
  metadataId,
  metadataRefusals,
  type NewMetadata,
  removeMetadata,
  type SetMetadata,
  setMetadata,
  userMetadata,
} from '../metadata/index.ts'
import { addHuman, prepareHuman } from './adding-humans.ts'
import type { Gender } from './events.ts'
import { userOfOrganization } from './finding.ts'
import type { UsersNeeds } from './needs.ts'
import { userRefusals } from './refusals.ts'
import { requireUser } from './rpc-v2-metadata.ts'

const GENDERS: Readonly<Record<GenderV1, Gender>> = {
  [GenderV1.UNSPECIFIED]: 'unspecified',
  [GenderV1.FEMALE]: 'female',
  [GenderV1.MALE]: 'male',
  [GenderV1.DIVERSE]: 'diverse',
}

function metadataV1(document: Document<SetMetadata>) {
  return {
    details: detailsV1(document),
    key: document.state.key,
    value: Buffer.from(document.state.value, 'base64'),
  }
}

function peopleRpc(needs: UsersNeeds): Implementation<typeof ManagementService> {
  const { store } = needs

  /** Sets entries and answers how the last one is then. */
  const setEntries = async (call: Call, userId: string, entries: readonly NewMetadata[], field: string) => {
    const user = await userOfOrganization(store, call, userId)
    checkMetadataKeys(entries, field)
    const { value, sequence } = await store.write(call.origin, async (work) => {
      await requireUser(work, userId)
      await setMetadata(work, { userId, organizationId: user.owner }, entries)
      const last = entries.at(-1)
      return last === undefined ? undefined : work.get(userMetadata, metadataId(userId, last.key))
    })
    return { details: detailsV1(value ?? user, sequence) }
  }

  return {
    async addHumanUser({ userName, profile, email, phone, initialPassword }, call) {
      const { gender, ...texts } = profile ?? { gender: GenderV1.UNSPECIFIED }
      const { organizationId } = call
      const isKnown = (isVerified: boolean) =>
        isVerified ? ({ type: 'known', isVerified } as const) : ({ type: 'default' } as const)
      const draft = {
        userName,
        profile: { ...texts, gender: GENDERS[gender] },
        email: { address: email?.email ?? '', verification: isKnown(email?.isEmailVerified === true) },
        phone: phone && { text: phone.phone, verification: isKnown(phone.isPhoneVerified) },
        // An empty password is none: then the person is invited to set one.
        password:
          initialPassword === ''
            ? undefined
            : { password: { plain: initialPassword }, changeRequired: true, field: 'initialPassword' },
        needsSetUp: initialPassword === '',
      }
      const fields = { prefix: '', outer: '', userName: 'userName' } as const
      const prepared = await prepareHuman(needs, organizationId, draft, fields)
      const { value, sequence } = await store.write(call.origin, (work) => addHuman(needs, work, prepared))
      return { userId: value.user.id, details: detailsV1(value.user, sequence) }
    },

    async setUserMetadata({ id, key, value }, call) {
      return { id, ...(await setEntries(call, id, [{ key, value }], 'metadata')) }
    },

    bulkSetUserMetadata: ({ id, metadata }, call) => setEntries(call, id, metadata, 'metadata'),

    async listUserMetadata({ id, query, queries }, call) {
      await userOfOrganization(store, call, id)
      const conditions = queries.map((one) => {
        if (one.query.case === undefined) throw refused(userRefusals, 'user.query_invalid')
        return textFilter(METADATA_KEY, one.query.value.method, one.query.value.key)
      })
      const where = { all: [{ field: 'userId', equals: id } as const, ...conditions] }
      const page = await listMetadata(store, { where, orderBy: 'typedKey', ...pageOf(query, 'query') })
      return { details: listDetailsV1(page, call.at), result: page.documents.map(metadataV1) }
    },

    async getUserMetadata({ id, key }, call) {
      await userOfOrganization(store, call, id)
      const entry = await findMetadata(store, id, key)
      if (entry === undefined) throw refused(metadataRefusals, 'metadata.not_found')
      return { metadata: metadataV1(entry) }
    },

    async removeUserMetadata({ id, key }, call) {
      await userOfOrganization(store, call, id)
      const { value, sequence } = await store.write(call.origin, async (work) => {
        await requireUser(work, id)
        await removeMetadata(work, id, [key])
        return work.get(userMetadata, metadataId(id, key))
      })
      if (value === undefined) throw refused(metadataRefusals, 'metadata.not_found')
      return { details: detailsV1(value, sequence) }
    },
  }
}

/** The v1 methods that add people and keep metadata. */
export function peopleMethodsV1(needs: UsersNeeds): readonly Method[] {
  return methods(ManagementService, peopleRpc(needs))
}
