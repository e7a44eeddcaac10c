/** Log lines for people at a terminal: time, level, message, members; an error with its stack below. */
import { styleText } from 'node:util'

const COLORS: Readonly<Record<string, 'gray' | 'cyan' | 'yellow' | 'red'>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
}

/** Control characters could move the cursor or change the terminal. */
function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return harmless(text ?? 'undefined')
}

interface LoggedError {
  readonly type?: string
  readonly code?: string
  readonly message?: string
  readonly stack?: string
  readonly cause?: LoggedError
}

function errorLines({ type = 'Error', message = '', stack, cause }: LoggedError): readonly string[] {
  const lines = (stack ?? `${type}: ${message}`).split('\n').map((line) => `    ${harmless(line)}`)
  return cause === undefined ? lines : [...lines, '  caused by', ...errorLines(cause)]
}

/** The local time of a line, with milliseconds. */
function timeText(time: unknown): string {
  const date = new Date(String(time))
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  return `${day}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** A JSON line of the log as text; a line that is no JSON stays as it is. */
export function formatLogLine(line: string, isColored: boolean): string {
  let members: Readonly<Record<string, unknown>>
  try {
    members = JSON.parse(line) as Readonly<Record<string, unknown>>
  } catch {
    return line
  }
  const { level, time, pid: _, msg, error, err, ...others } = members
  const name = String(level)
  const label = name.toUpperCase().padEnd(5)
  const color = COLORS[name]
  const shown = isColored && color !== undefined ? styleText(color, label, { validateStream: false }) : label
  const pairs = Object.entries(others).map(([key, value]) => `${key}=${valueText(value)}`)
  const first = [timeText(time), shown, harmless(String(msg ?? '')), ...pairs].join(' ')
  const failure = (error ?? err) as LoggedError | undefined
  return `${[first, ...(failure === undefined || failure === null ? [] : errorLines(failure))].join('\n')}\n`
}
