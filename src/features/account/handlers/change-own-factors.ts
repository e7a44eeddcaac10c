/** The second factors that signed-in users set up: an authenticator app, sent codes, recovery codes. */
import type { App } from '../../../access/app.ts'
import type { Work } from '../../../store/index.ts'
import {
  addOtp,
  generateRecoveryCodes,
  type Medium,
  oneTimeCodes,
  registerTotp,
  verifyTotp,
} from '../../one-time-codes/index.ts'
import { attempt, type Done, type Failure, failureOf, type Person } from '../../sign-in/index.ts'
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

/** Completes the setup of the app with its current code. */
export function finishTotp(app: App, person: Person, code: string): Promise<Done> {
  const { userId, organizationId: owner } = person
  return writeOwn(app, person, (work) => verifyTotp(app, work, { userId, owner, code }))
}

/** Removes the authenticator app. */
export function removeTotp(app: App, person: Person): Promise<Done> {
  return writeOwn(app, person, (work) => work.decide(oneTimeCodes, person.userId, { type: 'remove_totp' }))
}

/** Turns codes by email or text message on or off. */
export function setOtp(app: App, person: Person, medium: Medium, isOn: boolean): Promise<Done> {
  return writeOwn(app, person, (work) =>
    isOn
      ? addOtp(work, person.userId, medium)
      : work.decide(oneTimeCodes, person.userId, { type: 'remove_otp', medium }),
  )
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
