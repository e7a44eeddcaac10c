/** What an administrator must decide before people sign in: the head of a report. */
import type { MoveSummary, ToDecide, Todo } from '../../kernel/import-report.ts'
import { groupDigits } from '../progress.ts'
import type { Remark } from './draft.ts'

/** More objects of a kind are only counted: the file of `--report` has them all. */
const MOST_OBJECTS = 100
/** What a terminal shows of each kind. */
const MOST_SHOWN = 20

const TODOS: readonly Todo[] = ['activate', 'secret', 'check']

/** Collects objects by what has to be decided; the reasons of one object come one after the other. */
export class Decisions {
  readonly #console: string
  readonly #groups = new Map<string, { readonly about: ToDecide; last: string }>()

  constructor(console: string) {
    this.#console = console
  }

  add({ kind, id, reason, toDecide }: Remark): void {
    if (toDecide === undefined) return
    const { todo, page } = toDecide
    const key = `${todo} ${kind}`
    const group = this.#groups.get(key) ?? { about: { todo, kind, count: 0, objects: [] }, last: '' }
    this.#groups.set(key, group)
    const { objects } = group.about
    const object = `${page} ${id}`
    if (group.last !== object) {
      group.about.count++
      if (objects.length < MOST_OBJECTS) objects.push({ id, link: `${this.#console}${page}`, reasons: [] })
    }
    group.last = object
    const found = objects.at(-1)
    if (found?.id === id && !found.reasons.includes(reason)) found.reasons.push(reason)
  }

  /** First what is not active, then what has no secret. */
  list(): readonly ToDecide[] {
    const all = [...this.#groups.values()].map(({ about }) => about)
    return all.sort((one, other) => TODOS.indexOf(one.todo) - TODOS.indexOf(other.todo))
  }
}

const NAMES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  application: ['application', 'applications'],
  'identity-provider': ['identity provider', 'identity providers'],
  machine: ['machine user', 'machine users'],
  flow: ['authentication flow', 'authentication flows'],
  settings: ['setting', 'settings'],
}

const WHAT: Readonly<Record<Todo, readonly [one: string, several: string]>> = {
  activate: ['is not active', 'are not active'],
  secret: ['needs a new secret or key', 'need new secrets or keys'],
  check: ['is not carried as it is', 'are not carried as they are'],
}

/** The head for a terminal; nothing if there is nothing to decide. */
export function describeDecisions({ toDecide }: Pick<MoveSummary, 'toDecide'>): readonly string[] {
  if (toDecide.length === 0) return []
  const lines = toDecide.flatMap(({ todo, kind, count, objects }) => {
    const form = count === 1 ? 0 : 1
    const shown = objects.slice(0, MOST_SHOWN)
    return [
      `${groupDigits(count)} ${NAMES[kind]?.[form] ?? kind} ${WHAT[todo][form]}:`,
      ...shown.map(({ id, link, reasons }) => `  ${id}: ${reasons.join(' ')} ${link}`),
      ...(count > shown.length ? [`  and ${groupDigits(count - shown.length)} more.`] : []),
    ]
  })
  return ['Decide before people sign in:', ...lines, '']
}
