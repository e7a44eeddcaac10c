/** What the charts of sign-ins draw, from the counts of the server. Without React, so that it can be tested alone. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CountSignInsResponse } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { METHODS, type MethodName } from '../names.ts'

export const METHOD_NAMES = Object.keys(METHODS) as MethodName[]

/** One day: how many succeeded, how many failed, and how many succeeded with each method. */
export interface DayRow extends Readonly<Record<MethodName, number>> {
  readonly start: Date
  readonly succeeded: number
  readonly failed: number
}

function sum(counts: readonly { readonly count: bigint }[]): number {
  return counts.reduce((total, { count }) => total + Number(count), 0)
}

/** The days of an answer, the oldest first. */
export function dayRowsOf({ days }: CountSignInsResponse): readonly DayRow[] {
  return days.map(({ start, succeeded, failed }) => {
    const byMethod = METHOD_NAMES.map((name) => [name, sum(succeeded.filter(({ method }) => method === METHODS[name]))])
    return {
      ...(Object.fromEntries(byMethod) as Record<MethodName, number>),
      start: start ? timestampDate(start) : new Date(0),
      succeeded: sum(succeeded),
      failed: sum(failed),
    }
  })
}

export interface Totals {
  readonly succeeded: number
  readonly failed: number
  /** The share of passkeys among the sign-ins that succeeded, in percent; undefined without any. */
  readonly passkeyShare: number | undefined
}

/** The share of passkeys in percent, rounded; undefined where nobody signed in. */
export function passkeyShareOf({ passkey, succeeded }: Pick<DayRow, 'passkey' | 'succeeded'>): number | undefined {
  return succeeded === 0 ? undefined : Math.round((passkey / succeeded) * 100)
}

/** All days together. */
export function totalsOf(rows: readonly DayRow[]): Totals {
  const total = (name: 'succeeded' | 'failed' | 'passkey') => rows.reduce((all, row) => all + row[name], 0)
  const [succeeded, failed] = [total('succeeded'), total('failed')]
  return { succeeded, failed, passkeyShare: passkeyShareOf({ passkey: total('passkey'), succeeded }) }
}

/** A day as a field for date and time has it, for links to the audit: its beginning, in local time. */
export function localStart(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
