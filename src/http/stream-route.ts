/** A path whose request and reply are streams, beside the methods of the contract, which take and give one message. */
import type { Exchange } from './exchange.ts'

export interface StreamRoute {
  /** Asked with POST only. */
  readonly path: string
  /** Serves one exchange from beginning to end; never rejects. */
  serve(exchange: Exchange): Promise<void>
}
