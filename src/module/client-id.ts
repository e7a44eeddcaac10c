/**
 * The identifiers of clients. Tokens name their parties by the client IDs of applications, the IDs of projects, and the
 * IDs and names of machine users, so none of the others may be equal to the client ID of an application. The rule is here,
 * because modules that applications are built on keep it, too.
 */
import type { App } from './app.ts'

/** The claim on the client ID of an application. */
export const CLIENT_ID_CLAIM = 'application-client-id'

/** Whether one of these texts is the client ID of an application. */
export async function isClientId({ store }: Pick<App, 'store'>, ...texts: readonly string[]): Promise<boolean> {
  const holders = await Promise.all([...new Set(texts)].map((text) => store.findClaimHolder(CLIENT_ID_CLAIM, text)))
  return holders.some((holder) => holder !== undefined)
}
