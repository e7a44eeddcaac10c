/** The sentences of events with names in them, in English. */

export const en = {
  acting: 'Agent {agent} acts for {user}.',
} as const
