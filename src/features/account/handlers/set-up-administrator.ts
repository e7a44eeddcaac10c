/**
 * What the holder of a one-time link from the operator can do: set up as the first administrator, or regain access as an
 * administrator who lost their password or passkey. Either sets a password or registers a passkey.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { emailProblem, verifyEmailBy } from '../../humans/index.ts'
import { findOpenSetupCode, instanceRefusals, removeDeadSetupLink, useSetupCode } from '../../instances/index.ts'
import { removeFactorsOf } from '../../one-time-codes/index.ts'
import { removeKeysOf, startRegistration } from '../../passkeys/index.ts'
import { choosePassword } from '../../passwords/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import { type Client, type Failure, keyDomain, type Unavailable } from '../../sign-in/index.ts'
import { isLiving, readActiveHuman, readHuman, users } from '../../users/index.ts'
import type { StartedKey } from './change-own-account.ts'
import { finishKey, type GivenKey, startKey } from './register-key-by-link.ts'
import { type CodeHolder, type NewPassword, type PasswordOutcome, visitorOrigin } from './use-mailed-code.ts'

/** What the page of an open link requires. */
export interface OpenSetUp {
  /** The first administrator has a placeholder for an address and enters their own. */
  readonly asksForEmail: boolean
  /** The link lets an administrator in again who was set up before. */
  readonly isRecovery: boolean
  readonly userName: string
}

/** The holder of the link, and the address they entered if it requires one. */
export interface SetUp extends CodeHolder {
  readonly email?: string | undefined
}

/** What the page of the link requires; undefined when the link is invalid, used, replaced or expired. */
export async function readSetUp(app: App, holder: CodeHolder): Promise<OpenSetUp | undefined> {
  const open = await findOpenSetupCode(app, holder, app.clock())
  const user = open && (await app.store.get(users, holder.userId))?.state
  if (user === undefined || !isLiving(user) || user.type !== 'human') return undefined
  const asksForEmail = user.needsSetUp && !user.email.isVerified
  return { asksForEmail, isRecovery: open?.recovery !== undefined, userName: user.userName }
}

/** Whether a text can be the address of the administrator. */
export function isSetUpEmail(text: string): boolean {
  return text.length <= 200 && emailProblem(text) === undefined
}

async function requireSetUp(app: App, { userId, code, email = '' }: SetUp): Promise<void> {
  const open = await readSetUp(app, { userId, code })
  if (open === undefined || (open.asksForEmail && !isSetUpEmail(email))) {
    throw refused(instanceRefusals, 'instance.setup_code_invalid')
  }
}

/** Uses the link up in the commit that sets the password or registers the passkey. */
async function finishSetUp(app: App, work: Work, { userId, code, email = '' }: SetUp): Promise<void> {
  const before = await useSetupCode(work, userId, code)
  if (before?.status === 'open' && before.recovery !== undefined) {
    // An attacker who made the recovery necessary must not stay signed in.
    await endSessionsOfUser(app, work, userId, 'ended')
    if (before.recovery.resetsFactors) {
      await removeFactorsOf(app, work, userId)
      await removeKeysOf(app, work, userId)
    }
  }
  const { state } = await readHuman(work, userId)
  if (!state.needsSetUp || state.email.isVerified) return
  await work.decide(users, userId, { type: 'change_email', address: email, basis: 'asserted', at: work.origin.at })
  await verifyEmailBy(app, work, await readHuman(work, userId), { type: 'default' })
}

async function removeFile(app: App): Promise<void> {
  const { dataDir } = app.config
  // The next start tries again.
  if (dataDir !== undefined) await removeDeadSetupLink(app, dataDir, app.clock()).catch(() => {})
}

/** Sets the administrator's password. */
export async function setUpByLink(app: App, given: NewPassword & SetUp): Promise<PasswordOutcome> {
  const { userId, password, email } = given
  const chosen = { userId, password, ownWords: email === undefined ? [] : [email] }
  const outcome = await choosePassword(app, visitorOrigin(app), chosen, async () => {
    await readActiveHuman(app.store, userId)
    await requireSetUp(app, given)
    return (work) => finishSetUp(app, work, given)
  })
  if (outcome.outcome === 'done') await removeFile(app)
  return outcome
}

/** Begins the registration of a passkey. */
export function startKeyBySetUpLink(
  app: App,
  given: SetUp & { readonly client: Client },
): Promise<StartedKey | Failure | Unavailable> {
  return startKey(async () => {
    await requireSetUp(app, given)
    const { userId, client } = given
    return startRegistration(app, visitorOrigin(app), { userId, use: 'passkey', domain: keyDomain(app, client) })
  })
}

/** Finishes it; answers the user name. */
export async function finishKeyBySetUpLink(
  app: App,
  { code, email, ...given }: GivenKey & SetUp & { readonly credential: JsonObject },
): Promise<{ readonly outcome: 'done'; readonly userName: string } | Failure> {
  const { userId } = given
  const done = await finishKey(app, given, async (work) => {
    await requireSetUp(app, { userId, code, email })
    await finishSetUp(app, work, { userId, code, email })
  })
  if (done.outcome !== 'done') return done
  await removeFile(app)
  const state = (await app.store.get(users, userId))?.state
  return { outcome: 'done', userName: state !== undefined && isLiving(state) ? state.userName : '' }
}
