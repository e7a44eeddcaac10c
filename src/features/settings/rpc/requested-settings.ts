/** The settings that a v2 request asks for, or changes. */
import type { RequestContext } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import type { Call } from '../../../access/call.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { holdingSettings } from '../effective.ts'

function ownerOf(app: App, ctx: RequestContext | undefined, call: Call): string {
  const asked = ctx?.resourceOwner
  return asked?.case === 'instance' ? app.instanceId : asked?.value || call.organizationId
}

/**
 * The owner of settings that are the caller's to read or change: an existing organization, or the instance. Whoever holds a
 * permission for settings on the instance itself holds the one for the settings of the instance.
 */
export async function requireOwner(app: App, call: Call, owner: string): Promise<string> {
  call.authorize(owner)
  if (owner !== app.instanceId) await requireOrganization(app, owner)
  return owner
}

/** The owner of the settings that a request is about, in its scope. */
export function ownerAsked(app: App, call: Call, ctx: RequestContext | undefined): Promise<string> {
  return requireOwner(app, call, ownerOf(app, ctx, call))
}

/**
 * The settings that apply to the scope of the request: an organization, the instance, or the organization of the call.
 */
export async function holdingFor(app: App, ctx: RequestContext | undefined, call: Call) {
  return holdingSettings(app, await ownerAsked(app, call, ctx))
}
