/** Groups with their users, from the events of `group`. */
import { need, optional, type PeerEvent, text, texts } from '../event.ts'
import { type Folding, Parts } from '../fold.ts'

export interface GroupState {
  name: string
  description: string
  /** The users, by their IDs. */
  members: Parts<true>
}

function setTexts(state: GroupState, event: PeerEvent): void {
  state.name = optional(event, 'name', text) ?? state.name
  state.description = optional(event, 'description', text) ?? state.description
}

export const groups: Folding<GroupState> = {
  aggregateType: 'group',
  initial: () => ({ name: '', description: '', members: new Parts() }),
  begins: ['group.added'],
  ends: ['group.removed'],
  dating: /^group\.(added|changed)$/,
  changes: {
    'group.added': setTexts,
    'group.changed': setTexts,
    'group.users.added'({ members }, event) {
      for (const userId of need(event, 'userIds', texts)) members.put(userId, true, event)
    },
    'group.users.removed'({ members }, event) {
      for (const userId of need(event, 'userIds', texts)) members.remove(userId)
    },
  },
}
