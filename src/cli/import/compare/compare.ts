/** Asks two servers the same questions and says where their answers differ. */
import { createHash } from 'node:crypto'
import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import { type Answering, ask, type Json, listed, NoAnswer } from './ask.ts'
import { type Difference, differencesOf, plain } from './differences.ts'
import { type Place, QUESTIONS, type Question } from './questions.ts'

/** How one object differs. */
export interface DifferentObject {
  readonly question: string
  readonly id: string
  readonly differences: readonly Difference[]
}

export interface CompareOptions {
  readonly source: Answering
  readonly target: Answering
  /** Credentials and metadata are compared for one of this many users, as each of them takes questions of its own. */
  readonly every: number
  /** Members that are not compared. */
  readonly ignored: readonly string[]
  onDifference(found: DifferentObject): void
  /** This many objects were compared. */
  onProgress?(objects: number): void
}

/** The result for one question, in all places. */
export interface Compared {
  readonly question: string
  objects: number
  different: number
  /** Why it was not asked everywhere. */
  unanswered?: string
}

/** Chooses about one of this many objects, at each run the same ones. */
function isChosen(id: string, every: number): boolean {
  return every <= 1 || createHash('sha256').update(id).digest().readUInt32BE() % every === 0
}

const AT_ONCE = 4

class Comparison {
  readonly results = new Map<string, Compared>()
  readonly #options: CompareOptions
  readonly #ignored: ReadonlySet<string>
  #objects = 0

  constructor(options: CompareOptions) {
    this.#options = options
    this.#ignored = new Set(options.ignored)
  }

  #plain(value: unknown, { url }: Answering): unknown {
    return plain(value, { url, ignored: this.#ignored })
  }

  #resultOf({ name }: Question): Compared {
    const known = this.results.get(name)
    if (known !== undefined) return known
    const result: Compared = { question: name, objects: 0, different: 0 }
    this.results.set(name, result)
    return result
  }

  #note(question: Question, id: string, differences: readonly Difference[]): void {
    const result = this.#resultOf(question)
    result.objects++
    this.#options.onProgress?.(++this.#objects)
    if (differences.length === 0) return
    result.different++
    this.#options.onDifference({ question: question.name, id, differences })
  }

  /** Asks a question in a place; one that a server does not answer is left out, and named. */
  async ask(question: Question, place: Place): Promise<void> {
    const result = this.#resultOf(question)
    try {
      await (question.form === 'list' ? this.#askList(question, place) : this.#askOne(question, place))
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      result.unanswered ??= error.message
    }
  }

  async #askOne(question: Question, place: Place): Promise<void> {
    const { source, target } = this.#options
    const { organizationId } = place
    const path = question.path(place)
    const member = typeof question.form === 'object' ? question.form.member : ''
    const [there, here] = await Promise.all(
      [source, target].map(async (server) =>
        this.#plain((await ask(server, 'GET', path, { organizationId }))[member] ?? {}, server),
      ),
    )
    this.#note(question, organizationId ?? '', differencesOf(there, here))
  }

  /**
   * Compares two lists object by object. Both are read in the order of creation, so few objects wait for their counterpart;
   * what has none at the end is only on one side.
   */
  async #askList(question: Question, place: Place): Promise<void> {
    const { source, target } = this.#options
    const { member } = question
    const asked = { organizationId: place.organizationId, body: question.body?.(place) ?? {}, member }
    const [left, right] = [source, target].map((server) => ({
      server,
      pages: listed(server, question.path(place), asked),
      waiting: new Map<string, Json>(),
      isDone: false,
    })) as [Side, Side]
    while (!left.isDone || !right.isDone) {
      await Promise.all([readPage(question, left), readPage(question, right)])
      const both = [...left.waiting.keys()].filter((id) => right.waiting.has(id))
      const compareObject = async (id: string) => {
        const [there, here] = [left.waiting.get(id) ?? {}, right.waiting.get(id) ?? {}]
        left.waiting.delete(id)
        right.waiting.delete(id)
        this.#note(question, id, differencesOf(this.#plain(there, source), this.#plain(here, target)))
        await this.#askBelow(question, id, there, place)
      }
      await eachAtOnce(both, compareObject, AT_ONCE)
    }
    for (const id of left.waiting.keys())
      this.#note(question, id, [{ member: '', source: 'is there', target: 'is missing' }])
    for (const id of right.waiting.keys())
      this.#note(question, id, [{ member: '', source: 'is missing', target: 'is there' }])
  }

  async #askBelow(question: Question, id: string, object: Json, place: Place): Promise<void> {
    const { below = [], isSampled = false } = question
    const { every } = this.#options
    if (isSampled && !isChosen(id, every)) return
    const inside = question.place?.(object, place) ?? place
    for (const next of below) {
      if (next.about === undefined || next.about in object) await this.ask(next, inside)
    }
  }
}

/** One of two lists that are compared. */
interface Side {
  readonly server: Answering
  readonly pages: AsyncGenerator<readonly Json[]>
  readonly waiting: Map<string, Json>
  isDone: boolean
}

async function readPage({ id = [] }: Question, side: Side): Promise<void> {
  if (side.isDone) return
  const { value, done = false } = await side.pages.next()
  if (done) side.isDone = true
  else for (const object of value) side.waiting.set(idOf(object, id), object)
}

/** The value of the members that identify an object; an object in one of them counts with its own ID, or as a whole. */
function idOf(object: Json, members: readonly string[]): string {
  const values = members.map((member) => {
    const value = object[member]
    if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value)
    return `${member} ${String((value as Json).id ?? JSON.stringify(value))}`
  })
  return values
    .filter((value) => value !== '')
    .join(' ')
    .trim()
}

/** Compares everything; the results are in the order of the questions. */
export async function compareServers(options: CompareOptions): Promise<readonly Compared[]> {
  const comparison = new Comparison(options)
  for (const question of QUESTIONS) await comparison.ask(question, {})
  return [...comparison.results.values()]
}
