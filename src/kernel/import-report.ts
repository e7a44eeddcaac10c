/** What is told about an import from another product: in the report, and by the server to the page "Import" of the console. */

/** How many objects of one kind had which end. */
export interface KindCounts {
  /** Written by this run. */
  carried: number
  /** Written by an earlier run, or there before. */
  there: number
  /** Against a rule of this server: nothing of it was written. */
  refused: number
  /** What the source has and this server does not, and parts of objects that were carried without them. */
  notCarried: number
  /** While the source is followed: what became as it is there now, what went, and what was changed here and stays. */
  changed?: number
  removed?: number
  kept?: number
}

/**
 * `refused`: the object is missing, or not as it is there. `not_carried`: a part of it, or something that has no place here.
 * `kept`: it was changed on both sides, and is as it was changed here.
 */
export type ProblemType = 'refused' | 'not_carried' | 'kept'

/** Problems with the same reason. */
export interface Reason {
  readonly type: ProblemType
  readonly kind: string
  readonly reason: string
  count: number
  /** The first of them. */
  readonly ids: string[]
}

/**
 * What an administrator does about an object: it is not active until somebody has checked it (`activate`), needs a new secret or
 * key (`secret`), or stays behind, or is different, in a way that decides who gets in (`check`).
 */
export type Todo = 'activate' | 'secret' | 'check'

/** Objects of one kind about which the same has to be decided before people sign in. */
export interface ToDecide {
  readonly todo: Todo
  readonly kind: string
  count: number
  /** The first of them. */
  readonly objects: {
    readonly id: string
    /** The page of the console where it is done. */
    readonly link: string
    readonly reasons: string[]
  }[]
}

/** How the source was followed. */
export interface FollowSummary {
  readonly looks: number
  /** Events that were newer than the last look. */
  readonly behind: number
  /** Objects that are not as they are there, of all runs. */
  readonly unsolved: number
  /** How long the cut-over took. */
  readonly pauseSeconds?: number
}

export interface MoveSummary {
  /** What must be decided before people sign in: a report begins with it. */
  readonly toDecide: readonly Readonly<ToDecide>[]
  readonly source: string
  readonly isDryRun: boolean
  readonly seconds: number
  readonly perSecond: number
  readonly kinds: Readonly<Record<string, Readonly<KindCounts>>>
  readonly reasons: readonly Readonly<Reason>[]
  readonly follow?: FollowSummary
}

/** The products whose files can be uploaded. */
export type Product = 'signet' | 'keycloak' | 'auth0'

export interface UploadedFile {
  readonly part: string
  /** How it is called where it comes from. */
  readonly name: string
  /** How much of it is there, of how much. */
  readonly bytes: number
  readonly size: number
}

/** A dry run or an import. */
export interface Run {
  readonly isDryRun: boolean
  readonly status: 'running' | 'done' | 'failed' | 'stopped'
  readonly startedAt: number
  readonly endedAt?: number
  readonly done: number
  readonly total?: number
  readonly seconds: number
  /** Why it failed. */
  readonly message?: string
  readonly summary?: MoveSummary
  /** Whether an administrator has read what must be decided. */
  readonly isRead?: boolean
}

/** Whether something must be decided after a run that nobody has read yet. */
export function isUnread(run: Run | undefined): boolean {
  return run?.status === 'done' && run.isRead !== true && (run.summary?.toDecide ?? []).length > 0
}
