/** A kind for the tests of the store: boxes with a unique label, a weight, and a lock that remembers wrong keys. */
import { namedActor } from '../../src/kernel/actor.ts'
import { accept, type Decider, refuse } from '../../src/kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../src/kernel/event.ts'
import { instant } from '../../src/kernel/instant.ts'
import type { Catalogue } from '../../src/kernel/refusal.ts'
import { kind, type Origin } from '../../src/store/index.ts'

export const boxEvents = declareEvents({
  'box.packed.v1': data<{ label: string; weight?: number | undefined; note?: string | undefined }>(),
  'box.labelled.v1': data<{ label: string }>(),
  'box.weighed.v1': data<{ weight: number | undefined }>(),
  'box.key_refused.v1': data<{ key: string }>(),
  'box.removed.v1': data<Record<string, never>>(),
})

export type BoxEvent = EventOf<typeof boxEvents>

export interface Box {
  readonly status: 'unknown' | 'packed' | 'removed'
  readonly label?: string | undefined
  readonly weight?: number | undefined
  readonly note?: string | undefined
  readonly search?: { readonly label: string }
  readonly wrongKeys?: number
}

export type BoxCommand =
  | { readonly type: 'pack'; readonly label: string; readonly weight?: number; readonly note?: string }
  | { readonly type: 'label'; readonly label: string }
  | { readonly type: 'weigh'; readonly weights: readonly (number | undefined)[] }
  | { readonly type: 'open'; readonly key: string }
  | { readonly type: 'remove' }

export const boxRefusals = {
  'box.exists': ['conflict', 'There is such a box.'],
  'box.unknown': ['not_found', 'There is no such box.'],
  'box.label_taken': ['conflict', 'Another box has this label.'],
  'box.key_wrong': ['invalid', 'The key does not fit.'],
} as const satisfies Catalogue<string>

export type BoxRefusal = keyof typeof boxRefusals

function labelled(label: string) {
  return { label, search: { label: label.toLowerCase() } }
}

export const box: Decider<BoxCommand, Box, BoxEvent, BoxRefusal> = {
  initial: { status: 'unknown' },
  evolve(state, { type, data }) {
    switch (type) {
      case 'box.packed.v1':
        return { status: 'packed', ...data, ...labelled(data.label) }
      case 'box.labelled.v1':
        return { ...state, ...labelled(data.label) }
      case 'box.weighed.v1':
        // Sets undefined explicitly: its JSON form must not differ between folds.
        return { ...state, weight: data.weight }
      case 'box.key_refused.v1':
        return { ...state, wrongKeys: (state.wrongKeys ?? 0) + 1 }
      case 'box.removed.v1':
        return { status: 'removed' }
    }
  },
  decide(command, state) {
    if (command.type === 'pack') {
      const { type: _, ...data } = command
      return state.status === 'unknown' ? accept({ type: 'box.packed.v1', data }) : refuse('box.exists')
    }
    if (state.status !== 'packed') return refuse('box.unknown')
    switch (command.type) {
      case 'label':
        return accept({ type: 'box.labelled.v1', data: { label: command.label } })
      case 'weigh':
        return accept(...command.weights.map((weight) => ({ type: 'box.weighed.v1' as const, data: { weight } })))
      case 'open':
        return command.key === 'right'
          ? accept()
          : refuse('box.key_wrong', { type: 'box.key_refused.v1' as const, data: { key: command.key } })
      case 'remove':
        return accept({ type: 'box.removed.v1', data: {} })
    }
  },
}

/** The boxes, found by label, weight and note. Their streams can be removed from the log. */
export const boxes = kind({
  name: 'box',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: boxEvents,
  decider: box,
  refusals: boxRefusals,
  fields: {
    label: { path: ['label'], type: 'text', beside: ['createdAt'] },
    searchLabel: { path: ['search', 'label'], type: 'text' },
    weight: { path: ['weight'], type: 'number', beside: ['createdAt'] },
    note: { path: ['note'], type: 'text', indexed: false },
  },
  claims: (state) =>
    state.search === undefined
      ? []
      : [{ kind: 'label', within: { instance: 'a test' }, value: state.search.label, taken: 'box.label_taken' }],
  isGone: (state) => state.status === 'removed',
  removable: true,
})

/** A second kind with the same decider and no claims. Its streams can have the IDs of boxes. */
export const crates = kind({
  name: 'crate',
  ids: { of: 'box' },
  waits: false,
  path: false,
  version: 1,
  events: boxEvents,
  decider: box,
  refusals: boxRefusals,
  fields: { weight: { path: ['weight'], type: 'number' } },
  isGone: (state) => state.status === 'removed',
})

/** An actor, at a time that tests can choose. */
export function by(name: string, at = 1_700_000_000_000): Origin {
  return { actor: namedActor(name), at: instant(at) }
}
