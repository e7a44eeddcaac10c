/** The next versions of the boxes: another fold, another index, more claims, and an event that the first does not know. */
import { accept, type Decider } from '../../src/kernel/decider.ts'
import { data, declareEvents } from '../../src/kernel/event.ts'
import { kind } from '../../src/store/index.ts'
import { type Box, type BoxCommand, type BoxEvent, type BoxRefusal, box, boxEvents, boxes } from './sample-kind.ts'

/** A box with the number of its changes, which the first version does not count. */
export interface CountedBox extends Box {
  readonly changes?: number
}

const counted: Decider<BoxCommand, CountedBox, BoxEvent, BoxRefusal> = {
  initial: box.initial,
  evolve: (state, event) => ({ ...box.evolve(state, event), changes: (state.changes ?? 0) + 1 }),
  decide: box.decide,
}

/** Version 2: documents have a member more, and an index on it. */
export const countedBoxes = kind<
  BoxCommand,
  CountedBox,
  BoxEvent,
  BoxRefusal,
  keyof typeof boxes.fields | 'changes',
  'box',
  'own',
  false
>({
  ...boxes,
  name: 'box',
  ids: 'own',
  waits: false,
  path: false,
  version: 2,
  decider: counted,
  fields: { ...boxes.fields, changes: { path: ['changes'], type: 'number' } },
  claims: (state: CountedBox) => boxes.claims?.(state) ?? [],
  isGone: (state: CountedBox) => boxes.isGone?.(state) === true,
})

/** Version 3: notes are unique, too. */
export const notedBoxes = kind({
  ...countedBoxes,
  version: 3,
  claims: (state: CountedBox) => [
    ...(boxes.claims?.(state) ?? []),
    ...(state.note === undefined || state.note === ''
      ? []
      : [{ kind: 'note', within: { instance: 'a test' }, value: state.note, taken: 'box.label_taken' as const }]),
  ],
})

const paintedEvents = declareEvents({ ...boxEvents, 'box.painted.v1': data<{ colour: string }>() })

type PaintEvent = BoxEvent | { readonly type: 'box.painted.v1'; readonly data: { readonly colour: string } }

type PaintCommand = BoxCommand | { readonly type: 'paint'; readonly colour: string }

const painted: Decider<PaintCommand, CountedBox & { colour?: string }, PaintEvent, BoxRefusal> = {
  initial: box.initial,
  evolve: (state, event) =>
    event.type === 'box.painted.v1' ? { ...state, colour: event.data.colour } : box.evolve(state, event),
  decide: (command, state) =>
    command.type === 'paint'
      ? accept({ type: 'box.painted.v1' as const, data: { colour: command.colour } })
      : box.decide(command, state),
}

/** Version 4: boxes can be painted. */
export const paintedBoxes = kind({
  ...boxes,
  version: 4,
  events: paintedEvents,
  decider: painted,
  claims: (state: CountedBox) => boxes.claims?.(state) ?? [],
  isGone: (state: CountedBox) => boxes.isGone?.(state) === true,
})
