/** Showing the token of a session, and who may see or change a session without it. */
import { accessRefusals } from '../../access/refusals.ts'
import { matchesHash, parseSessionToken } from '../../crypto/tokens.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document } from '../../store/index.ts'
import type { Asker } from './needs.ts'
import { sessionRefusals } from './refusals.ts'
import { organizationIdOf, type Session } from './state.ts'

/** Where a session belongs: to the organization of its user, before that to the instance. */
export function ownerOf(session: Document<Session>, instanceId: string): string {
  return organizationIdOf(session.state) ?? instanceId
}

/** Whether the text is the current token of the session, or the last one of one that has ended. */
export function isTokenOf({ id, state }: Document<Session>, token: string): boolean {
  const parsed = parseSessionToken(token)
  if (parsed === undefined || state.status === 'unknown') return false
  return parsed.tokenId === id && matchesHash(parsed.secret, state.secret.tokenHash)
}

/**
 * Throws unless the asker may do something to a session: by its token, which must be right if it is given, whoever asks;
 * by holding it as bearer; or because `mayWithout` says so of where it belongs. Only those for whom it says so of the
 * instance hear that there is no such session. Answers the hash of the token that was shown.
 */
export function checkShown(
  session: Document<Session> | undefined,
  { sessionId, token }: { readonly sessionId: string; readonly token?: string | undefined },
  bearer: Asker['session'],
  instanceId: string,
  mayWithout: (owner: string) => boolean,
): string | undefined {
  if (session === undefined || session.state.status === 'unknown') {
    if (mayWithout(instanceId)) throw refused(sessionRefusals, 'session.not_found')
    throw token === undefined
      ? refused(accessRefusals, 'access.forbidden')
      : refused(sessionRefusals, 'session.token_invalid')
  }
  if (token !== undefined) {
    if (!isTokenOf(session, token)) throw refused(sessionRefusals, 'session.token_invalid')
    return session.state.secret.tokenHash
  }
  if (bearer?.id === sessionId) return bearer.tokenHash
  if (!mayWithout(ownerOf(session, instanceId))) throw refused(accessRefusals, 'access.forbidden')
  return undefined
}
