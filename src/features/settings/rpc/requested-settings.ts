/** The settings that a v2 request asks for. */
import type { RequestContext } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import type { Call } from '../../../access/call.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { holdingSettings } from '../effective.ts'

/**
 * The settings that apply to the scope of the request: an organization, the instance, or the organization of the call.
 */
export async function holdingFor(app: App, ctx: RequestContext | undefined, call: Call) {
  const asked = ctx?.resourceOwner
  const owner = asked?.case === 'instance' ? app.instanceId : asked?.value || call.organizationId
  call.authorize(owner)
  if (owner !== app.instanceId) await requireOrganization(app, owner)
  return holdingSettings(app, owner)
}
