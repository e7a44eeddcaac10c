/**
 * Messages to users: which email or text message contains which code, and the target of its link. Passwords, passkeys,
 * one-time codes and the handlers of human users call these functions; `mail` and `sms` send the messages.
 */
import { stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { lockNoticeJobs } from './lock-notice.ts'
import { messageRefusals } from './refusals.ts'
import { textMethodsV1 } from './rpc-v1-texts.ts'
import { forgetNotices, notices, securityNoticeJobs } from './security-notices.ts'

export const messagesModule = module({
  name: 'messages',
  kinds: stays('When somebody was last told of something.', notices),
  methods: textMethodsV1,
  refusals: messageRefusals,
  jobs: (app) => [lockNoticeJobs(app), securityNoticeJobs(app)],
  whenUserRemoved: forgetNotices,
})

export {
  type AskedDelivery,
  type ChosenLink,
  chosenBefore,
  type Delivery,
  decideDelivery,
  deliveryToNewUser,
  requireChooser,
  TO_THE_USER,
} from './delivery.ts'
export { sendSecurityNotice } from './security-notices.ts'
export {
  mailChangeCode,
  mailCode,
  mailNotice,
  mailOneTimeCode,
  mailPasskeyLink,
  passkeyLink,
  urlTemplateProblem,
} from './send-mail.ts'
export { textChangeCode, textCode, textOneTimeCode, textResetCode } from './send-text.ts'
