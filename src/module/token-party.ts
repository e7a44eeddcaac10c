/**
 * The texts that tokens name their parties by. Client IDs of applications and URIs of resources are claims, so each names one
 * party. IDs of projects and machine users, and names of machine users, can be equal to one of these, or to each other: whoever
 * writes one into a token asks first which party it names.
 */
import { resourceKey } from '../kernel/resource-key.ts'
import type { App } from './app.ts'

/** The claim on the client ID of an application. */
export const CLIENT_ID_CLAIM = 'application-client-id'
/** The claim that makes the URI of a resource unique in the instance; the value is its `resourceKey`. */
export const RESOURCE_CLAIM = 'resource-uri'

/** The application or resource that a text names in tokens; undefined: none. */
export async function partyNamed(
  app: Pick<App, 'store'>,
  text: string,
): Promise<'application' | 'resource' | undefined> {
  const [holder, isResource] = await Promise.all([
    app.store.findClaimHolder(CLIENT_ID_CLAIM, text),
    isResourceUri(app, text),
  ])
  if (holder !== undefined) return 'application'
  return isResource ? 'resource' : undefined
}

/** Whether a text is the URI of a resource. */
export async function isResourceUri({ store }: Pick<App, 'store'>, text: string): Promise<boolean> {
  return isUrl(text) && (await store.findClaimHolder(RESOURCE_CLAIM, resourceKey(text))) !== undefined
}

/** Resources are identified by nothing else; hardly any name or ID looks like one. */
function isUrl(text: string): boolean {
  return /^https?:/i.test(text)
}
