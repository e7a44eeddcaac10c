/**
 * Sends a text message through an account at Twilio: as a message, or as a code of a verify service. The code is ours in
 * both cases and is checked here: a verify service gets it as a custom code, which Twilio enables for an account on request.
 * Twilio does not recognize a message that it gets again after a lost response.
 */
import type { App } from '../../module/app.ts'
import { postMessage } from '../mail/index.ts'
import type { TwilioAccount } from './events.ts'

const MESSAGES = 'https://api.twilio.com/2010-04-01/Accounts'
const VERIFY = 'https://verify.twilio.com/v2/Services'

/** A message, and the code in it. */
export interface TwilioMessage {
  readonly to: string
  readonly text: string
  readonly code: string
}

interface TwilioCall {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
}

function callOf({ sid, senderNumber, verifyServiceSid }: TwilioAccount, { to, text, code }: TwilioMessage): TwilioCall {
  if (verifyServiceSid !== '') {
    const url = `${VERIFY}/${encodeURIComponent(verifyServiceSid)}/Verifications`
    return { url, form: { To: to, Channel: 'sms', CustomCode: code } }
  }
  // Messaging services have a SID of their own, with which they choose the number.
  const sender = /^MG[0-9a-f]{32}$/i.test(senderNumber) ? 'MessagingServiceSid' : 'From'
  return {
    url: `${MESSAGES}/${encodeURIComponent(sid)}/Messages.json`,
    form: { To: to, [sender]: senderNumber, Body: text },
  }
}

/** Sends a message. Throws `MessageRejected` when Twilio rejects it permanently, and another error when it can be tried again. */
export async function sendThroughTwilio(
  app: App,
  account: TwilioAccount & { readonly token: string },
  message: TwilioMessage,
  signal: AbortSignal,
): Promise<void> {
  const { url, form } = callOf(account, message)
  const authorization = `Basic ${Buffer.from(`${account.sid}:${account.token}`).toString('base64')}`
  await postMessage(app, {
    receiver: 'Twilio',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
    body: new URLSearchParams(form).toString(),
    signal,
  })
}
