/** Text messages to users: which one contains which code. They are sent after the commit of the work. */
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { enqueueSms, type SmsType } from '../sms/index.ts'
import { type CodeMessage, type OneTimeCodeMessage, recipientOf, requireProven } from './send-mail.ts'

type Message = Pick<CodeMessage, 'user' | 'code'>

async function text(app: App, work: Work, type: SmsType, { user, code }: Message): Promise<void> {
  const to = user.state.phone?.number ?? ''
  await enqueueSms(app, work, { ...recipientOf(user), type, to, code })
}

/** Texts a code that proves the phone number of a user. */
export function textCode(app: App, work: Work, message: Message): Promise<void> {
  return text(app, work, 'verify_phone', message)
}

/** Texts a code to a number that the user wants to have. */
export async function textChangeCode(
  app: App,
  work: Work,
  { user, code, to }: Message & { readonly to: string },
): Promise<void> {
  await enqueueSms(app, work, { ...recipientOf(user), type: 'verify_phone', to, code })
}

/** Texts a code with which a new password can be set. */
export async function textResetCode(app: App, work: Work, message: Message): Promise<void> {
  requireProven(message.user, 'phone')
  return text(app, work, 'password_reset', message)
}

/** Texts a code to sign in with. */
export async function textOneTimeCode(app: App, work: Work, message: OneTimeCodeMessage): Promise<void> {
  requireProven(message.user, 'phone')
  return text(app, work, 'one_time_code', message)
}
