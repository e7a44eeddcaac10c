/** The line that shows how far an import is. */

import { duration, groupDigits } from '../progress.ts'
import type { ImportCounts } from './state.ts'

/** A moment of an import. */
export interface ImportMoment {
  readonly counts: Readonly<ImportCounts>
  /** Bytes of the file that are answered, and its size. */
  readonly offset: number
  readonly size: number
  /** Since this run began: time, lines and bytes. */
  readonly seconds: number
  readonly lines: number
  readonly bytes: number
}

/** `12 345 done, 3 failed, 5 120/s, 41 %, 0:32 left` */
export function describeMoment({ counts, offset, size, seconds, lines, bytes }: ImportMoment): string {
  const { created, exists, failed } = counts
  const parts = [`${groupDigits(created + exists)} done`, `${groupDigits(failed)} failed`]
  if (seconds > 0) parts.push(`${groupDigits(lines / seconds)}/s`)
  if (size > 0) parts.push(`${Math.floor((offset / size) * 100)} %`)
  if (bytes > 0) parts.push(`${duration(((size - offset) / bytes) * seconds)} left`)
  return parts.join(', ')
}
