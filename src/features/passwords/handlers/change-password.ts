/** Changes a password for an authorized caller: with a code, the current password, or a permission. */

import type { Call } from '../../../access/call.ts'
import { requireFreshSignIn } from '../../../access/fresh-sign-in.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { requirePower } from '../../memberships/index.ts'
import { type HumanUser, readActiveHuman, readHuman, userNotFound, users } from '../../users/index.ts'
import { checkCode, findOpenCode, refuseClosed, refuseWrongCode } from '../../verifications/index.ts'
import { checkPassword } from './check-password.ts'
import { type NewPassword, preparePassword, wordsOf } from './prepare-password.ts'
import { replacePassword } from './set-password.ts'

/** The proof that the caller may set a password. */
export type Proof = { readonly currentPassword: string } | { readonly verificationCode: string }

export interface ReplacedPassword extends NewPassword {
  readonly changeRequired: boolean
  /** Without a proof, the caller needs the permission. */
  readonly proof?: Proof | undefined
}

/** Checks the proof again in the work that uses it. */
type Confirm = (work: Work) => Promise<void>

/** The code of a reset, bound to the address or number it was sent to, while the user still has that one. */
async function resetCodeOf(app: App, user: Document<HumanUser>, code: string, at: Instant) {
  const { id: userId, owner, state } = user
  const open = await findOpenCode(app, userId, 'password_reset', at)
  const isOwn = open?.target === state.email.address || open?.target === state.phone?.number
  const target = open !== undefined && isOwn ? open.target : state.email.address
  return { userId, owner, purpose: 'password_reset', target, code } as const
}

/** Checks the code of a reset before a password is hashed. Returns the function that uses up the code. */
export async function proveByCode(app: App, origin: Origin, user: Document<HumanUser>, code: string): Promise<Confirm> {
  const what = await resetCodeOf(app, user, code, origin.at)
  await app.store.write(origin, async (work) => {
    await refuseClosed(work, user.owner)
    await readActiveHuman(work, user.id)
    await refuseWrongCode(app, work, what)
  })
  return async (work) => {
    const { email, phone } = (await readActiveHuman(work, user.id)).state
    // If the address was replaced since, the code is no longer valid.
    const isOwn = what.target === email.address || what.target === phone?.number
    const { isMailed } = await checkCode(app, work, isOwn ? what : { ...what, target: '' })
    if (isMailed) await work.decide(users, user.id, { type: 'verify_email', address: what.target, isMailed })
  }
}

async function proveByPassword(
  app: App,
  call: Call,
  { id: userId, owner }: Document<HumanUser>,
  password: string,
): Promise<Confirm> {
  // A caller may check the password of another user only if they could also set it without.
  if (call.caller.userId !== userId && !call.may('user.write', owner)) throw userNotFound()
  await readActiveHuman(app.store, userId)
  return checkPassword(app, { userId, owner, password, origin: call.origin })
}

async function proveByPermission(app: App, call: Call, user: Document<HumanUser>): Promise<Confirm> {
  await requirePower(app, call, 'user.write', user)
  requireFreshSignIn(call, user.id)
  return async () => {}
}

function prove(app: App, call: Call, user: Document<HumanUser>, proof: Proof | undefined): Promise<Confirm> {
  if (proof === undefined) return proveByPermission(app, call, user)
  return 'currentPassword' in proof
    ? proveByPassword(app, call, user, proof.currentPassword)
    : proveByCode(app, call.origin, user, proof.verificationCode)
}

/**
 * Does everything before the write: checks the proof, then the policy, then hashes. Returns the function that writes
 * the password and uses up the proof as part of a work.
 */
export async function prepareChange(
  app: App,
  given: ReplacedPassword,
  call: Call,
  user: Document<HumanUser>,
): Promise<(work: Work) => Promise<void>> {
  const confirm = await prove(app, call, user, given.proof)
  const hash = await preparePassword(app, given, user.owner, wordsOf(user.state), user.id)
  return async (work) => {
    await confirm(work)
    const now = await readHuman(work, user.id)
    const keptSessionId = call.caller.userId === user.id ? call.caller.session?.id : undefined
    await replacePassword(app, work, now, { hash, changeRequired: given.changeRequired, keptSessionId })
  }
}
