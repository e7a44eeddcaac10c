/**
 * A queue that is fair to owners: the widest of them take turns, an organization and another for example, and within each
 * those that are narrower, its users. Whoever has many tasks waiting delays another one by one task for each of its own.
 */
import type { Owners } from './share.ts'

export interface Queued {
  readonly owners: Owners
  /** How much there is to do for it, in any unit. */
  readonly cost: number
}

/** What is taken on and not done for one owner, and for the owners within it. */
class Line<Task extends Queued> {
  readonly tasks: Task[] = []
  /** Whose turn is next comes first; a line where nothing waits is running. */
  readonly lines = new Map<string, Line<Task>>()
  waiting = 0
  taken = 0
  cost = 0

  /** Tasks for the owners within it come after its own. */
  next(): Task | undefined {
    if (this.waiting === 0) return undefined
    this.waiting--
    if (this.tasks.length > 0) return this.tasks.shift()
    for (const [name, line] of this.lines) {
      if (line.waiting === 0) continue
      // Behind all others that wait.
      this.lines.delete(name)
      this.lines.set(name, line)
      return line.next()
    }
    return undefined
  }

  all(): readonly Task[] {
    return [...this.tasks, ...[...this.lines.values()].flatMap((line) => line.all())]
  }

  /**
   * Takes back the newest task of whoever has the most waiting for one of these owners, unless they have about as many; for
   * somebody else altogether when they are undefined.
   */
  takeBack(owners: readonly string[] | undefined): Task | undefined {
    const task = this.#takeBackWithin(owners)
    if (task !== undefined) this.waiting--
    return task
  }

  #takeBackWithin(owners: readonly string[] | undefined): Task | undefined {
    let longest: Line<Task> | undefined
    for (const line of this.lines.values()) if (line.waiting > (longest?.waiting ?? 0)) longest = line
    if (longest === undefined) return owners === undefined ? this.tasks.pop() : undefined
    const [name, ...narrower] = owners ?? []
    if (name === undefined) return longest.takeBack(undefined)
    const own = this.lines.get(name)
    if (longest === own) return longest.takeBack(narrower)
    return longest.waiting > (own?.waiting ?? 0) + 1 ? longest.takeBack(undefined) : undefined
  }
}

/** Tasks from when they are taken on until they are done. */
export class FairQueue<Task extends Queued> {
  readonly #root = new Line<Task>()

  /** How many wait. */
  get length(): number {
    return this.#root.waiting
  }

  waiting(): readonly Task[] {
    return this.#root.all()
  }

  add(task: Task): void {
    let line = this.#root
    count(line, task)
    for (const name of task.owners) {
      const next = line.lines.get(name) ?? new Line<Task>()
      // Behind those that wait already.
      if (next.waiting === 0) line.lines.delete(name)
      line.lines.set(name, next)
      count(next, task)
      line = next
    }
    line.tasks.push(task)
  }

  /** The task whose turn it is; it counts for its owners until it is done. */
  next(): Task | undefined {
    return this.#root.next()
  }

  /** Takes back all that wait. */
  clear(): readonly Task[] {
    const tasks = this.waiting()
    while (this.length > 0) this.next()
    for (const task of tasks) this.done(task)
    return tasks
  }

  /** A task that had its turn is over. */
  done({ owners, cost }: Task): void {
    const path = this.#pathOf(owners)
    for (const [level, line] of path.entries()) {
      if (line === undefined) return
      line.taken--
      line.cost -= cost
      const name = owners[level - 1]
      // Removed when nothing is left, so that no rounding error stays behind.
      if (line.taken === 0 && name !== undefined) path[level - 1]?.lines.delete(name)
    }
  }

  /** Takes back the newest task of whoever has the most waiting, so that owners with fewer get a place in a full queue. */
  takeBackFor(owners: Owners): Task | undefined {
    const task = this.#root.takeBack(owners)
    if (task !== undefined) this.done(task)
    return task
  }

  /** What there is to do for the narrowest of these owners. */
  ofOwner(owners: Owners): number {
    return this.#pathOf(owners).at(-1)?.cost ?? 0
  }

  /** What is done before a new task has its turn: for nobody more than for its own owners. */
  before({ owners, cost }: Queued): number {
    const path = this.#pathOf(owners)
    let before = path[owners.length]?.cost ?? 0
    for (const [level, name] of [...owners.entries()].toReversed()) {
      const most = before + cost
      for (const [other, line] of path[level]?.lines ?? []) if (other !== name) before += Math.min(line.cost, most)
    }
    return before
  }

  /** The lines of all, of the widest owner and so on; undefined where nothing is to do. */
  #pathOf(owners: Owners): readonly (Line<Task> | undefined)[] {
    const path: (Line<Task> | undefined)[] = [this.#root]
    for (const name of owners) path.push(path.at(-1)?.lines.get(name))
    return path
  }
}

function count(line: Line<Queued>, { cost }: Queued): void {
  line.waiting++
  line.taken++
  line.cost += cost
}
