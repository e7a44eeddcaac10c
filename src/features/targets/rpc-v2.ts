/** The methods of the ActionService about targets. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ActionService, type ListTargetsRequest } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import { TargetFieldName, type TargetSearchFilter } from '../../../contract/gen/signet/action/v2/query_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { removeOnce } from '../../module/remove-once.ts'
import { type BuiltInField, type Document, type Filter, textFilter } from '../../store/index.ts'
import { queueStatus, resumeQueue } from '../deliveries/index.ts'
import { isLivingTarget, type LivingTarget } from './decider.ts'
import { findTarget, removeTargetIn, signingKeyOf, signingKeyPlace, targets } from './documents.ts'
import { checkEndpoint } from './endpoint.ts'
import type { TargetSettings } from './events.ts'
import { settingsOf, targetMessage } from './messages.ts'
import { queueOf } from './queue.ts'
import { targetRefusals } from './refusals.ts'
import { newSigningKey } from './signing-key.ts'

type TargetField = keyof typeof targets.fields & string

const SORTED_BY: Readonly<Partial<Record<TargetFieldName, TargetField | BuiltInField>>> = {
  [TargetFieldName.ID]: 'id',
  [TargetFieldName.CHANGED_DATE]: 'changedAt',
  [TargetFieldName.NAME]: 'name',
  [TargetFieldName.TARGET_TYPE]: 'type',
  [TargetFieldName.URL]: 'endpoint',
  [TargetFieldName.TIMEOUT]: 'timeoutMs',
  [TargetFieldName.INTERRUPT_ON_ERROR]: 'interrupts',
}

function filterOf({ filter }: TargetSearchFilter): Filter<TargetField> {
  switch (filter.case) {
    case 'targetNameFilter':
      return textFilter({ folded: 'name', typed: ['typedName'] }, filter.value.method, filter.value.targetName)
    case 'inTargetIdsFilter':
      return { field: 'id', in: filter.value.targetIds }
    case undefined:
      return { all: [] }
  }
}

/** Who reads targets but cannot change them does not get the keys: with one, a caller could pose as this server. */
async function shownTarget(app: App, call: Call, target: Document<LivingTarget>) {
  const isShown = call.may('action.target.write', app.instanceId)
  return targetMessage(target, isShown ? await signingKeyOf(app, target) : '')
}

async function listTargets(app: App, call: Call, { pagination, sortingColumn, filters }: ListTargetsRequest) {
  const { offset, limit, descending } = pageOf(pagination, 'pagination')
  const page = await app.store.find(targets, {
    where: { all: filters.map(filterOf) },
    orderBy: SORTED_BY[sortingColumn ?? TargetFieldName.UNSPECIFIED] ?? 'createdAt',
    offset,
    limit,
    descending,
  })
  const living = page.documents.filter(({ state }) => isLivingTarget(state)) as readonly Document<LivingTarget>[]
  return {
    pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
    targets: await Promise.all(living.map((target) => shownTarget(app, call, target))),
  }
}

/** The methods about targets themselves. */
export function targetMethods(app: App): readonly Method[] {
  const { store, vault, newId, instanceId } = app
  return methods(ActionService, {
    async createTarget(message, call) {
      const { name, endpoint } = message
      checkEndpoint(app, endpoint)
      const settings: TargetSettings = {
        ...{ name, endpoint, timeoutMs: 0, type: 'webhook', interruptOnError: false, payloadType: 'json' },
        signatureType: 'zitadel',
        ...settingsOf(message),
      }
      const signingKey = newSigningKey(settings.signatureType)
      const { at, value } = await store.write(call.origin, async (work) => {
        const id = await work.unusedId(targets, newId)
        const sealed = await vault.seal(work, signingKeyPlace(id), signingKey)
        return work.decide(targets, id, { type: 'add', settings, signingKey: sealed }, instanceId)
      })
      return { id: value.id, creationDate: timestampFromMs(at), signingKey }
    },

    async updateTarget(message, call) {
      const { id, endpoint, expirationSigningKey } = message
      if (endpoint !== undefined) checkEndpoint(app, endpoint)
      const settings = settingsOf(message)
      let signingKey: string | undefined
      const { value } = await store.write(call.origin, async (work) => {
        const before = await findTarget(work, id)
        const wanted = settings.signatureType ?? before?.state.signatureType ?? 'zitadel'
        // The keys of the two signatures look different.
        const isReplaced = expirationSigningKey !== undefined || wanted !== before?.state.signatureType
        signingKey = before !== undefined && isReplaced ? newSigningKey(wanted) : undefined
        const renewed =
          signingKey === undefined ? {} : { signingKey: await vault.seal(work, signingKeyPlace(id), signingKey) }
        return work.decide(targets, id, { type: 'change', settings, ...renewed }, instanceId)
      })
      // Who changes a target that failed, or said that it is gone, wants it to be tried.
      if ((await queueStatus(app, queueOf(id))).failing !== undefined) await resumeQueue(app, queueOf(id))
      return { changeDate: timestampFromMs(value.changedAt), ...(signingKey !== undefined && { signingKey }) }
    },

    async deleteTarget({ id }, call) {
      const findRemoved = () => store.getRemoved(targets, id)
      if ((await findRemoved()) === undefined && (await findTarget(store, id)) === undefined) return {}
      const removed = await removeOnce(findRemoved, async () => {
        const { value } = await store.write(call.origin, (work) => removeTargetIn(app, work, id))
        return value
      })
      return { deletionDate: timestampFromMs(removed.changedAt) }
    },

    async getTarget({ id }, call) {
      const target = await findTarget(store, id)
      if (target === undefined) throw refused(targetRefusals, 'target.not_found')
      return { target: await shownTarget(app, call, target) }
    },

    listTargets: (message, call) => listTargets(app, call, message),
  })
}
