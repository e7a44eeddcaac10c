/** Lets attackers with every role take steps, and says what each of them gained by it. */
import type { DescMethodUnary } from '@bufbuild/protobuf'
import type { Random } from '../../faults/network/mutations.ts'
import { ON_INSTANCE_ITSELF } from '../../src/kernel/role.ts'
import type { TestEngine } from '../support/engines.ts'
import { controlledTokens } from './control.ts'
import { type Gain, isMeantBy, MEANT, type Meant } from './meant.ts'
import { gainedBetween, mayAddKey, type Powers, powersOf, userOf } from './powers.ts'
import { ALL_ROLES, type RoleAt } from './roles.ts'
import { isAboutDoors, leadsSomewhere, type Step, stepsOf, takeStep, WITHOUT_ROLE } from './steps.ts'
import { type Arena, addNeighbourhood, type Neighbourhood, openArena, type Person, signIn } from './world.ts'

export interface Found {
  readonly roles: ReadonlySet<string>
  readonly sequences: number
  readonly steps: number
  /** Steps that were not refused. */
  readonly taken: number
  /** Tokens that attackers controlled in the end. */
  readonly tokens: number
  /** One line for each way on which a role gained something that nobody meant. */
  readonly gains: readonly string[]
  readonly used: ReadonlySet<Meant>
  readonly seconds: number
}

/** After so many attempts there is a new world: what is in the old one slows the search down. */
const ATTEMPTS_IN_ONE_WORLD = 12
/** How many people with roles of chance there are beside an owner and somebody without a role. */
const OTHERS = 2

/** The worlds of a search, one after the other. */
class Worlds {
  readonly #engine: TestEngine
  #open: { readonly arena: Arena; attempts: number } | undefined

  constructor(engine: TestEngine) {
    this.#engine = engine
  }

