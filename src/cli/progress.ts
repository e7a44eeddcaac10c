/** How commands show their progress: one line that changes on a terminal, a line now and then elsewhere. */

/** 1234567 as 1 234 567. */
export function groupDigits(count: number): string {
  return Math.round(count).toLocaleString('en-US').replaceAll(',', ' ')
}

/** 75 as 1:15. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  const minutes = Math.floor(whole / 60) % 60
  const padded = String(whole % 60).padStart(2, '0')
  return whole < 3600
    ? `${minutes}:${padded}`
    : `${Math.floor(whole / 3600)}:${String(minutes).padStart(2, '0')}:${padded}`
}

/** `12 345 of 50 000 events, 5 120/s, 24 %, 0:07 left` */
export function describeProgress(done: number, total: number, noun: string, seconds: number): string {
  const parts = [`${groupDigits(done)} of ${groupDigits(total)} ${noun}`]
  if (seconds > 0) parts.push(`${groupDigits(done / seconds)}/s`)
  if (total > 0) parts.push(`${Math.min(100, Math.floor((done / total) * 100))} %`)
  if (done > 0) parts.push(`${duration((Math.max(0, total - done) / done) * seconds)} left`)
  return parts.join(', ')
}

export interface Progress {
  /** Shows a line above the changing one. */
  note(line: string): void
  stop(): void
}

const TERMINAL_MS = 200
const PLAIN_MS = 5_000

/** Shows the line again and again until it is stopped. */
export function showProgress(stream: NodeJS.WriteStream, describe: () => string): Progress {
  const { isTTY } = stream
  const erase = () => void (isTTY && stream.write('\r\u001b[K'))
  const show = () => {
    const line = describe()
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
