/** What watchers of the server ask for: is it up, is it ready, how is it doing, what does it offer. */
import { METRICS_TYPE } from './metrics.ts'
import { type Page, textPage } from './pages.ts'

export interface ProbesNeeds {
  /** Throws when the store cannot be reached or is not migrated. */
  ping(): Promise<void>
  /** Whether the server is about to stop. */
  isDraining(): boolean
  /** The metrics as text. */
  metrics(): Promise<string>
  /** The OpenAPI document as JSON text; made when it is first asked for. */
  openApi(): Promise<string> | string
}

/** How long the store may take to answer before the server counts as not ready. */
const PING_MS = 2_000

const health: Page = () => textPage(200, 'ok')

/** The pages of all probes, by path; existing monitors find theirs under `/debug`. */
export const probePages = ({ ping, isDraining, metrics, openApi }: ProbesNeeds): ReadonlyMap<string, Page> => {
  const ready: Page = async () => {
    if (isDraining()) return textPage(503, 'stopping')
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('late')), PING_MS)
    try {
      await Promise.race([ping(), late])
      return textPage(200, 'ready')
    } catch {
      return textPage(503, 'the store is not reachable')
    } finally {
      clearTimeout(timer)
    }
  }
  return new Map<string, Page>([
    ['/healthz', health],
    ['/debug/healthz', health],
    ['/readyz', ready],
    ['/debug/ready', ready],
    ['/metrics', async () => ({ status: 200, contentType: METRICS_TYPE, body: await metrics() })],
    ['/openapi.json', async () => ({ status: 200, contentType: 'application/json', body: await openApi() })],
  ])
}
