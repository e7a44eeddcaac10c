/**
 * Identity assertion grants for partners (draft-ietf-oauth-identity-assertion-authz-grant): an application exchanges the ID
 * token of a user for an assertion that another authorization server accepts. The instance names the partners, and the
 * applications that get assertions for each; a grant is opened for it, which the log shows.
 */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { type NewGrant, openGrantWithToken, type ShownToken, shownIdToken } from '../../features/grants/index.ts'
import { assertionPartner, issuesAssertions } from '../../features/settings/index.ts'
import { toldTo } from '../../features/statements/index.ts'
import { signJwt } from '../../features/web-keys/index.ts'
import { resourceKey } from '../../kernel/resource-key.ts'
import type { App } from '../../module/app.ts'
import { ASSERTION_TYP } from '../identity-assertions.ts'
import { originOf } from '../origin.ts'
import { seconds } from '../tokens.ts'
import { translated } from './adapter.ts'
import { applicationOf, type OidcApplication } from './context.ts'
import { errors } from './library/index.ts'

export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const LIFETIME_MS = 300_000

type Asked = Readonly<Record<string, string | undefined>>
type Partner = NonNullable<Awaited<ReturnType<typeof assertionPartner>>>

/** The ID token of a person that the application got itself; a token that was exchanged has none. */
async function readSubject(app: App, { state }: OidcApplication, asked: Asked): Promise<ShownToken> {
  if (asked.actor_token !== undefined) throw new errors.InvalidRequest('an assertion has no actor')
  if (asked.subject_token_type !== ID_TOKEN) throw new errors.InvalidRequest('the subject token must be an ID token')
  const shown = await shownIdToken(app, asked.subject_token ?? '', app.clock())
  const isOwn = shown?.subject.clientId === state.clientId && shown.audience.includes(state.clientId)
  if (!isOwn || shown.subject.isMachine) throw new errors.InvalidRequest('the token is not valid')
  return shown
}

/** The scopes and the resource of the partner that the assertion is about. */
function targetAt({ resources, scopes }: Partner, { resource, scope }: Asked) {
  const uri = resource && resources.find((one) => resourceKey(one) === resourceKey(resource))
  if (resource !== undefined && uri === undefined) throw new errors.InvalidTarget('the partner has no such resource')
  const asked = scope?.split(' ').filter(Boolean) ?? scopes
  if (!asked.every((one) => scopes.includes(one))) {
    throw new errors.InvalidScope('the scope is none of the partner', scope ?? '')
  }
  return { scope: asked.join(' '), ...(uri !== undefined && { resource: uri }) }
}

function subjectOf({ id, state }: OidcApplication, from: ShownToken, audience: string, scope: string): NewGrant {
  const { userId, organizationId, sessionId, authenticatedAt, amr, acr, parents = [] } = from.subject
  return {
    userId,
    organizationId,
    isMachine: false,
    clientId: state.clientId,
    applicationId: id,
    projectId: state.projectId,
    sessionId,
    scope,
    audience: [audience],
    authenticatedAt,
    amr,
    acr,
    parents: [from.parent, ...parents],
  }
}

/** What the partner is told about the user; the address, if the application may know it. */
async function saidOf(app: App, { user, subject }: ShownToken) {
  const told = await toldTo(app, user, { projectIds: [] })
  const hasEmail = user.state.type === 'human' && subject.scope.split(' ').includes('email')
  return { sub: told.id, ...(hasEmail && { email: told.email, email_verified: told.isEmailVerified }) }
}

/** Answers an exchange that asks for an assertion. */
export async function issueAssertion(app: App, ctx: KoaContextWithOIDC): Promise<void> {
  const asked = (ctx.oidc.params ?? {}) as Asked
  if (!(await issuesAssertions(app))) throw new errors.InvalidRequest('requested_token_type is not supported')
  const application = await applicationOf(ctx)
  const { clientId, config } = application.state
  if (config.authMethod === 'none') throw new errors.UnauthorizedClient('the client does not authenticate')
  const partner = await assertionPartner(app, asked.audience ?? '', clientId)
  if (partner === undefined) throw new errors.InvalidTarget('the audience is no partner for this client')
  const from = await readSubject(app, application, asked)
  const target = targetAt(partner, asked)
  const origin = originOf(app, from.user.id)
  const lifetimeMs = Math.min(LIFETIME_MS, from.expiresAt - origin.at)
  const subject = subjectOf(application, from, partner.issuer, target.scope)
  // The token of the grant is given to nobody: the assertion is for the partner, and counts nowhere here.
  const grant = await translated(() => openGrantWithToken(app, origin, subject, { grantType: ID_JAG, lifetimeMs }))
  const claims = {
    iss: app.externalUrl,
    aud: partner.issuer,
    client_id: partner.partnerClientId,
    jti: grant.grantId,
    iat: seconds(grant.issuedAt),
    exp: seconds(grant.expiresAt),
    auth_time: seconds(subject.authenticatedAt),
    ...(subject.amr.length > 0 && { amr: [...subject.amr] }),
    ...(subject.acr !== '' && { acr: subject.acr }),
    ...target,
    ...(await saidOf(app, from)),
  }
  ctx.body = {
    access_token: await signJwt(app, claims, { typ: ASSERTION_TYP }),
    issued_token_type: ID_JAG,
    token_type: 'N_A',
    expires_in: Math.floor(lifetimeMs / 1000),
    scope: target.scope,
  }
}
