/** Creates a session, for the API and for the hosted pages. */

import { newSessionToken } from '../../../crypto/tokens.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { sessions } from '../documents.ts'
import type { NewSessionDraft } from '../drafts.ts'
import type { SessionCaller } from '../session-access.ts'
import type { OpenSession } from '../state.ts'
import type { Evidence, Gathering } from './gather-checks.ts'
import { BLANK_SESSION, type ChangedSession, prepareChange } from './prepare-change.ts'
import { recordChecks, recordRefusal } from './record-checks.ts'

/** Creates a session. Nothing is stored when one of its checks fails. */
export async function createSession(app: App, caller: SessionCaller, draft: NewSessionDraft): Promise<ChangedSession> {
  const sessionId = app.newId()
  const { text: token, hash } = newSessionToken(sessionId)
  const { userAgent, answers, requestId } = draft
  const evidence: Evidence = {}
  if (draft.checks?.user === undefined) caller.authorizeCreation(app.instanceId)
  const build = async (work: Work) => {
    const gathering: Gathering = {
      caller,
      authorize: caller.authorizeCreation,
      sessionId,
      isNew: true,
      session: answers === undefined ? BLANK_SESSION : { ...BLANK_SESSION, challenges: { webAuthN: answers } },
      draft: draft.checks ?? {},
      evidence,
    }
    const { change, given } = await prepareChange(app, work, draft, gathering, hash)
    const { creatorId } = caller
    const more = { ...(userAgent && { userAgent }), ...(answers && { answers }) }
    const command = { type: 'create', creatorId, ...more, ...change } as const
    const owner = change.person?.organizationId ?? app.instanceId
    const session = await work.begin(sessions, sessionId, command, owner)
    await recordChecks(app, work, session, undefined)
    return { session, given }
  }
  try {
    const { value } = await app.store.write(caller.origin, build)
    return { session: value.session as Document<OpenSession>, token, challenges: value.given }
  } catch (error) {
    await recordRefusal(app, caller, error, { evidence, requestId, from: userAgent })
    throw error
  }
}
