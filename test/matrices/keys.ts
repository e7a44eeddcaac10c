/** Registering passkeys and second-factor keys, and using them: rows of the matrix of things that count once. */
import type { JsonObject } from '@bufbuild/protobuf'
import { newAuthenticator } from '../support/authenticator.ts'
import { ORIGIN } from '../support/session-world.ts'
import type { Artefact, Row } from './artefact.ts'
import { setChecks } from './checks.ts'
import { type Node, users } from './scene.ts'

const FIVE_MINUTES = 300_000

const keyRow: Row = {
  reuse: 'session.no_challenge',
  losers: ['session.no_challenge', 'session.challenge_replaced'],
  otherUser: 'passkey.assertion_invalid',
  otherSession: 'passkey.assertion_invalid',
  otherPurpose: 'passkey.assertion_invalid',
  expired: 'passkey.challenge_expired',
  // A signature cannot be guessed, and nobody may keep others from using their keys.
  afterFailures: ['passes', 'passes'],
  afterDeactivation: 'session.user_not_active',
}

function keyChallenge(use: 'passkey' | 'second_factor'): Artefact {
  return {
    name: use === 'passkey' ? 'passkey challenge of a session' : 'second-factor key challenge of a session',
    way: 'SetSession checks.webAuthN.credentialAssertionData',
    row: keyRow,
    async issue(scene) {
      const [userId, other] = [await scene.addHuman(), await scene.addHuman()]
      const own = await scene.giveKey(userId, use)
      const otherUse = use === 'passkey' ? 'second_factor' : 'passkey'
      const forOther = await scene.giveKey(userId, otherUse)
      const sessionId = await scene.openSession(userId)
      const [otherSession, otherPurpose, otherUser] = [
        await scene.openSession(userId),
        await scene.openSession(userId),
        await scene.openSession(other),
      ]
      await scene.askForKey(otherSession, own, use)
      await scene.askForKey(otherPurpose, forOther, otherUse)
      await scene.giveKey(other, use)
      // The right challenge, answered with a key of somebody else, and with one for something else.
      const answerOfOther = await scene.askForKey(otherUser, own, use)
      const wrongUse = await scene.openSession(userId)
      const answerOfWrongUse = await scene.askForKey(wrongUse, forOther, use)
      const shown = await scene.askForKey(sessionId, own, use)
      const wrong = { ...shown, id: 'AAAA', rawId: 'AAAA' }
      const show = (on: Node, id: string, credentialAssertionData: JsonObject = shown) =>
        setChecks(scene, on, id, { webAuthN: { credentialAssertionData } })
      return {
        userId,
        lifetimeMs: FIVE_MINUTES,
        use: (on) => show(on, sessionId),
        fail: (on) => show(on, sessionId, wrong),
        forOtherUsers: [() => show(scene.there, otherUser), () => show(scene.there, otherUser, answerOfOther)],
        inOtherSession: () => show(scene.there, otherSession),
        forOtherPurposes: [() => show(scene.there, otherPurpose), () => show(scene.there, wrongUse, answerOfWrongUse)],
      }
    },
  }
}

function keyRegistration(use: 'passkey' | 'second_factor'): Artefact {
  return {
    name: use === 'passkey' ? 'pending passkey registration' : 'pending second-factor key registration',
    way:
      use === 'passkey' ? 'VerifyPasskeyRegistration publicKeyCredential' : 'VerifyU2FRegistration publicKeyCredential',
    row: {
      reuse: 'passkey.already_registered',
      losers: ['passkey.already_registered', 'passkey.not_found'],
      otherUser: 'passkey.not_found',
      otherSession: 'access.forbidden',
      otherPurpose: 'passkey.not_found',
      expired: 'passkey.registration_expired',
      afterFailures: ['passes', 'passes'],
      afterDeactivation: 'passkey.registration_expired',
    },
    async issue(scene) {
      const { call, owner } = scene
      const [userId, other] = [await scene.addHuman(), await scene.addHuman()]
      const { token } = await scene.signIn(await scene.addPerson())
      const begin = async (whose: string, how: 'passkey' | 'second_factor') => {
        if (how === 'passkey') {
          const { passkeyId, publicKeyCredentialCreationOptions } = await call(
            users.registerPasskey,
            { userId: whose },
            owner,
          )
          return { id: passkeyId, options: publicKeyCredentialCreationOptions ?? {} }
        }
        const { u2fId, publicKeyCredentialCreationOptions } = await call(users.registerU2F, { userId: whose }, owner)
        return { id: u2fId, options: publicKeyCredentialCreationOptions ?? {} }
      }
      const otherUse = use === 'passkey' ? 'second_factor' : 'passkey'
      const ofOther = await begin(other, use)
      const ofOtherUse = await begin(userId, otherUse)
      const own = await begin(userId, use)
      const credential = newAuthenticator().create(own.options, { origin: ORIGIN })
      const show = (on: Node, whose: string, id = own.id, how = use, publicKeyCredential = credential, as = owner) =>
        how === 'passkey'
          ? on.call(
              users.verifyPasskeyRegistration,
              { userId: whose, passkeyId: id, passkeyName: 'Key', publicKeyCredential },
              as,
            )
          : on.call(
              users.verifyU2FRegistration,
              { userId: whose, u2fId: id, tokenName: 'Key', publicKeyCredential },
              as,
            )
      const stranger = newAuthenticator().create(ofOther.options, { origin: ORIGIN })
      return {
        userId,
        lifetimeMs: FIVE_MINUTES,
        use: (on) => show(on, userId),
        fail: (on) => show(on, userId, own.id, use, stranger),
        forOtherUsers: [() => show(scene.there, other)],
        inOtherSession: () => show(scene.there, userId, own.id, use, credential, { bearer: token }),
        forOtherPurposes: [
          () => show(scene.there, userId, own.id, otherUse),
          // One credential for the other kind of key that waits, which has a challenge of its own.
          () => show(scene.there, userId, ofOtherUse.id, use),
        ],
      }
    },
  }
}

/** All of them. */
export const keyArtefacts: readonly Artefact[] = [
  keyRegistration('passkey'),
  keyRegistration('second_factor'),
  keyChallenge('passkey'),
  keyChallenge('second_factor'),
]
