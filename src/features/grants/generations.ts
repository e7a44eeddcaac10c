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

function generationsKind(name: string) {
  const version = 1
  return kind({
    name,
    version,
    events: generationEvents,
    decider: tokenGeneration,
    refusals: grantRefusals,
    fields: {},
  })
}

/** The ID is that of the user. */
export const userGenerations = generationsKind('user-token-generation')

/** The ID is that of the organization. */
export const organizationGenerations = generationsKind('organization-token-generation')

/**
 * Only read. These streams once served users and organizations alike, and the ID of one may have been chosen to be the ID
 * of the other: what was invalidated then stays invalid for both.
 */
export const formerGenerations = generationsKind('token-generation')

/** Invalidates tokens of a user as part of a write. */
export async function invalidateTokensOfUser(
  work: Work,
  id: string,
  owner: string,
  command: Invalidate,
): Promise<void> {
  await work.decide(userGenerations, id, command, owner)
}

/** Invalidates all tokens of the users of an organization as part of a write. */
export async function invalidateTokensOfOrganization(work: Work, id: string): Promise<void> {
  await work.decide(organizationGenerations, id, { of: 'all' }, id)
}

/** The counters of a user and their organization now: a grant that is opened remembers them. */
export async function generationsOf(
  reader: Reader,
  { userId, organizationId, projectId }: Pick<GrantSubject, 'userId' | 'organizationId' | 'projectId'>,
): Promise<Generations> {
  const [user, formerUser, organization, formerOrganization] = await Promise.all([
    reader.get(userGenerations, userId),
    reader.get(formerGenerations, userId),
    reader.get(organizationGenerations, organizationId),
    reader.get(formerGenerations, organizationId),
  ])
  const sum = (count: (state: TokenGeneration) => number | undefined, ...documents: (typeof user)[]) =>
    documents.reduce((total, document) => total + ((document && count(document.state)) ?? 0), 0)
  return {
    user: sum(({ all }) => all, user, formerUser),
    password: sum(({ password }) => password, user, formerUser),
    project: sum(({ projects }) => projects[projectId], user, formerUser),
    organization: sum(({ all }) => all, organization, formerOrganization),
  }
}
