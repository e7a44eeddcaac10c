/** Changes, deactivates and reactivates applications, and replaces their secrets. */

import type { Call } from '../../../access/call.ts'
import { hashSecret, newClientSecret } from '../../../crypto/tokens.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { applicationSecrets, applications } from '../documents.ts'
import type { ApplicationConfig } from '../events.ts'
import { requireApplication, usesSecret } from '../find-application.ts'
import { applicationRefusals } from '../refusals.ts'
import type { LivingApplication } from '../state.ts'
import { checkConfig, checkName } from './check-application.ts'
import { takeControl } from './set-api-access.ts'

type WrittenApplication = Written<Document<LivingApplication>>

export interface ApplicationChange {
  readonly name?: string | undefined
  /** The configuration after the change, given the one before; undefined when the application is of another type. */
  readonly configAfter?: ((before: ApplicationConfig) => ApplicationConfig | undefined) | undefined
  /** The path of the configuration in the request. */
  readonly fieldPrefix: string
}

function changedConfig(
  app: App,
  before: ApplicationConfig,
  { configAfter, fieldPrefix }: ApplicationChange,
): ApplicationConfig | undefined {
  if (configAfter === undefined) return undefined
  const after = configAfter(before)
  if (after === undefined) throw refused(applicationRefusals, 'application.other_type')
  checkConfig(app, after, fieldPrefix)
  return after
}

/** A secret that is no longer asked for must not become valid again with a later change. */
async function dropUnusedSecret(work: Work, id: string, before: ApplicationConfig, after: ApplicationConfig) {
  if (usesSecret(before) && !usesSecret(after)) await work.decide(applicationSecrets, id, { type: 'remove' })
}

/** Changes the name and the configuration of an application. A change without effect is refused. */
export function changeApplication(
  app: App,
  call: Call,
  { id, state: { projectId } }: Document<LivingApplication>,
  change: ApplicationChange,
): Promise<WrittenApplication> {
  const { name } = change
  if (name !== undefined) checkName(name)
  return app.store.write(call.origin, async (work) => {
    const before = await requireApplication(app, id, projectId, work)
    const { state, owner } = before
    const config = changedConfig(app, state.config, change)
    const changed = await work.decide(applications, id, { type: 'change', name, config }, owner)
    if (config === undefined) return changed as Document<LivingApplication>
    await dropUnusedSecret(work, id, state.config, config)
    return takeControl(work, call, before)
  })
}

/** Deactivates or reactivates an application. */
export function switchApplication(
  app: App,
  origin: Origin,
  id: string,
  type: 'deactivate' | 'reactivate',
): Promise<WrittenApplication> {
  return app.store.write(origin, async (work) => {
    await requireApplication(app, id, undefined, work)
    return (await work.decide(applications, id, { type })) as Document<LivingApplication>
  })
}

export interface ReplacedSecret {
  /** It is shown once and not stored. */
  readonly secret: string
  readonly written: WrittenApplication
}

/** Sets a new secret of an application and invalidates the old one. `type` is the type that the caller expects. */
export async function replaceSecret(
  app: App,
  call: Call,
  id: string,
  type?: ApplicationConfig['type'],
): Promise<ReplacedSecret> {
  const secret = newClientSecret()
  const hash = hashSecret(secret)
  const written = await app.store.write(call.origin, async (work) => {
    const before = await requireApplication(app, id, undefined, work)
    const { state, owner } = before
    if (type !== undefined && type !== state.config.type) throw refused(applicationRefusals, 'application.other_type')
    // A service provider has nothing to show it for.
    if (state.config.type === 'saml') throw refused(applicationRefusals, 'application.other_type')
    await work.decide(applicationSecrets, id, { type: 'set', hash }, owner)
    await work.decide(applications, id, { type: 'replace_secret' })
    return takeControl(work, call, before)
  })
  return { secret, written }
}
