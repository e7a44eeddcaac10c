/** Makes the requests of a case, and says what B learned about A or did to it. */
import { toJsonString } from '@bufbuild/protobuf'
import { Failed } from '../../src/http/protocols/errors.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { Commit } from '../../src/store/engine.ts'
import { messageOf } from '../matrices/requests.ts'
import type { Asked, Case } from './cases.ts'
import type { Tenants } from './world.ts'

export interface Answer {
  /** `ok`, or the code of the refusal. */
  readonly code: string
  /** Everything that the caller reads. */
  readonly text: string
  readonly commits: readonly Commit[]
}

/** What is wrong, and in which case. */
export interface Difference {
  readonly case: Case
  readonly manner: 'differs' | 'tells' | 'writes' | 'fails'
  readonly what: string
  /** The codes of both answers: `access.forbidden ≠ ok`. */
  readonly codes: string
}

export async function ask(tenants: Tenants, { method, caller }: Case, asked: Asked): Promise<Answer> {
  const { scene, gate, callers } = tenants
  const { organizationId } = asked
  const options = { ...callers[caller], ...(organizationId !== undefined && { organizationId }) }
  const answered = (code: string, text: string): Answer => ({ code, text, commits: gate.take() })
  gate.take()
  tenants.count()
  try {
    const reply = await scene.call(method, messageOf(method, asked.body) as never, options)
    return answered('ok', toJsonString(method.output, reply))
  } catch (error) {
    if (error instanceof Refused) {
      const { code, kind, message, violations, retryAfterSeconds, failedAttempts } = error
      return answered(code, JSON.stringify({ kind, message, violations, retryAfterSeconds, failedAttempts }))
    }
    if (error instanceof Failed) return answered(error.failure.id, JSON.stringify(error.failure))
    return answered('fault', String(error instanceof Error ? error.stack : error))
  }
}

/** An answer as it would be about any thing. */
function about(thing: string, { code, text }: Answer): string {
  return `${code} ${text.replaceAll(thing, '…')}`
}

/** In place of what is new each time. */
const NEW = '"new"'

/** The texts between which the members of an answer are, so that those that are new each time can be left out. */
function pieces(text: string): readonly string[] {
  return text.split(/("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)/)
}

/** What is the same in two answers to one request; what is new each time is left out. */
function lasting(one: string, again: string): string {
  const [first, second] = [pieces(one), pieces(again)]
  if (first.length !== second.length) return one
  return first.map((piece, index) => (piece === second[index] ? piece : NEW)).join('')
}

/** Without what is new each time in another answer. */
function masked(text: string, mask: string): string {
  const [those, these] = [pieces(text), pieces(mask)]
  return those.length === these.length
    ? those.map((piece, index) => (these[index] === NEW ? NEW : piece)).join('')
    : text
}

async function difference(tenants: Tenants, one: Case, first: Answer) {
  const { absent, thing, asked } = one
  if (absent === undefined) return undefined
  const told = about(thing, first)
  const second = await ask(tenants, one, absent.asked)
  const other = about(absent.thing, second)
  if (told === other) return undefined
  // What is new each time differs between two answers to the same request, too.
  const [mine, others] = [
    lasting(told, about(thing, await ask(tenants, one, asked))),
    lasting(other, about(absent.thing, await ask(tenants, one, absent.asked))),
  ]
  if (masked(mine, others) === masked(others, mine)) return undefined
  return { codes: `${first.code} ≠ ${second.code}`, what: `${told.slice(0, 160)} ≠ ${other.slice(0, 160)}` }
}

/** What would have been written on streams of A, or sent about A. */
function written(
  { streams, owners, thingsOfA }: Tenants,
  { thing }: Case,
  commits: readonly Commit[],
): readonly string[] {
  return commits.flatMap(({ changes, removed, jobs }) => [
    ...changes
      .filter(({ kind, id, owner, events }) => events.length > 0 && (owners.has(owner) || streams.has(`${kind}/${id}`)))
      .map(({ kind, id, events }) => `${kind}/${id}: ${events.map(({ type }) => type)}`),
    ...removed.filter(({ kind, id }) => streams.has(`${kind}/${id}`)).map(({ kind, id }) => `removes ${kind}/${id}`),
    ...jobs
      .filter(({ data }) => thingsOfA(data.replaceAll(thing === '' ? '\0' : thing, '')).length > 0)
      .map(({ kind }) => `the job ${kind}`),
  ])
}

/** Everything that is wrong in one case. */
export async function judge(tenants: Tenants, one: Case): Promise<readonly Difference[]> {
  const first = await ask(tenants, one, one.asked)
  const found: Difference[] = []
  const add = (manner: Difference['manner'], what: string, codes = first.code) =>
    found.push({ case: one, manner, what, codes })
  if (first.code === 'fault') add('fails', first.text)
  const told = tenants.thingsOfA(first.text).filter((thing) => !JSON.stringify(one.asked).toLowerCase().includes(thing))
  if (told.length > 0) add('tells', `${told.join(', ')} in ${first.text.slice(0, 200)}`)
  for (const what of written(tenants, one, first.commits)) add('writes', what)
  const differs = await difference(tenants, one, first)
  if (differs !== undefined) add('differs', differs.what, differs.codes)
  return found
}
