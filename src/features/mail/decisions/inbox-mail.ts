/** The rules of emails in the development inbox: each is delivered once, even if it is sent there several times. */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { foldText } from '../../../kernel/fold-text.ts'
import type { InboxMailEvent } from '../events.ts'
import type { InboxType } from '../message-types.ts'
import type { MailRefusal } from '../refusals.ts'

export type InboxMail =
  | { readonly status: 'unknown' }
  | { readonly status: 'removed' }
  | {
      readonly status: 'there'
      readonly to: string
      readonly type: InboxType
      /** What it is found by. */
      readonly search: { readonly to: string }
      readonly secret: { readonly content: string }
    }

export type InboxMailCommand =
  | { readonly type: 'deliver'; readonly to: string; readonly of: InboxType; readonly content: string }
  /** `before` is the sealed text that was sealed again: if there is another by now, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly content: string }
  | { readonly type: 'remove' }

export const inboxMail: Decider<InboxMailCommand, InboxMail, InboxMailEvent, MailRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    switch (event.type) {
      case 'inbox_mail.delivered.v1': {
        const { to, type, secret } = event.data
        return { status: 'there', to, type, search: { to: foldText(to) }, secret }
      }
      case 'inbox_mail.resealed.v1':
        return state.status === 'there' ? { ...state, secret: event.data.secret } : state
      case 'inbox_mail.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'deliver') {
      if (state.status !== 'unknown') return refuse('mail.inbox_mail_exists')
      const { to, of, content } = command
      return accept({ type: 'inbox_mail.delivered.v1', data: { to, type: of, secret: { content } } })
    }
    if (state.status !== 'there') return refuse('mail.inbox_mail_not_found')
    if (command.type === 'remove') return accept({ type: 'inbox_mail.removed.v1', data: {} })
    if (state.secret.content !== command.before) return accept()
    return accept({ type: 'inbox_mail.resealed.v1', data: { secret: { content: command.content } } })
  },
}
