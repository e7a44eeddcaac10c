/**
 * Tells applications that the session of a user has ended (OpenID Connect Back-Channel Logout 1.0). The commit that ends
 * the session enqueues one job for each application that wants to know.
 */

import type { Instant } from '../../../kernel/instant.ts'
import type { App, EndedSession } from '../../../module/app.ts'
import type { Document, Job, Reader, Work } from '../../../store/index.ts'
import { applications, isHighAssurance, type OidcConfig } from '../../applications/index.ts'
import type { UserSession } from '../../sessions/index.ts'
import { subjectFor } from '../../statements/index.ts'
import { signJwt } from '../../web-keys/index.ts'
import { grants } from '../documents.ts'

/** The commit that ends a session enqueues this job with a `LogoutNotice`. */
export const LOGOUT_NOTICE_JOB = 'logout-notice'

export interface LogoutNotice {
  readonly applicationId: string
  readonly clientId: string
  readonly userId: string
  readonly sessionId: string
}

const TIMEOUT_MS = 5000
const LIFETIME_S = 900
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const PAGE_SIZE = 500

/** The pauses between tries. After the last one the notice is dropped: it would come too late to be of use. */
const PAUSES_MS = [1000, 5000, 30_000, 120_000] as const

/** How long a job waits after this many tries. */
export function noticePause(attempts: number): number | undefined {
  return PAUSES_MS[attempts - 1]
}

/** Where an application wants to be told; undefined: it does not. */
async function logoutConfigOf(reader: Reader, applicationId: string): Promise<OidcConfig | undefined> {
  const state = applicationId === '' ? undefined : (await reader.get(applications, applicationId))?.state
  if (state?.status !== 'active' || state.config.type !== 'oidc') return undefined
  return state.config.backChannelLogoutUri === '' ? undefined : state.config
}

/** Until when the session of a new grant can end and its application wants to be told; undefined: it does not. */
export async function logoutUntilOf(
  reader: Reader,
  applicationId: string,
  session: Document<UserSession> | undefined,
): Promise<Instant | undefined> {
  if (session === undefined) return undefined
  const isTold = (await logoutConfigOf(reader, applicationId)) !== undefined
  // A service provider of SAML names the grant when it logs the user out.
  return isTold || (await isServiceProvider(reader, applicationId)) ? session.state.endsAt : undefined
}

async function isServiceProvider(reader: Reader, applicationId: string): Promise<boolean> {
  const state = applicationId === '' ? undefined : (await reader.get(applications, applicationId))?.state
  return state?.status === 'active' && state.config.type === 'saml'
}

/** Enqueues the notices about a session, in the commit that ends it. */
export async function enqueueLogoutNotices(app: App, work: Work, { id: sessionId, userId }: EndedSession) {
  const where = { field: 'sessionId', equals: sessionId } as const
  const told = new Set<string>()
  for (let offset = 0, more = true; more; offset += PAGE_SIZE) {
    const { documents } = await app.store.find(grants, { where, orderBy: 'id', limit: PAGE_SIZE, offset })
    for (const { state } of documents) {
      if (state.status !== 'open' || told.has(state.subject.applicationId)) continue
      const { applicationId, clientId } = state.subject
      told.add(applicationId)
      if ((await logoutConfigOf(work, applicationId)) === undefined) continue
      const data: LogoutNotice = { applicationId, clientId, userId, sessionId }
      work.enqueue({ kind: LOGOUT_NOTICE_JOB, data })
    }
    more = documents.length === PAGE_SIZE
  }
}

/** A logout token (§2.4). Its ID is that of the job, so that an application recognizes a repeated notice. */
async function logoutToken(
  app: App,
  id: string,
  { applicationId, clientId, userId, sessionId }: LogoutNotice,
  isStrong: boolean,
): Promise<string> {
  const now = Math.floor(app.clock() / 1000)
  const state = (await app.store.get(applications, applicationId))?.state
  const projectIds = state?.status === 'active' ? [state.projectId] : []
  const claims = {
    iss: app.externalUrl,
    sub: await subjectFor(app, userId, { projectIds }),
    aud: [clientId],
    // Clocks differ a little.
    iat: now - 1,
    exp: now + LIFETIME_S,
    jti: id,
    sid: sessionId,
    events: { [EVENT]: {} },
  }
  return signJwt(app, claims, { typ: 'logout+jwt', isStrong })
}

/** Sends a notice; throws when it should be tried again. */
export async function sendLogoutNotice(app: App, { id, data, attempts, signal }: Job): Promise<void> {
  const notice = data as LogoutNotice
  const config = await logoutConfigOf(app.store, notice.applicationId)
  if (config === undefined) return
  const { applicationId } = notice
  try {
    const { status } = await app.fetchOutside(config.backChannelLogoutUri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        logout_token: await logoutToken(app, id, notice, isHighAssurance(config)),
      }).toString(),
      reads: 'status',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (status >= 200 && status < 300) return
    // The application refuses the token (§2.8): it would refuse it again.
    if (status === 400) return app.log.warn({ applicationId }, 'the application refused the notice of a logout')
    throw new Error(`the application answered the notice of a logout with ${status}`)
  } catch (error) {
    signal.throwIfAborted()
    if (noticePause(attempts + 1) !== undefined) throw error
    app.log.warn({ applicationId, error }, 'the application could not be told about a logout')
  }
}
