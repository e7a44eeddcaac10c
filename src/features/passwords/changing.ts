/** Who may change a password and how they prove it: by a code, by the current password, or by being allowed to. */
import type { Call } from '../../access/call.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { covers } from '../../access/roles.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work } from '../../store/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { type HumanUser, readHuman, userRefusals } from '../users/index.ts'
import { checkCode, findOpenCode, refuseWrongCode } from '../verifications/index.ts'
import type { PasswordsNeeds } from './needs.ts'
import { type NewPassword, preparePassword, wordsOf } from './preparing.ts'
import { passwordsRefusals } from './refusals.ts'
import { replacePassword } from './setting.ts'

/** What proves that the caller may set a password. */
export type Proof = { readonly currentPassword: string } | { readonly verificationCode: string }

export interface ReplacedPassword extends NewPassword {
  readonly changeRequired: boolean
  /** None: the caller needs the permission. */
  readonly proof?: Proof | undefined
}

/** The proof, once more, in the work that acts on it. */
type Confirm = (work: Work) => Promise<void>

/** Throws when the user may do more than the caller, who would rise above themself with the password. */
export async function checkCovered(store: Store, { caller }: Call, userId: string): Promise<void> {
  if (caller.userId === userId) return
  if (!covers(caller.grants, await grantsOf(store, userId))) throw refused(passwordsRefusals, 'password.above_own')
}

/** Whether a code or password of this person counts at all. */
function requireUsable({ status }: HumanUser): void {
  if (status !== 'active' && status !== 'initial') throw refused(userRefusals, 'user.not_active')
}

/** The code of a reset, bound to the address or number it was sent to, for as long as that is the person's. */
async function resetCodeOf(store: Store, user: Document<HumanUser>, code: string, at: Instant) {
  const { id: userId, owner, state } = user
  const open = await findOpenCode(store, userId, 'password_reset', at)
  const isOwn = open?.target === state.email.address || open?.target === state.phone?.number
  const target = open !== undefined && isOwn ? open.target : state.email.address
  return { userId, owner, purpose: 'password_reset', target, code } as const
}

/** Checks a code before anything is hashed for it, and gives back what uses it up. */
export async function proveByCode(
  { store, codes }: Pick<PasswordsNeeds, 'store' | 'codes'>,
  origin: Origin,
  user: Document<HumanUser>,
  code: string,
): Promise<Confirm> {
  requireUsable(user.state)
  const what = await resetCodeOf(store, user, code, origin.at)
  await store.write(origin, (work) => refuseWrongCode(codes, work, what))
  return async (work) => {
    const now = await readHuman(work, user.id)
    requireUsable(now.state)
    const { email, phone } = now.state
    // Somebody may have replaced the address since; then the code proves nothing any more.
    const isOwn = what.target === email.address || what.target === phone?.number
    await checkCode(codes, work, isOwn ? what : { ...what, target: '' })
  }
}

async function proveByPassword(
  { checks }: PasswordsNeeds,
  call: Call,
  { id: userId, owner, state }: Document<HumanUser>,
  password: string,
): Promise<Confirm> {
  // Somebody else's password is no business of the caller's, unless they could set it without.
  if (call.caller.userId !== userId && !call.may('user.write', owner)) throw refused(accessRefusals, 'access.forbidden')
  requireUsable(state)
  return checks.check({ userId, owner, password, origin: call.origin })
}

async function proveByPermission({ store }: PasswordsNeeds, call: Call, user: Document<HumanUser>) {
  if (!call.may('user.write', user.owner)) throw refused(accessRefusals, 'access.forbidden')
  await checkCovered(store, call, user.id)
  return async () => {}
}

function prove(needs: PasswordsNeeds, call: Call, user: Document<HumanUser>, proof: Proof | undefined) {
  if (proof === undefined) return proveByPermission(needs, call, user)
  return 'currentPassword' in proof
    ? proveByPassword(needs, call, user, proof.currentPassword)
    : proveByCode(needs, call.origin, user, proof.verificationCode)
}

/**
 * Does all that can be done before the write: asks for the proof, then for the rules, then hashes. What it gives back
 * writes the password, and uses the proof up, as part of a work.
 */
export async function prepareChange(
  needs: PasswordsNeeds,
  given: ReplacedPassword,
  call: Call,
  user: Document<HumanUser>,
): Promise<(work: Work) => Promise<void>> {
  const confirm = await prove(needs, call, user, given.proof)
  const hash = await preparePassword(needs, given, user.owner, wordsOf(user.state))
  return async (work) => {
    await confirm(work)
    const now = await readHuman(work, user.id)
    await replacePassword(needs, work, now, { hash, changeRequired: given.changeRequired })
  }
}
