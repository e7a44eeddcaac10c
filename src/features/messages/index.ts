/**
 * Messages to users: which mail or text message carries which code, and where its link leads. Passwords, passkeys,
 * one-time codes and the handlers of humans call these functions; how a message is sent is known to `mail` and `sms`.
 */
import { module } from '../../access/module.ts'

export const messagesModule = module({ name: 'messages' })

export { mailCode, mailNotice, mailOneTimeCode, mailPasskeyLink, urlTemplateProblem } from './send-mail.ts'
export { textCode, textOneTimeCode, textResetCode } from './send-text.ts'
