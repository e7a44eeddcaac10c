/** Refusals about messages to users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const messageRefusals = {
  'message.not_through_application': [
    'forbidden',
    'An application can neither choose the link of a message to its user, nor get the code. Leave them out: the message then has a link to the built-in page.',
  ],
} as const satisfies Catalogue
