/** Session tokens, each good until the next update: rows of the matrix of things that count once. */
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { newSessionToken } from '../../src/crypto/tokens.ts'
import { userCheck, v2 } from '../support/session-world.ts'
import { type Artefact, none, type Row } from './artefact.ts'
import type { Node } from './scene.ts'

const HOUR = 3_600_000

const ROW: Row = {
  reuse: 'session.token_invalid',
  losers: ['session.token_invalid'],
  otherUser: 'session.token_invalid',
  otherSession: 'session.token_invalid',
  // As a bearer, before anything is proved in the session.
  otherPurpose: 'access.unauthenticated',
  expired: 'session.expired',
  // It cannot be guessed, and nobody may end the session of another by trying.
  afterFailures: ['passes', 'passes'],
  // It can be ended. As a bearer the token is refused, which the matrix of accounts shows.
  afterDeactivation: 'passes',
}

function token(manner: 'SetSession' | 'GetSession' | 'DeleteSession', row: Row): Artefact {
  return {
    name: 'session token',
    way: `${manner} sessionToken`,
    row,
    async issue(scene) {
      const { nobody, login, call } = scene
      const userId = await scene.addHuman()
      const create = (whose: string) =>
        call(
          v2.createSession,
          { checks: userCheck({ userId: whose }), lifetime: { seconds: BigInt(HOUR / 1000) } },
          login,
        )
      const own = await create(userId)
      const [otherSession, otherUser] = [await create(userId), await create(await scene.addHuman())]
      const show = (on: Node, sessionId = own.sessionId, sessionToken = own.sessionToken) => {
        const shown = { sessionId, sessionToken }
        if (manner === 'SetSession') return on.call(v2.setSession, { ...shown, metadata: { a: 'b' } }, nobody)
        return manner === 'GetSession'
          ? on.call(v2.getSession, shown, nobody)
          : on.call(v2.deleteSession, shown, nobody)
      }
      return {
        userId,
        lifetimeMs: HOUR,
        use: (on) => show(on),
        spend: (on) => on.call(v2.setSession, { sessionId: own.sessionId, sessionToken: own.sessionToken }, nobody),
        fail: (on) => show(on, own.sessionId, newSessionToken(own.sessionId).text),
        forOtherUsers: [() => show(scene.there, otherUser.sessionId)],
        inOtherSession: () => show(scene.there, otherSession.sessionId),
        forOtherPurposes: [() => scene.there.call(AuthService.method.getMyUser, {}, { bearer: own.sessionToken })],
      }
    },
  }
}

/** All of them. */
export const sessionTokenArtefacts: readonly Artefact[] = [
  token('SetSession', { ...ROW, afterDeactivation: 'session.sign_in_refused' }),
  token('GetSession', {
    ...ROW,
    losers: none('reading uses nothing up'),
    expired: none('an expired session can be looked at until it is retired, and nothing can be done with it'),
    afterDeactivation: 'session.not_found',
  }),
  token('DeleteSession', {
    ...ROW,
    losers: none('ending it again changes nothing'),
    expired: none('an expired session can be ended'),
  }),
]
