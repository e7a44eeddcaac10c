/** The public origin: what was set, else localhost on the port that was really opened. */
import type { Config } from './index.ts'

/** Where the world finds this server; `port` is the one it listens on. */
export function externalUrl(config: Pick<Config, 'externalUrl' | 'tlsCertFile'>, port: number): string {
  return config.externalUrl ?? `${config.tlsCertFile === undefined ? 'http' : 'https'}://localhost:${port}`
}
