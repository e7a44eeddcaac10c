/** What watchers of the server ask for: is it up, is it ready, how is it doing, what does it offer. */

import { type Page, type PageAnswer, textPage } from '../page.ts'
import { METRICS_TYPE } from './metrics.ts'
import { type Readiness, type ReadinessNeeds, readReadiness } from './readiness.ts'

export interface ProbesNeeds extends ReadinessNeeds {
  /** The metrics as text. */
  metrics(): Promise<string>
  /** The OpenAPI document as JSON text; made when it is first asked for. */
  openApi(): Promise<string> | string
}

const READY: Readonly<Record<Readiness, PageAnswer>> = {
  ready: textPage(200, 'ready'),
  stopping: textPage(503, 'stopping'),
  unreachable: textPage(503, 'the store is not reachable'),
}

const health: Page = () => textPage(200, 'ok')

/** The pages of all probes, by path; existing monitors find theirs under `/debug`. */
export function probePages({ ping, isDraining, metrics, openApi }: ProbesNeeds): ReadonlyMap<string, Page> {
  const ready: Page = async () => READY[await readReadiness({ ping, isDraining })]
  return new Map<string, Page>([
    ['/healthz', health],
    ['/debug/healthz', health],
    ['/readyz', ready],
    ['/debug/ready', ready],
    ['/metrics', async () => ({ status: 200, contentType: METRICS_TYPE, body: await metrics() })],
    ['/openapi.json', async () => ({ status: 200, contentType: 'application/json', body: await openApi() })],
  ])
}
