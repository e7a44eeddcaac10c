/** The methods of SignalService about trusted transmitters. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { WhenAccountDisabled } from '../../../contract/gen/signet/signal/v1/signal_pb.ts'
import { SignalService } from '../../../contract/gen/signet/signal/v1/signal_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { hashSecret, newClientSecret } from '../../crypto/tokens.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { visibleOwners } from '../../module/visible-owners.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import type { Document, Work } from '../../store/index.ts'
import { findProviderOf } from '../identity-providers/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { isLiving, type LivingTransmitter } from './decider.ts'
import { authorizeOwner, INSTANCE_READERS, transmitterForCaller, trustedTransmitters } from './documents.ts'
import type { TransmitterSettings, WhenDisabled } from './events.ts'
import { trustedTransmitterRefusals } from './refusals.ts'

/** Below it: the ID of a transmitter. */
export const EVENTS_PATH = '/ssf/v1/events'

const MESSAGES = {
  end_sessions: WhenAccountDisabled.END_SESSIONS,
  deactivate: WhenAccountDisabled.DEACTIVATE,
} as const satisfies Record<WhenDisabled, WhenAccountDisabled>

/** Undefined when it is not given. */
function whenDisabledOf(given: WhenAccountDisabled): WhenDisabled | undefined {
  const [found] = Object.entries(MESSAGES).find(([, message]) => message === given) ?? []
  return found as WhenDisabled | undefined
}

function endpointOf({ externalUrl }: App, id: string): string {
  return `${externalUrl}${EVENTS_PATH}/${id}`
}

/** Refuses addresses that are no https URLs; keys are never fetched from a private network. */
function checkUrls({ issuer, jwksUri }: Partial<TransmitterSettings>): void {
  const violations = Object.entries({ issuer, jwksUri }).flatMap(([field, url]) => {
    const description = url === undefined ? undefined : endpointProblem(url, false)
    return description === undefined ? [] : [{ field, description }]
  })
  if (violations.length > 0)
    throw refused(trustedTransmitterRefusals, 'trusted_transmitter.url_invalid', { violations })
}

/** Throws unless the provider belongs where the transmitter does: nobody speaks for accounts of others. */
async function requireProvider(app: App, work: Work, providerId: string, owner: string): Promise<void> {
  const provider = await findProviderOf(app, providerId, [owner], work)
  if (provider?.state.connection.protocol === 'oidc') return
  throw refused(trustedTransmitterRefusals, 'trusted_transmitter.provider_not_found')
}

function messageOf(app: App, { id, owner, state, createdAt, changedAt }: Document<LivingTransmitter>) {
  const { name, issuer, audience, jwksUri, providerId, whenDisabled, isPaused = false } = state
  return {
    id,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    organizationId: owner === app.instanceId ? '' : owner,
    ...{ name, issuer, audience, jwksUri, idpId: providerId },
    whenAccountDisabled: MESSAGES[whenDisabled],
    endpoint: endpointOf(app, id),
    paused: isPaused,
  }
}

/** The methods of this module. */
export function trustedTransmitterMethods(app: App): readonly Method[] {
  const { store } = app
  return methods(SignalService, {
    async createTrustedTransmitter({ organizationId, name, issuer, audience, jwksUri, idpId, ...rest }, call) {
      const owner = organizationId === '' ? app.instanceId : organizationId
      authorizeOwner(app, call, owner, 'write')
      const whenDisabled = whenDisabledOf(rest.whenAccountDisabled) ?? 'end_sessions'
      const settings = { name, issuer, audience, jwksUri, providerId: idpId, whenDisabled }
      checkUrls(settings)
      const token = newClientSecret()
      const { value } = await store.write(call.origin, async (work) => {
        if (owner !== app.instanceId) await requireOrganization(app, owner, work)
        await requireProvider(app, work, idpId, owner)
        const id = await work.unusedId(trustedTransmitters, app.newId)
        return work.decide(trustedTransmitters, id, { type: 'add', settings, tokenHash: hashSecret(token) }, owner)
      })
      const creationDate = timestampFromMs(value.createdAt)
      return { transmitterId: value.id, creationDate, endpoint: endpointOf(app, value.id), token }
    },
    async updateTrustedTransmitter({ transmitterId, name, issuer, audience, jwksUri, ...rest }, call) {
      await transmitterForCaller(app, call, transmitterId, 'write')
      const { whenAccountDisabled, paused: isPaused } = rest
      const given = { name, issuer, audience, jwksUri, whenDisabled: whenDisabledOf(whenAccountDisabled), isPaused }
      const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      checkUrls(settings)
      const { value } = await store.write(call.origin, (work) =>
        work.decide(trustedTransmitters, transmitterId, { type: 'change', settings }),
      )
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deleteTrustedTransmitter({ transmitterId }, call) {
      const removed = await store.getRemoved(trustedTransmitters, transmitterId)
      const found = removed ?? (await store.get(trustedTransmitters, transmitterId))
      authorizeOwner(app, call, found?.owner ?? app.instanceId, 'write')
      if (removed !== undefined) return { deletionDate: timestampFromMs(removed.changedAt) }
      if (found === undefined) return {}
      const { at } = await store.write(call.origin, (work) =>
        work.decide(trustedTransmitters, transmitterId, { type: 'remove' }),
      )
      return { deletionDate: timestampFromMs(at) }
    },
    async listTrustedTransmitters({ pagination, organizationId }, call) {
      const page = pageOf(pagination, 'pagination')
      const where = visibleOwners(app, call, organizationId, INSTANCE_READERS)
      const { total, documents } = await store.find(trustedTransmitters, { where, orderBy: 'createdAt', ...page })
      const living = documents.filter(({ state }) => isLiving(state)) as readonly Document<LivingTransmitter>[]
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        transmitters: living.map((one) => messageOf(app, one)),
      }
    },
  })
}
