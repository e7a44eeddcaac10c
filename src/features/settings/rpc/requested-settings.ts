/** The settings that a v2 request asks for, or changes. */
import type { RequestContext } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import type { Call } from '../../../access/call.ts'
import { accessRefusals } from '../../../access/refusals.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { holdingSettings } from '../effective.ts'

function ownerOf(app: App, ctx: RequestContext | undefined, call: Call): string {
  const asked = ctx?.resourceOwner
  return asked?.case === 'instance' ? app.instanceId : asked?.value || call.organizationId
}

/**
 * The owner of settings that are the caller's to read or change: an organization, or the instance, which asks for a
 * permission of its own. Throws unless the organization exists.
 */
export async function requireOwner(
  app: App,
  call: Call,
  owner: string,
  verb: 'read' | 'write' | 'delete',
): Promise<string> {
  call.authorize(owner)
  if (owner !== app.instanceId) await requireOrganization(app, owner)
  else if (!call.may(`iam.policy.${verb}`, owner)) throw refused(accessRefusals, 'access.forbidden')
  return owner
}

/** The owner of the settings that a request changes, in its scope. */
export function ownerToChange(app: App, call: Call, ctx: RequestContext | undefined): Promise<string> {
  return requireOwner(app, call, ownerOf(app, ctx, call), 'write')
}

/**
 * The settings that apply to the scope of the request: an organization, the instance, or the organization of the call.
 */
export async function holdingFor(app: App, ctx: RequestContext | undefined, call: Call) {
  const owner = ownerOf(app, ctx, call)
  call.authorize(owner)
  if (owner !== app.instanceId) await requireOrganization(app, owner)
  return holdingSettings(app, owner)
}
