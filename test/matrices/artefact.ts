/** What can be asked of something that counts once, and the shape of its row in the matrix. */
import type { Node, Scene } from './scene.ts'

/** In which ways it is shown. */
export const COLUMNS = [
  'right use',
  'reuse',
  'race of eight on two nodes',
  'other user',
  'other session',
  'other purpose',
  'expired',
  'after five failures',
  'after failures and expiry',
  'after a restart',
  'after deactivation',
] as const

export type Column = (typeof COLUMNS)[number]

/** A cell that makes no sense, and why. */
export interface NoCell {
  readonly because: string
}

/** `passes`, or the code of the one refusal that is right. */
export type Expected = string

/** The cells of a row. Where nothing is said, it is what must be for everything: right uses pass. */
export interface Row {
  readonly reuse: Expected | NoCell
  /** What those hear who lose, besides that two writers met. */
  readonly losers: readonly Expected[] | NoCell
  readonly otherUser: Expected | NoCell
  readonly otherSession: Expected | NoCell
  readonly otherPurpose: Expected | NoCell
  readonly expired: Expected | NoCell
  /** The right one at once after five wrong ones, and when the wait is over. */
  readonly afterFailures: readonly [atOnce: Expected, later: Expected] | NoCell
  readonly afterDeactivation: Expected
}

/** One of its kind, ready to be shown. Whatever a row has no cell for is left out. */
export interface Issued {
  readonly userId: string
  /** The one right use. */
  use(on: Node): Promise<unknown>
  /** What uses it up, where that is something else. */
  spend?(on: Node): Promise<unknown>
  /** Something wrong in its place. */
  fail?(on: Node): Promise<unknown>
  /** By or for somebody else, who waits for one of their own. */
  readonly forOtherUsers?: readonly (() => Promise<unknown>)[]
  inOtherSession?(): Promise<unknown>
  /** Everything else that a text like it is good for. */
  readonly forOtherPurposes?: readonly (() => Promise<unknown>)[]
  readonly lifetimeMs?: number
}

export interface Artefact {
  readonly name: string
  /** Where the contract lets somebody show it; empty when only a page does. */
  readonly way: string
  readonly row: Row
  issue(scene: Scene): Promise<Issued>
}

export function none(because: string): NoCell {
  return { because }
}

export function isNone(cell: unknown): cell is NoCell {
  return typeof cell === 'object' && cell !== null && 'because' in cell
}
