/** The pages for monitoring and client generators: health, readiness, metrics and the OpenAPI document. */

import { documentPage, type PageAnswer, type Pages, textAnswer } from '../page.ts'
import { METRICS_TYPE } from './metrics.ts'
import type { Readiness } from './readiness.ts'

export interface ProbeOptions {
  /** Whether this process accepts calls. */
  readiness(): Promise<Readiness>
  /** Returns the metrics as text. Nobody is refused because of overload: it must not work for each who asks. */
  metrics(): Promise<string>
  /** Returns the OpenAPI document as JSON text, which is built at the first request. */
  /** The document of all services, or of one; undefined: there is no such service. */
  openApi(service?: string): Promise<string | undefined>
  openApiServices(): Promise<string>
}

const READY: Readonly<Record<Readiness, PageAnswer>> = {
  ready: textAnswer(200, 'ready'),
  stopping: textAnswer(503, 'stopping'),
  unreachable: textAnswer(503, 'the store is not reachable'),
}

const json = (body: string): PageAnswer => ({ status: 200, contentType: 'application/json', body })

const health = documentPage(() => textAnswer(200, 'ok'))

/** The pages of all probes by path. Paths under `/debug` are for existing monitoring. */
export function probePages({ readiness, metrics, openApi, openApiServices }: ProbeOptions): Pages {
  const ready = documentPage(async () => READY[await readiness()])
  return new Map([
    ['/healthz', health],
    ['/debug/healthz', health],
    ['/readyz', ready],
    ['/debug/ready', ready],
    ['/metrics', documentPage(async () => ({ status: 200, contentType: METRICS_TYPE, body: await metrics() }))],
    [
      '/openapi.json',
      {
        verbs: ['GET', 'HEAD'],
        async answer({ query }) {
          const body = await openApi(query.get('service') ?? undefined)
          return body === undefined ? textAnswer(404, 'no such service') : json(body)
        },
      },
    ],
    ['/openapi/services.json', documentPage(async () => json(await openApiServices()))],
  ])
}
