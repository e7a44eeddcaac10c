/**
 * The log on standard error: JSON lines, or text on a terminal. Errors are logged by name, message and stack, never with
 * their other members.
 */
import { destination, type Logger, pino } from 'pino'
import type { LogFormat, LogLevel } from '../config/index.ts'
import { formatLogLine } from './log-text.ts'

export type Log = Logger

export interface OpenLog {
  readonly log: Log
  /** Writes what is still in memory, before the process ends. */
  flush(): void
}

/** Drivers hang connections, and with them passwords, on their errors; only these members are safe. */
function showError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as NodeJS.ErrnoException).code
  const cause = error.cause === undefined ? {} : { cause: showError(error.cause) }
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: error.message,
    stack: error.stack,
    ...cause,
  }
}

/** Opens the log; `auto` writes text on a terminal and JSON otherwise. */
export function openLog(
  level: LogLevel,
  members: Readonly<Record<string, unknown>> = {},
  format: LogFormat = 'auto',
): OpenLog {
  // Lines are handed over at once but without waiting, so that a slow reader of the log slows no request.
  const stderr = destination({ dest: 2, sync: false, minLength: 0 })
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY === true)
  const isColored = process.stderr.isTTY === true && process.stderr.hasColors()
  const asText = { write: (line: string) => void stderr.write(formatLogLine(line, isColored)) }
  const log = pino(
    {
      level,
      base: { pid: process.pid, ...members },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: showError, err: showError },
    },
    isText ? asText : stderr,
  )
  return {
    log,
    flush() {
      try {
        stderr.flushSync()
      } catch {
        // The reader of the log is gone; there is nowhere to report it.
      }
    },
  }
}
