/** How many processes run, what they log and how they stop. */
import { BadSetting, flag, seconds, setting, wholeNumber } from './setting.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** From the most talkative to silence. */
export type LogLevel = (typeof LEVELS)[number]

function readLevel(text: string | undefined): LogLevel {
  const level = LEVELS.find((known) => known === (text ?? 'info').toLowerCase())
  if (level === undefined) throw new BadSetting(`must be one of ${LEVELS.join(', ')}.`)
  return level
}

const FORMATS = ['auto', 'json', 'text'] as const

/** How the log is written. */
export type LogFormat = (typeof FORMATS)[number]

function readFormat(text: string | undefined): LogFormat {
  const format = FORMATS.find((known) => known === (text ?? 'auto'))
  if (format === undefined) throw new BadSetting(`must be one of ${FORMATS.join(', ')}.`)
  return format
}

export const processSettings = {
  workers: setting({
    name: 'SIGNET_WORKERS',
    defaultText: '`1`',
    meaning: 'Number of processes that share the port.',
    read: wholeNumber(1, 256, 1),
  }),
  supervise: setting({
    name: 'SIGNET_SUPERVISE',
    defaultText: '`true`',
    meaning:
      'Whether a second, small process starts the server again when it dies. `false` where systemd or Kubernetes does it.',
    read: flag(true),
  }),
  logLevel: setting({
    name: 'SIGNET_LOG_LEVEL',
    defaultText: '`info`',
    meaning: `Log level of what is written to standard error: ${LEVELS.map((level) => `\`${level}\``).join(', ')}.`,
    read: readLevel,
  }),
  logFormat: setting({
    name: 'SIGNET_LOG_FORMAT',
    defaultText: '`auto`',
    meaning: '`json`, `text` for people, or `auto`: text on a terminal and JSON otherwise.',
    read: readFormat,
  }),
  shutdownDelayMs: setting({
    name: 'SIGNET_SHUTDOWN_DELAY',
    defaultText: '`0`',
    meaning:
      'Seconds between SIGTERM, when `/readyz` starts to fail, and the moment when new connections are refused. Gives load balancers time to notice.',
    read: seconds(0, 300, 0),
  }),
  shutdownGraceMs: setting({
    name: 'SIGNET_SHUTDOWN_GRACE',
    defaultText: '`9`',
    meaning: 'Seconds that requests in flight have to finish after SIGTERM.',
    read: seconds(0, 300, 9),
  }),
} as const
