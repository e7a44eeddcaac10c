/** The kinds that count how often the sessions and tokens of a user or an organization were ended. */
import { accept, type Decider } from '../../kernel/decider.ts'
import { kind } from '../../store/index.ts'
import { type GenerationEvent, generationEvents } from './events.ts'

/** How often it happened: in all, by a new password, and for single projects. */
export interface Counted {
  readonly all: number
  readonly password: number
  readonly projects: Readonly<Record<string, number>>
}

export type Invalidate = GenerationEvent['data']

const counted: Decider<Invalidate, Counted, GenerationEvent, never> = {
  initial: { all: 0, password: 0, projects: {} },

  evolve(state, { data }) {
    if (data.of === 'all') return { ...state, all: state.all + 1 }
    if (data.of === 'password') return { ...state, password: state.password + 1 }
    const { projectId } = data as Extract<Invalidate, { readonly of: 'project' }>
    return { ...state, projects: { ...state.projects, [projectId]: (state.projects[projectId] ?? 0) + 1 } }
  },

  decide: (command) => accept({ type: 'tokens.invalidated.v1', data: command }),
}

function generationsKind<const Of extends string | readonly string[]>(name: string, of: Of) {
  const version = 1
  return kind({
    name,
    ids: { of },
    waits: false,
    path: false,
    version,
    events: generationEvents,
    decider: counted,
    refusals: {},
    fields: {},
  })
}

/** Counts for a user. */
export const userGenerations = generationsKind('user-token-generation', 'user')

/** Counts for an organization. */
export const organizationGenerations = generationsKind('organization-token-generation', 'organization')

/**
 * Only read. These streams once served users and organizations alike, and the ID of one may have been chosen to be the ID
 * of the other: what was invalidated then stays invalid for both.
 */
export const formerGenerations = generationsKind('token-generation', ['user', 'organization'])
