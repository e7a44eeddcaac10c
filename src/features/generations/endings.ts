/** What ends something that was opened for a user: declared by its kind (`waits`), read and compared here. */
import { type Ending, type Generations, isCurrent } from '../../kernel/generations.ts'
import type { Document, Reader } from '../../store/index.ts'
import { type Counted, formerGenerations, organizationGenerations, userGenerations } from './documents.ts'

/** The user, and the rest of what it was opened for. */
export interface OpenedFor {
  readonly userId: string
  /** The organization of the user; undefined for what does not end with it. */
  readonly organizationId?: string
  readonly projectId?: string
}

interface Endings<Name extends Ending> {
  /** What something remembers that is opened now. */
  now(reader: Reader, whose: OpenedFor): Promise<Generations<Name>>
  /** Whether none of them has happened since it was opened. */
  isCurrent(reader: Reader, whose: OpenedFor, remembered: Generations<Name> | undefined): Promise<boolean>
}

type Numbers = readonly (Document<Counted> | undefined)[]

const sum = (numbers: Numbers, count: (state: Counted) => number | undefined): number =>
  numbers.reduce((total, one) => total + ((one && count(one.state)) ?? 0), 0)

const NUMBERS: { readonly [Name in Ending]: (user: Numbers, organization: Numbers, projectId: string) => number } = {
  user: (user) => sum(user, ({ all }) => all),
  password: (user) => sum(user, ({ password }) => password),
  project: (user, organization, projectId) => sum([...user, ...organization], ({ projects }) => projects[projectId]),
  organization: (_, organization) => sum(organization, ({ all }) => all),
}

/** How often what a project was for a user, or for the users and applications of organizations, was ended. */
export async function projectEndings(
  reader: Reader,
  projectId: string,
  { userId, organizationIds }: { readonly userId: string; readonly organizationIds: readonly string[] },
): Promise<number> {
  const numbers = await Promise.all([
    reader.get(userGenerations, userId),
    reader.get(formerGenerations, userId),
    ...organizationIds.map((id) => reader.get(organizationGenerations, id)),
    ...organizationIds.map((id) => reader.get(formerGenerations, id)),
  ])
  return sum(numbers, ({ projects }) => projects[projectId])
}

/** How often an organization was closed, and how often what one project was for it was ended. */
export async function organizationEndings(reader: Reader, id: string, projectId = ''): Promise<number> {
  const numbers = await Promise.all([reader.get(organizationGenerations, id), reader.get(formerGenerations, id)])
  return sum(numbers, ({ all, projects }) => all + (projects[projectId] ?? 0))
}

/** A kind whose documents end with something else. */
interface Ended<Name extends Ending> {
  readonly waits: { readonly endsWith: readonly Name[] }
}

/** What ends the documents of a kind. One is stored with what `now` returns, and counts while `isCurrent` says so. */
export function endingsOf<Name extends Ending>({ waits: { endsWith: names } }: Ended<Name>): Endings<Name> {
  const now = async (reader: Reader, { userId, organizationId, projectId = '' }: OpenedFor) => {
    // All at once: a database on the network answers them in one round trip.
    const [user, formerUser, organization, formerOrganization] = await Promise.all([
      reader.get(userGenerations, userId),
      reader.get(formerGenerations, userId),
      organizationId === undefined ? undefined : reader.get(organizationGenerations, organizationId),
      organizationId === undefined ? undefined : reader.get(formerGenerations, organizationId),
    ])
    const numberOf = (name: Name) => NUMBERS[name]([user, formerUser], [organization, formerOrganization], projectId)
    return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Generations<Name>
  }
  return {
    now,
    isCurrent: async (reader, whose, remembered) => isCurrent(await now(reader, whose), remembered),
  }
}
