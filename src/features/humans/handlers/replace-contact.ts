/** Users replace their own address or number: a code is sent to the new one, and it is used only after the code came back. */
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { mailChangeCode, textChangeCode } from '../../messages/index.ts'
import {
  decideUser,
  type HumanUser,
  isHeldByDirectory,
  readActiveHuman,
  refuseProblems,
  userRefusals,
} from '../../users/index.ts'
import { cancelCode, checkCode, findOpenCode, issueCode } from '../../verifications/index.ts'
import { emailProblems, phoneNumber, phoneProblems } from '../contact.ts'

/** What is replaced. */
export type Contact = 'email' | 'phone'

const PURPOSES = { email: 'email_change', phone: 'phone_change' } as const

/** The address or number as it is stored; throws when it is none. */
function targetOf(contact: Contact, text: string): string {
  const verification = { type: 'default' } as const
  refuseProblems(contact === 'email' ? emailProblems({ address: text, verification }, '') : phoneProblems(text, ''))
  return contact === 'email' ? text : (phoneNumber(text) ?? text)
}

/** Sends a code to a new address or number. Nothing changes until `confirmContact`. */
export async function replaceContact(
  app: App,
  work: Work,
  userId: string,
  { contact, text }: { readonly contact: Contact; readonly text: string },
): Promise<void> {
  const target = targetOf(contact, text)
  const user = await readActiveHuman(work, userId)
  // No code is sent that would be of no use.
  if (await isHeldByDirectory(work, userId)) throw refused(userRefusals, 'user.managed')
  const { code } = await issueCode(app, work, { userId, owner: user.owner, purpose: PURPOSES[contact], target })
  if (contact === 'email') await mailChangeCode(app, work, { user, code, to: target })
  else await textChangeCode(app, work, { user, code, to: target })
}

/** The address or number that waits for its code. */
export async function findNewContact(app: App, userId: string, contact: Contact): Promise<string | undefined> {
  return (await findOpenCode(app, userId, PURPOSES[contact], app.clock()))?.target
}

/** Takes over the new address or number; the code proves that the user receives messages there. */
export async function confirmContact(
  app: App,
  work: Work,
  userId: string,
  { contact, target, code }: { readonly contact: Contact; readonly target: string; readonly code: string },
): Promise<Document<HumanUser>> {
  const { owner } = await readActiveHuman(work, userId)
  await checkCode(app, work, { userId, owner, purpose: PURPOSES[contact], target, code })
  // A code that was sent to the old one proves nothing about the new one.
  await cancelCode(work, userId, contact)
  const command =
    contact === 'email'
      ? ({ type: 'change_email', address: target, isVerified: true, basis: 'proven', at: work.origin.at } as const)
      : ({ type: 'change_phone', number: target, isVerified: true, isProven: true } as const)
  return (await decideUser(work, userId, command)) as Document<HumanUser>
}
