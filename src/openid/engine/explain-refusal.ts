/** What a page says about a request that was refused because of its client: what was sent, and who may correct it. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { holdsIn } from '../../access/roles.ts'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { homeGrantsOf } from '../../features/memberships/index.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import { visibleName } from '../../kernel/visible-text.ts'
import { requestOf } from './context.ts'
import type { ExplainedRefusal } from './refusals.ts'

const LONGEST = 500

/** What a request contains under a name, as text that a page can show. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST) : ''
}

/** Explains an error of the engine; undefined where its name and description say it all. */
export async function explainRefusal(ctx: KoaContextWithOIDC, { name }: Error): Promise<ExplainedRefusal | undefined> {
  const { app, person } = requestOf(ctx)
  const { client_id: given, redirect_uri: redirectUri } = ctx.oidc.params ?? {}
  const clientId = shown(given)
  if (name === 'InvalidClient' && clientId !== '') return { what: 'client', clientId }
  if (name !== 'InvalidRedirectUri') return undefined
  const application = await findApplicationByClientId(app, clientId)
  if (application === undefined) return undefined
  const { owner: ownerId, state, id } = application
  const { projectId } = state
  const holders = person?.step === 'none' ? await homeGrantsOf(app, person.userId) : []
  const mayCorrect = holdsIn(holders, 'project.app.write', { projectId, ownerId })
  return {
    what: 'redirect_uri',
    applicationName: visibleName(state.name),
    address: shown(redirectUri),
    ...(mayCorrect && { correctedAt: `${PATHS.console}/projects/${projectId}/applications/${id}` }),
  }
}
