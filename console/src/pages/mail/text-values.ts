/** A message text as its form has it. */
import type { MessageText } from '../../../../contract/gen/signet/mail/v1/message_text_pb.ts'

export const PARTS = ['subject', 'title', 'greeting', 'text', 'buttonText', 'footer', 'html'] as const

export type TextValues = Record<(typeof PARTS)[number], string>

/** The values of a text; a part that it does not have is empty. */
export function valuesOf(text: MessageText): TextValues {
  return Object.fromEntries(PARTS.map((part) => [part, text[part] ?? ''])) as TextValues
}
