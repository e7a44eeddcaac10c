/** How an import shows its progress: one line that changes on a terminal, a line now and then elsewhere. */
import type { ImportCounts } from './import-state.ts'

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

/** 1234567 as 1 234 567. */
export function groupDigits(count: number): string {
  return Math.round(count).toLocaleString('en-US').replaceAll(',', ' ')
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  const minutes = Math.floor(whole / 60) % 60
  const padded = String(whole % 60).padStart(2, '0')
  return whole < 3600
    ? `${minutes}:${padded}`
    : `${Math.floor(whole / 3600)}:${String(minutes).padStart(2, '0')}:${padded}`
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

export interface Progress {
  /** Shows a line above the changing one. */
  note(line: string): void
  stop(): void
}

const TERMINAL_MS = 200
const PLAIN_MS = 5_000

/** Shows the moment again and again until it is stopped. */
export function showProgress(stream: NodeJS.WriteStream, moment: () => ImportMoment): Progress {
  const { isTTY } = stream
  const erase = () => void (isTTY && stream.write('\r\u001b[K'))
  const show = () => {
    const line = describeMoment(moment())
    stream.write(isTTY ? `\r\u001b[K${line.slice(0, stream.columns - 1)}` : `${line}\n`)
  }
  const timer = setInterval(show, isTTY ? TERMINAL_MS : PLAIN_MS)
  return {
    note(line) {
      erase()
      stream.write(`${line}\n`)
    },
    stop() {
      clearInterval(timer)
      erase()
    },
  }
}
