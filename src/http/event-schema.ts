/** The JSON Schema of the events that webhooks and streams send. */
import { EVENT_SCHEMA_PATH, eventSchema } from '../features/webhooks/index.ts'
import type { App } from '../module/app.ts'
import { documentPage, type Pages } from './page.ts'

/** It is built at the first request. */
export function eventSchemaPages(app: App): Pages {
  let text: string | undefined
  const page = documentPage(() => {
    text ??= JSON.stringify(eventSchema(app))
    return { status: 200, contentType: 'application/schema+json', body: text }
  })
  return new Map([[EVENT_SCHEMA_PATH, page]])
}
