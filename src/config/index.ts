/** All settings, read once from the environment and frozen. No other code reads `process.env`. */
import { addressSettings } from './address.ts'
import { clientSettings } from './client.ts'
import { limitSettings } from './limits.ts'
import { monitoringSettings } from './monitoring.ts'
import { outboundSettings } from './outbound.ts'
import { processSettings } from './process.ts'
import { BadSetting, type Setting } from './setting.ts'
import { storageSettings } from './storage.ts'
import { telemetrySettings } from './telemetry.ts'
import { webauthnSettings } from './webauthn.ts'

export { type Listen, listenText } from './address.ts'
export type { LogFormat, LogLevel } from './process.ts'
export { Secret } from './setting.ts'
export { databaseFile } from './storage.ts'
export { allowedOrigins } from './webauthn.ts'

/** Every setting there is, by the area it belongs to. */
export const settings = {
  address: addressSettings,
  storage: storageSettings,
  process: processSettings,
  limits: limitSettings,
  monitoring: monitoringSettings,
  telemetry: telemetrySettings,
  outbound: outboundSettings,
  webauthn: webauthnSettings,
  client: clientSettings,
} as const

type Values<Area> = { readonly [Key in keyof Area]: Area[Key] extends Setting<infer Value> ? Value : never }

/** The settings of OpenTelemetry; without an endpoint it is off. */
export type Telemetry = Values<typeof telemetrySettings>

/** The settings as the server uses them. */
export interface Config
  extends Values<typeof addressSettings>,
    Omit<Values<typeof storageSettings>, 'databaseUrlFile'>,
    Values<typeof processSettings>,
    Values<typeof monitoringSettings>,
    Values<typeof outboundSettings>,
    Values<typeof webauthnSettings>,
    Values<typeof clientSettings> {
  readonly limits: Values<typeof limitSettings>
  readonly telemetry: Telemetry
}

/** What was read, or everything that is wrong; warnings come with both. */
export interface ReadConfig {
  readonly config: Config | undefined
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Reads all settings; problems name every wrong variable at once and never show a secret. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ReadConfig {
  const problems: string[] = []
  const readArea = <Area extends Readonly<Record<string, Setting<unknown>>>>(area: Area): Values<Area> => {
    const values: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(area)) {
      try {
        values[key] = one.read(environment[one.name]?.trim() || undefined)
      } catch (error) {
        if (!(error instanceof BadSetting)) throw error
        // Variables for other programs of the same environment must not stop a server that does not use them.
        const isUnused = one.name.startsWith('OTEL_') && !environment[settings.telemetry.endpoint.name]?.trim()
        if (isUnused) continue
        problems.push(`${one.name} ${error.message}`)
      }
    }
    return Object.freeze(values) as Values<Area>
  }
  const { databaseUrlFile, ...storage } = readArea(settings.storage)
  const config = Object.freeze({
    ...readArea(settings.address),
    ...storage,
    databaseUrl: storage.databaseUrl ?? databaseUrlFile,
    ...readArea(settings.process),
    ...readArea(settings.monitoring),
    ...readArea(settings.outbound),
    ...readArea(settings.webauthn),
    ...readArea(settings.client),
    limits: readArea(settings.limits),
    telemetry: readArea(settings.telemetry),
  })
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    problems.push('SIGNET_TLS_CERT_FILE and SIGNET_TLS_KEY_FILE must be set together.')
  }
  if (config.masterKey !== undefined && config.masterKeyFile !== undefined) {
    problems.push('SIGNET_MASTER_KEY and SIGNET_MASTER_KEY_FILE cannot be combined. Set only one of them.')
  }
  if ((config.metricsAccess === 'token') !== (config.metricsToken !== undefined)) {
    problems.push('SIGNET_METRICS=token and SIGNET_METRICS_TOKEN must be set together.')
  }
  if (config.metricsAccess === 'token' && config.metricsListen !== undefined) {
    problems.push('SIGNET_METRICS=token and SIGNET_METRICS_LISTEN cannot be combined: that port asks for no token.')
  }
  const { databaseUrl, databaseUrlFile: urlFile } = settings.storage
  const [url, file] = [databaseUrl, urlFile].map(({ name }) => environment[name]?.trim())
  if (url && file)
    problems.push('SIGNET_DATABASE_URL and SIGNET_DATABASE_URL_FILE cannot be combined. Set only one of them.')
  const hasDatabase = Boolean(url || file)
  if (hasDatabase && config.masterKey === undefined && config.masterKeyFile === undefined) {
    problems.push('SIGNET_MASTER_KEY_FILE (or SIGNET_MASTER_KEY) is required with PostgreSQL.')
  }
  const warnings = warnAboutUnknown(Object.keys(environment))
  return { config: problems.length === 0 ? config : undefined, problems, warnings }
}

/** The environment for another process of this program, with some settings of its own. */
export function environmentWith(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes }
}

/** Names of all settings, in the order of the reference. */
const settingNames: readonly string[] = Object.values(settings).flatMap((area) =>
  Object.values(area).map((one) => one.name),
)

function warnAboutUnknown(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => name.startsWith('SIGNET_') && !settingNames.includes(name))
    .map((name) => {
      const similar = nearest(name)
      return `${name} is not a setting${similar === undefined ? '' : `; did you mean ${similar}?`}`
    })
}

/** The setting that was probably meant: more than a few other letters are another word. */
function nearest(name: string): string | undefined {
  const best = settingNames.reduce((one, other) => (distance(name, other) < distance(name, one) ? other : one))
  const letters = name.length - 'SIGNET_'.length
  return distance(name, best) <= Math.max(2, letters / 3) ? best : undefined
}

/** Levenshtein: how many letters must change to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Settings with another database: a URL of PostgreSQL, or a folder for SQLite. */
export function readConfigWith(database: string, environment: NodeJS.ProcessEnv = process.env): ReadConfig {
  const { SIGNET_DATABASE_URL: _, ...others } = environment
  const isUrl = /^postgres(ql)?:/.test(database)
  return readConfig({ ...others, ...(isUrl ? { SIGNET_DATABASE_URL: database } : { SIGNET_DATA_DIR: database }) })
}
