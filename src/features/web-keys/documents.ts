/**
 * The kind `web-keys`: one document with all keys of the instance, so that one read tells which key signs and which are
 * published. Only this module reads it.
 */
import type { App } from '../../module/app.ts'
import { type Document, kind } from '../../store/index.ts'
import { MOST_KEYS, type WebKeys, webKeysDecider } from './decider.ts'
import { webKeyEvents } from './events.ts'
import { webKeyRefusals } from './refusals.ts'

function memberOf(keyId: string): string {
  return `privateKey ${keyId}`
}

export const webKeys = kind({
  name: 'web-keys',
  version: 1,
  events: webKeyEvents,
  decider: webKeysDecider,
  refusals: webKeyRefusals,
  fields: {},
  sealed: ({ keys }) =>
    keys.map(({ keyId, secret: { privateKey: before } }) => ({
      member: memberOf(keyId),
      text: before,
      reseal: (privateKey: string) => ({ type: 'reseal', keyId, before, privateKey }) as const,
    })),
  limits: [{ things: 'web keys', holder: 'the instance', inside: ({ keys }) => keys.length, number: MOST_KEYS }],
})

/** The place for which a private key is encrypted. */
export function privateKeyPlace({ instanceId }: App, keyId: string) {
  return { kind: webKeys.name, id: instanceId, member: memberOf(keyId) } as const
}

/** The keys of the instance; undefined before its first start is complete. */
export function findWebKeys({ store, instanceId }: App): Promise<Document<WebKeys> | undefined> {
  return store.get(webKeys, instanceId)
}
