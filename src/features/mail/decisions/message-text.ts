/**
 * The rules of custom texts: one for each owner, type and language. Their content is validated before. A text is a path:
 * mails with codes say what it says, so it counts for users within the reach of whoever set it last.
 */

import { type Reach, reachAfter } from '../../../access/paths.ts'
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import type { Language } from '../../../kernel/languages.ts'
import type { MessageTextEvent } from '../events.ts'
import { type CustomParts, PART_NAMES, type TextType } from '../message-types.ts'
import type { MailRefusal } from '../refusals.ts'

export type MessageText =
  | { readonly status: 'none' }
  | {
      readonly status: 'set'
      readonly type: TextType
      readonly language: Language
      readonly parts: CustomParts
      /** Not given: an owner's. */
      readonly reach?: Reach
    }

export type MessageTextCommand =
  | {
      readonly type: 'set'
      readonly of: TextType
      readonly language: Language
      readonly parts: CustomParts
      /** How far whoever sets it reaches; not given: the server itself does. */
      readonly by?: Reach | undefined
    }
  | { readonly type: 'reset' }

function isSame(one: CustomParts, other: CustomParts): boolean {
  return PART_NAMES.every((name) => one[name] === other[name])
}

export const messageText: Decider<MessageTextCommand, MessageText, MessageTextEvent, MailRefusal> = {
  initial: { status: 'none' },

  evolve(_, event) {
    return event.type === 'message_text.set.v1' ? { status: 'set', ...event.data } : { status: 'none' }
  },

  decide(command, state) {
    if (command.type === 'reset') {
      return state.status === 'set' ? accept({ type: 'message_text.reset.v1', data: {} }) : refuse('mail.text_not_set')
    }
    const { of, language, parts, by } = command
    const before = state.status === 'set' ? state : undefined
    const isChanged = before === undefined || !isSame(parts, before.parts)
    const raised = reachAfter(before?.reach, by, { isChanged })
    if (!isChanged && raised === undefined) return accept()
    const reach = raised ?? before?.reach
    return accept({ type: 'message_text.set.v1', data: { type: of, language, parts, ...(reach && { reach }) } })
  },
}
