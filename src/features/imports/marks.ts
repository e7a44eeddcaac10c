/**
 * How far a source that keeps changing has been read, and what of its changes could not be taken over. Kept in this
 * database, so that a follower that was killed continues from there. Stream: `import-mark`, owned by the instance; its ID names
 * the product and the source.
 */
import { accept, type Decider } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { App } from '../../module/app.ts'
import { kind, type Origin } from '../../store/index.ts'

/** An object that is not as it is there, and why. */
export interface FollowProblem {
  /** `refused`: by a rule. `kept`: it was changed here, too. */
  readonly type: 'refused' | 'kept'
  readonly kind: string
  readonly id: string
  readonly reason: string
}

/** Add to this list; never change or remove a line that has shipped (see test/golden). */
const importMarkEvents = declareEvents({
  /** `isComplete`: everything was read once; what happened after the mark is read from then on. */
  'import_mark.set.v1': data<{ readonly mark: string; readonly isComplete: boolean }>(),
  'import_problem.noted.v1': data<FollowProblem>(),
  /** The object is as it is there again, or gone on both sides. */
  'import_problem.solved.v1': data<{ readonly kind: string; readonly id: string }>(),
})

type ImportMarkEvent = EventOf<typeof importMarkEvents>

export interface ImportMark {
  /** Empty before the first read. */
  readonly mark: string
  readonly isComplete: boolean
  readonly problems: readonly FollowProblem[]
}

type ImportMarkCommand = {
  readonly type: 'set'
  readonly mark: string
  readonly isComplete: boolean
  /** What became of the objects since the last mark, each once. */
  readonly problems: readonly FollowProblem[]
  readonly solved: readonly { readonly kind: string; readonly id: string }[]
}

/** The newest ones are kept: the report of each run has all of them. */
const MOST_PROBLEMS = 1_000

const NO_MARK: ImportMark = { mark: '', isComplete: false, problems: [] }

type Named = Pick<FollowProblem, 'kind' | 'id'>

function isSame(one: Named, other: Named): boolean {
  return one.kind === other.kind && one.id === other.id
}

function without(problems: readonly FollowProblem[], named: Named): readonly FollowProblem[] {
  return problems.filter((problem) => !isSame(problem, named))
}

const decider: Decider<ImportMarkCommand, ImportMark, ImportMarkEvent, never> = {
  initial: NO_MARK,

  evolve(state, event) {
    switch (event.type) {
      case 'import_mark.set.v1':
        return { ...state, ...event.data }
      case 'import_problem.noted.v1':
        return { ...state, problems: [...without(state.problems, event.data), event.data].slice(-MOST_PROBLEMS) }
      case 'import_problem.solved.v1':
        return { ...state, problems: without(state.problems, event.data) }
    }
  },

  decide({ mark, isComplete, problems, solved }, state) {
    const isMoved = mark !== state.mark || isComplete !== state.isComplete
    const ended = solved.filter((named) => state.problems.some((problem) => isSame(problem, named)))
    const noted = problems.filter(
      (problem) => !state.problems.some((known) => isSame(known, problem) && known.reason === problem.reason),
    )
    return accept<ImportMarkEvent>(
      ...ended.map(({ kind, id }) => ({ type: 'import_problem.solved.v1', data: { kind, id } }) as const),
      ...noted.map((problem) => ({ type: 'import_problem.noted.v1', data: problem }) as const),
      ...(isMoved ? [{ type: 'import_mark.set.v1', data: { mark, isComplete } } as const] : []),
    )
  },
}

export const importMarks = kind({
  name: 'import-mark',
  ids: { of: 'source' },
  waits: false,
  path: false,
  version: 1,
  events: importMarkEvents,
  decider,
  refusals: {},
  fields: {},
  largest: 1_048_576,
})

/** How far a source has been read; `source` names the product and which of its installations it is. */
export async function readImportMark({ store }: App, source: string): Promise<ImportMark> {
  return (await store.get(importMarks, source))?.state ?? NO_MARK
}

/** Moves the mark when everything before it has been written, and notes what could not be taken over. */
export async function setImportMark(
  { store, instanceId }: App,
  origin: Origin,
  source: string,
  to: Omit<ImportMarkCommand, 'type'>,
): Promise<ImportMark> {
  const { value } = await store.write(origin, (work) =>
    work.decide(importMarks, source, { type: 'set', ...to }, instanceId),
  )
  return value.state
}

/** The sources that have been read by `signet import … --follow`, or with its mark. */
export async function listImportMarks({ store }: App): Promise<readonly (ImportMark & { readonly source: string })[]> {
  const { documents } = await store.find(importMarks, { orderBy: 'id', limit: 100 })
  return documents.map(({ id, state }) => ({ source: id, ...state }))
}
