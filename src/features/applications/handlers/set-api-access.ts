/** How far an application reaches in our own API: set on purpose, and taken back when others get hold of it. */
import { accessAfterChange, mayAllow } from '../../../access/api-access.ts'
import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { ApiAccess } from '../../../kernel/role.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { applications } from '../documents.ts'
import { requireApplication } from '../find-application.ts'
import { applicationRefusals } from '../refusals.ts'
import type { LivingApplication } from '../state.ts'

function placeOf({ owner, state }: Document<LivingApplication>) {
  return { projectId: state.projectId, ownerId: owner }
}

/** Sets how far an application reaches. The caller must reach as far: by the token that was shown. */
export function setApiAccess(
  app: App,
  call: Call,
  { id, state: { projectId } }: Document<LivingApplication>,
  access: ApiAccess,
): Promise<Written<Document<LivingApplication>>> {
  const { caller } = call
  return app.store.write(call.origin, async (work) => {
    const document = await requireApplication(app, id, projectId, work)
    if (!mayAllow(caller.grants, access, placeOf(document))) {
      throw refused(applicationRefusals, 'application.access_above_own')
    }
    const command = { type: 'set_api_access', access, allowedBy: caller.userId } as const
    return (await work.decide(applications, id, command)) as Document<LivingApplication>
  })
}

/**
 * The caller chooses where an application sends people, or gets a credential of it, in this write: from then on it reaches
 * no further than they do.
 */
export async function takeControl(
  work: Work,
  { caller }: Call,
  before: Document<LivingApplication>,
): Promise<Document<LivingApplication>> {
  const access = accessAfterChange(caller.grants, before.state.api?.access ?? 'project', placeOf(before))
  const command = { type: 'set_api_access', access, allowedBy: caller.userId } as const
  return (await work.decide(applications, before.id, command)) as Document<LivingApplication>
}
