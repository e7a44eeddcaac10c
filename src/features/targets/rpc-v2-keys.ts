/** The methods of the ActionService about the public keys of targets. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ActionService } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import { PublicKeyFieldName, type PublicKeySearchFilter } from '../../../contract/gen/signet/action/v2/query_pb.ts'
import { type TimestampFilter, TimestampFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { instantOf } from '../../module/instants.ts'
import { pageOf } from '../../module/paging.ts'
import { isLivingTarget, type Target, type TargetPublicKey } from './decider.ts'
import { findTarget, targets } from './documents.ts'
import { publicKeyMessage } from './messages.ts'
import { readPublicKey } from './public-key.ts'
import { targetRefusals } from './refusals.ts'

function matchesTime({ timestamp, method }: TimestampFilter, value: number | undefined): boolean {
  if (timestamp === undefined) return true
  if (value === undefined) return false
  const wanted = instantOf(timestamp)
  switch (method) {
    case TimestampFilterMethod.EQUALS:
      return value === wanted
    case TimestampFilterMethod.AFTER:
      return value > wanted
    case TimestampFilterMethod.AFTER_OR_EQUALS:
      return value >= wanted
    case TimestampFilterMethod.BEFORE:
      return value < wanted
    default:
      return value <= wanted
  }
}

function matches({ filter }: PublicKeySearchFilter, key: TargetPublicKey): boolean {
  switch (filter.case) {
    case 'keyIdsFilter':
      return filter.value.ids.includes(key.keyId)
    case 'activeFilter':
      return filter.value === key.isActive
    case 'expirationDateFilter':
      return matchesTime(filter.value, key.expiresAt)
    case undefined:
      return true
  }
}

function addedAt(key: TargetPublicKey): number {
  return key.addedAt
}

const SORTED_BY: Readonly<Partial<Record<PublicKeyFieldName, (key: TargetPublicKey) => number>>> = {
  [PublicKeyFieldName.CHANGE_DATE]: ({ changedAt }) => changedAt,
  [PublicKeyFieldName.EXPIRATION_DATE]: ({ expiresAt }) => expiresAt ?? Number.MAX_SAFE_INTEGER,
}

function keysOf(state: Target): readonly TargetPublicKey[] {
  return isLivingTarget(state) ? state.publicKeys : []
}

/** The methods about public keys. */
export function publicKeyMethods(app: App): readonly Method[] {
  const { store, instanceId, newId } = app
  const change = async (type: 'activate_key' | 'deactivate_key', targetId: string, keyId: string, call: Call) => {
    const { value } = await store.write(call.origin, (work) =>
      work.decide(targets, targetId, { type, keyId, at: work.origin.at }, instanceId),
    )
    const changed = keysOf(value.state).find((key) => key.keyId === keyId)
    return { changeDate: timestampFromMs(changed?.changedAt ?? value.changedAt) }
  }

  return methods(ActionService, {
    async addPublicKey({ targetId, publicKey: bytes, expirationDate }, call) {
      const read = readPublicKey(bytes)
      const expiresAt = expirationDate === undefined ? undefined : instantOf(expirationDate)
      const violations = [
        ...(read === undefined
          ? [{ field: 'publicKey', description: 'must be an RSA key of 2048 bits or more or an EC key in PEM format' }]
          : []),
        ...(expiresAt !== undefined && expiresAt <= call.at
          ? [{ field: 'expirationDate', description: 'must be in the future' }]
          : []),
      ]
      if (read === undefined || violations.length > 0) {
        throw refused(targetRefusals, 'target.public_key_invalid', { violations })
      }
      const keyId = newId()
      const key = { keyId, publicKey: read.pem, fingerprint: read.fingerprint, ...(expiresAt && { expiresAt }) }
      const { at } = await store.write(call.origin, (work) =>
        work.decide(targets, targetId, { type: 'add_key', ...key, at: work.origin.at }, instanceId),
      )
      return { keyId, creationDate: timestampFromMs(at) }
    },

    activatePublicKey: ({ targetId, keyId }, call) => change('activate_key', targetId, keyId, call),
    deactivatePublicKey: ({ targetId, keyId }, call) => change('deactivate_key', targetId, keyId, call),

    async removePublicKey({ targetId, keyId }, call) {
      const { value: isThere, at } = await store.write(call.origin, async (work) => {
        const before = await findTarget(work, targetId)
        if (before === undefined || !before.state.publicKeys.some((key) => key.keyId === keyId)) return false
        await work.decide(targets, targetId, { type: 'remove_key', keyId, at: work.origin.at }, instanceId)
        return true
      })
      return isThere ? { deletionDate: timestampFromMs(at) } : {}
    },

    async listPublicKeys({ targetId, pagination, sortingColumn, filters }) {
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      const target = await findTarget(store, targetId)
      if (target === undefined) throw refused(targetRefusals, 'target.not_found')
      const sortedBy = SORTED_BY[sortingColumn] ?? addedAt
      const found = target.state.publicKeys
        .filter((key) => filters.every((filter) => matches(filter, key)))
        .toSorted((one, other) => (sortedBy(one) - sortedBy(other)) * (descending ? -1 : 1))
      return {
        pagination: { totalResult: BigInt(found.length), appliedLimit: BigInt(limit) },
        publicKeys: found.slice(offset, offset + limit).map(publicKeyMessage.show),
      }
    },
  })
}
