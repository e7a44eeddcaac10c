/**
 * A fault scenario: what is done to the server or its store, the figure that must come out, and a control. `npm run faults`
 * runs scenarios at full size; tests run the same code in its short form.
 */

/** How a scenario is run. */
export interface Run {
  readonly isShort: boolean
  /** Replaces the number of rounds of the scenario. */
  readonly rounds?: number | undefined
  /** Outages last as long as they say instead of passing on an accelerated clock. */
  readonly isRealTime: boolean
  /** Reports how far it is. */
  say(line: string): void
}

/** The result of a scenario. */
export interface Measured {
  /** What was done, with its size: `200 × kill -9 while 8 clients write to SQLite`. */
  readonly done: string
  /** The result in a line: `0 lost, 0 doubled of 1 000 000`. */
  readonly figure: string
  /** As above, for programs. */
  readonly figures: Readonly<Record<string, number>>
  readonly isMet: boolean
}

/** The result of a control. */
export interface Caught {
  readonly figure: string
  /** Whether the checker found the damage. */
  readonly isCaught: boolean
}

/** A run without the protection, or with a client that counts wrongly: the checker must report the damage. */
export interface Control {
  readonly what: string
  run(run: Run): Promise<Caught>
}

export interface Scenario {
  /** Selects it on the command line. */
  readonly name: string
  /** A sentence for the tests. */
  readonly title: string
  readonly required: string
  /** Why this machine cannot run it; undefined when it can. */
  obstacle?(): string | undefined | Promise<string | undefined>
  measure(run: Run): Promise<Measured>
  readonly control: Control
}

/** How many rounds to run. */
export function roundsOf({ isShort, rounds }: Run, short: number, full: number): number {
  return rounds ?? (isShort ? short : full)
}

/** 1234567 as 1 234 567. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString('en-US').replaceAll(',', ' ')
}

/** `0 lost, 0 doubled, 0 out of order of 1 234 acknowledged writes` */
export function describeLoss(verdict: {
  lost: number
  doubled: number
  misplaced: number
  acknowledged: number
}): string {
  const { lost, doubled, misplaced, acknowledged } = verdict
  return `${lost} lost, ${doubled} doubled, ${misplaced} out of order of ${grouped(acknowledged)} acknowledged writes`
}

/** The value below which this share of the samples is. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Whether a time limit is kept. It counts in the long form only: tests run on machines that are busy with others. */
export function isInTime({ isShort }: Run, milliseconds: number, limit: number): boolean {
  return isShort || milliseconds <= limit
}
