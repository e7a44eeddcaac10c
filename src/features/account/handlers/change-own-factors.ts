/** The second factors that signed-in users set up: an authenticator app, sent codes, recovery codes. */
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import {
  addProvenOtp,
  generateRecoveryCodes,
  type Medium,
  oneTimeCodes,
  registerTotp,
  sendSetUpCode,
  verifyTotp,
} from '../../one-time-codes/index.ts'
import { addFactor } from '../../sessions/index.ts'
import { attempt, type Done, type Failure, failureOf, type Person, type Renewed } from '../../sign-in/index.ts'
import { ownOrigin } from './change-own-account.ts'

const RECOVERY_CODES = 10

function writeOwn(app: App, person: Person, build: (work: Work) => Promise<unknown>): Promise<Done> {
  return attempt(() => app.store.write(ownOrigin(app, person), build))
}

/** Creates a secret for an authenticator app. It is shown once. */
export async function startTotp(
  app: App,
  person: Person,
): Promise<{ readonly outcome: 'done'; readonly uri: string; readonly secret: string } | Failure> {
  try {
    const { value } = await app.store.write(ownOrigin(app, person), (work) => registerTotp(app, work, person.userId))
    return { outcome: 'done', uri: value.uri, secret: value.secret }
  } catch (error) {
    return failureOf(error)
  }
}

/** Sets a factor up with a code; the code counts for the session, which gets a new token. */
async function finishWithCode(
  app: App,
  person: Person,
  factor: 'totp' | 'otp_sms' | 'otp_email',
  finish: (work: Work) => Promise<unknown>,
): Promise<Renewed | Failure> {
  const { userId, sessionId } = person
  try {
    const { value } = await app.store.write(ownOrigin(app, person), async (work) => {
      await finish(work)
      return addFactor(app, work, { sessionId, userId, factor })
    })
    return { outcome: 'done', token: value.token, expiresAt: value.session.state.endsAt }
  } catch (error) {
    return failureOf(error)
  }
}

/** Completes the setup of the app with its current code. */
export function finishTotp(app: App, person: Person, code: string): Promise<Renewed | Failure> {
  const { userId, organizationId: owner } = person
  return finishWithCode(app, person, 'totp', (work) => verifyTotp(app, work, { userId, owner, code }))
}

/** Removes the authenticator app. */
export function removeTotp(app: App, person: Person): Promise<Done> {
  return writeOwn(app, person, (work) => work.decide(oneTimeCodes, person.userId, { type: 'remove_totp' }))
}

/** Sends a code to the address or number for codes that the user turns on, and returns that. */
export async function startOtp(
  app: App,
  person: Person,
  medium: Medium,
): Promise<{ readonly outcome: 'done'; readonly target: string } | Failure> {
  const { userId, sessionId } = person
  try {
    const { value } = await app.store.write(ownOrigin(app, person), (work) =>
      sendSetUpCode(app, work, { userId, sessionId, medium }),
    )
    return { outcome: 'done', target: value }
  } catch (error) {
    return failureOf(error)
  }
}

/** Turns codes by email or text message on, with the code that was sent. */
export function finishOtp(app: App, person: Person, medium: Medium, code: string): Promise<Renewed | Failure> {
  const { userId } = person
  return finishWithCode(app, person, medium === 'sms' ? 'otp_sms' : 'otp_email', (work) =>
    addProvenOtp(app, work, { userId, medium, code }),
  )
}

/** Turns codes by email or text message off. */
export function removeOtp(app: App, person: Person, medium: Medium): Promise<Done> {
  return writeOwn(app, person, (work) => work.decide(oneTimeCodes, person.userId, { type: 'remove_otp', medium }))
}

/** Creates a new set of recovery codes and invalidates the previous set. */
export async function makeRecoveryCodes(
  app: App,
  person: Person,
): Promise<{ readonly outcome: 'done'; readonly codes: readonly string[] } | Failure> {
  try {
    const { value } = await app.store.write(ownOrigin(app, person), (work) =>
      generateRecoveryCodes(app, work, person.userId, RECOVERY_CODES),
    )
    return { outcome: 'done', codes: value.codes }
  } catch (error) {
    return failureOf(error)
  }
}
