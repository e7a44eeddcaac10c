/**
 * Invalidates the tokens of a user or an organization at once. A document counts the invalidations; a grant remembers
 * the counters it was opened with and is valid while they are the same. So one small event in the commit that resets a
 * password, locks a user or removes an authorization ends any number of tokens, on all nodes.
 */
import { accept, type Decider } from '../../kernel/decider.ts'
import { kind, type Reader, type Work } from '../../store/index.ts'
import { type GenerationEvent, type Generations, type GrantSubject, generationEvents } from './events.ts'
import { grantRefusals } from './refusals.ts'

/** How often the tokens of a user or an organization were invalidated. */
export interface TokenGeneration {
  readonly all: number
  readonly password: number
  readonly projects: Readonly<Record<string, number>>
}

type Invalidate = GenerationEvent['data']

const tokenGeneration: Decider<Invalidate, TokenGeneration, GenerationEvent, never> = {
  initial: { all: 0, password: 0, projects: {} },

  evolve(state, { data }) {
    if (data.of === 'all') return { ...state, all: state.all + 1 }
    if (data.of === 'password') return { ...state, password: state.password + 1 }
    const { projectId } = data as Extract<Invalidate, { readonly of: 'project' }>
    return { ...state, projects: { ...state.projects, [projectId]: (state.projects[projectId] ?? 0) + 1 } }
  },

  decide: (command) => accept({ type: 'tokens.invalidated.v1', data: command }),
}

/** The id is that of the user or the organization. */
export const tokenGenerations = kind({
  name: 'token-generation',
  version: 1,
  events: generationEvents,
  decider: tokenGeneration,
  refusals: grantRefusals,
  fields: {},
})

/** Invalidates tokens of a user or an organization as part of a write. */
export async function invalidateTokens(work: Work, id: string, owner: string, command: Invalidate): Promise<void> {
  await work.decide(tokenGenerations, id, command, owner)
}

/** The counters of a user and their organization now: a grant that is opened remembers them. */
export async function generationsOf(
  reader: Reader,
  { userId, organizationId, projectId }: Pick<GrantSubject, 'userId' | 'organizationId' | 'projectId'>,
): Promise<Generations> {
  const [user, organization] = await Promise.all([
    reader.get(tokenGenerations, userId),
    reader.get(tokenGenerations, organizationId),
  ])
  const { all = 0, password = 0, projects = {} } = user?.state ?? {}
  return { user: all, password, project: projects[projectId] ?? 0, organization: organization?.state.all ?? 0 }
}