  /** Who changes the instance itself changes what everybody else finds: each such attempt has a world of its own. */
  async forRole({ role }: RoleAt): Promise<Arena> {
    const isAlone = ON_INSTANCE_ITSELF.has(role)
    const open = this.#open
    if (!isAlone && open !== undefined && open.attempts < ATTEMPTS_IN_ONE_WORLD) {
      open.attempts += 1
      return open.arena
    }
    await this.close()
    const arena = await openArena(this.#engine)
    this.#open = { arena, attempts: isAlone ? ATTEMPTS_IN_ONE_WORLD : 1 }
    return arena
  }

  async close(): Promise<void> {
    await this.#open?.arena.dispose()
    this.#open = undefined
  }
}

/** What a token gives that the attacker did not have. */
async function gainsOf(arena: Arena, around: Neighbourhood, above: readonly Person[], before: Powers, bearer: string) {
  const gained = [...gainedBetween(before, await powersOf(arena, around, bearer))]
  const user = await userOf(arena, bearer)
  const victim = above.find(({ userId }) => userId === user)
  if (victim !== undefined && (await mayAddKey(arena, victim.userId, bearer)))
    gained.push(`a new key of ${victim.name}`)
  return gained
}

/** What is tried in one organization, by somebody with a role: sequences of methods, one after the other. */
export interface Attempt {
  readonly role: RoleAt
  readonly sequences: readonly (readonly DescMethodUnary[])[]
}

export interface Outcome {
  /** How many of the sequences were tried: until the attacker ended what they live in. */
  readonly tried: number
  readonly steps: readonly Step[]
  readonly tokens: number
  readonly gains: readonly Gain[]
}

/** Those who may do more than the attacker. */
async function peopleAbove(arena: Arena, around: Neighbourhood, before: Powers): Promise<readonly Person[]> {
  const above: Person[] = []
  for (const person of around.others) {
    const powers = await powersOf(arena, around, person.session.bearer ?? '')
    if (gainedBetween(before, powers).length > 0) above.push(person)
  }
  return above
}

/** Makes one attempt, in a new organization. After each sequence, every token that the attacker controls is looked at. */
export async function attempt(arena: Arena, { role, sequences }: Attempt, random: Random): Promise<Outcome> {
  const others = Array.from({ length: OTHERS }, () => random.pick(ALL_ROLES))
  const around = await addNeighbourhood(arena, role, others)
  const own = around.attacker.session.bearer ?? ''
  const before = await powersOf(arena, around, own)
  const above = await peopleAbove(arena, around, before)
  if (sequences.flat().some(leadsSomewhere)) {
    for (const person of [around.attacker, ...above]) await signIn(arena, person)
  }
  const steps: Step[] = []
  const gains = new Map<string, Gain>()
  let [tried, tokens] = [0, 0]
  for (const methods of sequences) {
    for (const method of methods) steps.push(await takeStep(arena, around, method, random))
    tried += 1
    const controlled = await controlledTokens(arena, around, steps, above)
    tokens += controlled.length
    for (const { way, bearer } of controlled) {
      const gained = await gainsOf(arena, around, above, before, bearer)
      for (const power of gained) gains.set(`${way} ${power}`, { role: role.role, way, power })
    }
    if ((await userOf(arena, own)) === undefined) break
  }
  return { tried, steps, tokens, gains: [...gains.values()] }
}

function lineOf({ role }: Attempt, steps: readonly Step[], gains: readonly Gain[]): readonly string[] {
  const names = steps.filter(({ code }) => code === 'ok').map(({ name }) => name.slice(name.lastIndexOf('/') + 1))
  const ways = new Map<string, string[]>()
  for (const { way, power } of gains) ways.set(way, [...(ways.get(way) ?? []), power])
  return [...ways].map(([way, powers]) => {
    const more = powers.length > 3 ? ` and ${powers.length - 3} more` : ''
    return `${role.role} by ${names.join(', ')}: ${way} has ${powers.slice(0, 3).join(', ')}${more}`
  })
}

/** Makes all attempts and sorts what was found. */
export async function search(engine: TestEngine, attempts: Iterable<Attempt>, random: Random): Promise<Found> {
  const began = performance.now()
  const worlds = new Worlds(engine)
  const [roles, used, lines] = [new Set<string>(), new Set<Meant>(), new Set<string>()]
  const counts = { sequences: 0, steps: 0, taken: 0, tokens: 0 }
  try {
    for (const one of attempts) {
      const { tried, steps, tokens, gains } = await attempt(await worlds.forRole(one.role), one, random)
      roles.add(one.role.role)
      counts.sequences += tried
      counts.steps += steps.length
      counts.taken += steps.filter(({ code }) => code === 'ok').length
      counts.tokens += tokens
      const unexplained = gains.filter((gain) => {
        const rows = MEANT.filter((row) => isMeantBy(row, gain))
        for (const row of rows) used.add(row)
        return rows.length === 0
      })
      for (const line of lineOf(one, steps, unexplained)) lines.add(line)
    }
  } finally {
    await worlds.close()
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  return { roles, ...counts, gains: [...lines], used, seconds }
}

const FEWEST_STEPS = 2
const MOST_STEPS = 6

/** What ends something leaves less to attack: it is chosen once in so many times. */
const ENDS = /^(Remove|Delete|Deactivate|Lock|Reset|Withdraw|BulkRemove|Revoke|End)/
const ENDS_ONCE_IN = 15

const METHODS_OF_A_SHARE = 10
/** So many steps of three are about doors. */
const ABOUT_DOORS = 2

type Groups = readonly (readonly DescMethodUnary[])[]

/** Groups of the methods that meet a condition. */
function groupsOf(groups: Groups, meets: (method: DescMethodUnary) => boolean): Groups {
  return groups.map((group) => group.filter(meets)).filter(({ length }) => length > 0)
}

/** Steps that belong together, mostly: about one permission, and now and then about another one. */
function pickSteps(groups: Groups, random: Random): readonly DescMethodUnary[] {
  const making = groupsOf(groups, ({ name }) => !ENDS.test(name))
  const doors = groupsOf(making, isAboutDoors)
  const theme = random.pick(making.flat())
  const length = FEWEST_STEPS + random.below(MOST_STEPS - FEWEST_STEPS + 1)
  return Array.from({ length }, () => {
    if (random.below(ENDS_ONCE_IN) === 0) return random.pick(groups.flat())
    const some = random.below(3) < ABOUT_DOORS ? doors : making
    const related = groups.find((group) => group.includes(theme)) ?? []
    const own = some.find((group) => related.includes(group[0] ?? theme))
    // Of others, each permission as often as every other.
    return random.pick(random.below(3) === 0 || own === undefined ? random.pick(some) : own)
  })
}

/** How many sequences a role gets: the more it may call, the more. */
function shareOf(groups: ReadonlyMap<string, readonly DescMethodUnary[]>): number {
  const own = [...groups].filter(([group]) => group !== WITHOUT_ROLE).flatMap(([, methods]) => methods)
  return 1 + Math.ceil(Math.sqrt(own.length / METHODS_OF_A_SHARE))
}

/** How much is tried with each role. */
export interface Extent {
  /** In how many organizations for each share of a role, or in how many for each role. */
  readonly organizations: { readonly ofShare: number } | { readonly ofRole: number }
  /** How many sequences in each of them. */
  readonly sequences: number
}

/** Sequences of every role. */
export function* sequences(random: Random, extent: Extent, roles = ALL_ROLES): Iterable<Attempt> {
  const { organizations } = extent
  for (const role of roles) {
    const groups = stepsOf(role)
    const count = 'ofRole' in organizations ? organizations.ofRole : organizations.ofShare * shareOf(groups)
    for (let index = 0; index < count; index++) {
      const picked = Array.from({ length: extent.sequences }, () => pickSteps([...groups.values()], random))
      yield { role, sequences: picked }
    }
  }
}

/** Every method that every role may call, `atOnce` in one organization: what none of them gains together, none gains alone. */
export function* singles(atOnce: number, roles = ALL_ROLES): Iterable<Attempt> {
  for (const role of roles) {
    const all = [...stepsOf(role).values()].flat()
    // What ends something comes last, when the others have been tried.
    const ordered = [...all.filter(({ name }) => !ENDS.test(name)), ...all.filter(({ name }) => ENDS.test(name))]
    for (let from = 0; from < ordered.length; from += atOnce) {
      yield { role, sequences: [ordered.slice(from, from + atOnce)] }
    }
  }
}

/** Sequences of one role, until something was gained: what it was. */
export async function searchUntilFound(
  engine: TestEngine,
  role: RoleAt,
  most: number,
  random: Random,
): Promise<readonly string[]> {
  const extent = { organizations: { ofRole: 1 }, sequences: 4 }
  for (let tried = 0; tried < most; ) {
    const { sequences: more, gains } = await search(engine, sequences(random, extent, [role]), random)
    if (gains.length > 0) return gains
    tried += more
  }
  return []
}
