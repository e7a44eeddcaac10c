/**
 * The identifiers that tokens name their parties by: the client IDs of applications, the URIs of resources, the IDs of
 * projects, and the IDs and names of machine users. None of the others may be equal to the client ID of an application or
 * the URI of a resource. The rule is here, because modules that applications are built on keep it, too.
 */
import { resourceKey } from '../kernel/resource-key.ts'
import type { App } from './app.ts'

/** The claim on the client ID of an application. */
export const CLIENT_ID_CLAIM = 'application-client-id'
/** The claim that makes the URI of a resource unique in the instance; the value is its `resourceKey`. */
export const RESOURCE_CLAIM = 'resource-uri'

/** Whether one of these texts is the client ID of an application or the URI of a resource. */
export async function isTokenParty({ store }: Pick<App, 'store'>, ...texts: readonly string[]): Promise<boolean> {
  const holders = [...new Set(texts)].flatMap((text) => [
    store.findClaimHolder(CLIENT_ID_CLAIM, text),
    ...(isUrl(text) ? [store.findClaimHolder(RESOURCE_CLAIM, resourceKey(text))] : []),
  ])
  return (await Promise.all(holders)).some((holder) => holder !== undefined)
}

/** Whether a text is the URI of a resource. */
export async function isResourceUri({ store }: Pick<App, 'store'>, text: string): Promise<boolean> {
  return isUrl(text) && (await store.findClaimHolder(RESOURCE_CLAIM, resourceKey(text))) !== undefined
}

/** Resources are identified by nothing else; hardly any name or ID looks like one. */
function isUrl(text: string): boolean {
  return /^https?:/i.test(text)
}
