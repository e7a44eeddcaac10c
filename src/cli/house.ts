/** What the commands need of the house; `main` builds it, so that no command knows a room. */
import type { Config } from '../config/index.ts'
import type { FinishedRequest } from '../http/exchange.ts'
import type { Registry } from '../http/monitoring/metrics.ts'
import type { Pages } from '../http/page.ts'
import type { Router } from '../http/router.ts'
import type { Log } from './log.ts'

/** Why the house does not open, in a sentence for the operator. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
}

/** What the first start leaves for the newcomer. */
export interface FirstStart {
  /** One-time link of the human administrator: a secret, for the terminal only. */
  readonly setupUrl: string
  /** File with the token of the machine administrator. */
  readonly tokenFile: string
}

export interface Rotated {
  readonly resealed: number
  readonly removedKeys: number
}

export interface OpenRouterOptions {
  /** Probes and metrics, which the process itself answers. */
  readonly pages: Pages
  /** Learns how each request ended. */
  onFinish(finished: FinishedRequest): void
  /** Whether the process is about to stop. */
  isDraining(): boolean
}

export interface OpenHouse {
  /** Throws when the store cannot be reached. */
  ping(): Promise<void>
  /** Adds what the house counts. */
  addMetrics(registry: Registry): void
  /** Makes what the first start makes; undefined when it was made before. */
  bootstrap(): Promise<FirstStart | undefined>
  /** Opens the router with everything that is served. */
  openRouter(options: OpenRouterOptions): Promise<Router>
  /** The OpenAPI document, JSON. */
  openApi(): string
  /** Starts the work that follows commits. */
  startJobs(): void
  rotateKey(): Promise<Rotated>
  /** A new one-time link for the first administrator. */
  renewSetupLink(): Promise<string>
  /** Folds all documents again from the log. */
  rebuild(): Promise<void>
  /** Stops jobs and closes the store; what is being written is finished. */
  close(): Promise<void>
}

export interface HouseOptions {
  readonly config: Config
  /** Where the world finds the server. */
  readonly externalUrl: string
  readonly log: Log
}

export type OpenTheHouse = (options: HouseOptions) => Promise<OpenHouse>
