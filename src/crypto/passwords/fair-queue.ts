/**
 * A queue that is fair to groups of tasks: groups that wait take turns, so that a group with many tasks waiting delays
 * another one by one task for each of its own.
 */

export interface QueuedTask {
  readonly group: string
  readonly expectedMilliseconds: number
}

/** How much there is to do for a group, running tasks included. */
interface Backlog {
  tasks: number
  milliseconds: number
}

/** Tasks from when they are taken on until they are done. */
export class FairQueue<Task extends QueuedTask> {
  /** The group whose turn is next comes first. */
  readonly #waiting = new Map<string, Task[]>()
  readonly #backlogs = new Map<string, Backlog>()

  /** How many wait. */
  get length(): number {
    return this.waiting().length
  }

  waiting(): readonly Task[] {
    return [...this.#waiting.values()].flat()
  }

  add(task: Task): void {
    const { group, expectedMilliseconds } = task
    const tasks = this.#waiting.get(group)
    if (tasks === undefined) this.#waiting.set(group, [task])
    else tasks.push(task)
    const backlog = this.#backlogs.get(group) ?? { tasks: 0, milliseconds: 0 }
    backlog.tasks += 1
    backlog.milliseconds += expectedMilliseconds
    this.#backlogs.set(group, backlog)
  }

  /** The task whose turn it is; it stays in the backlog of its group until it is done. */
  next(): Task | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const [group, tasks] = first
    const task = tasks.shift()
    // Behind all others that wait.
    this.#waiting.delete(group)
    if (tasks.length > 0) this.#waiting.set(group, tasks)
    return task
  }

  done({ group, expectedMilliseconds }: Task): void {
    const backlog = this.#backlogs.get(group)
    if (backlog === undefined) return
    backlog.tasks -= 1
    backlog.milliseconds -= expectedMilliseconds
    // Removed when nothing is left, so that no rounding error stays behind.
    if (backlog.tasks === 0) this.#backlogs.delete(group)
  }

  /** The time that the tasks of a group are expected to take. */
  expectOwn(group: string): number {
    return this.#backlogs.get(group)?.milliseconds ?? 0
  }

  /** The time until a new task is expected to have its turn: no group is served longer before it than its own. */
  expectTurn({ group, expectedMilliseconds }: QueuedTask): number {
    const own = this.expectOwn(group) + expectedMilliseconds
    let milliseconds = 0
    for (const [other, backlog] of this.#backlogs) {
      milliseconds += other === group ? backlog.milliseconds : Math.min(backlog.milliseconds, own)
    }
    return milliseconds
  }
}
