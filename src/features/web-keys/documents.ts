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

function sealedKey(keyId: string, before: string) {
  return {
    member: memberOf(keyId),
    text: before,
    reseal: (privateKey: string) => ({ type: 'reseal', keyId, before, privateKey }) as const,
  }
}

export const webKeys = kind({
  name: 'web-keys',
  ids: { of: 'instance' },
  waits: false,
  path: { changedBy: 'Only the instance has it.' },
  version: 2,
  events: webKeyEvents,
  decider: webKeysDecider,
  refusals: webKeyRefusals,
  fields: {},
  sealed: ({ keys }) =>
    keys.flatMap(({ keyId, secret }) => (secret === undefined ? [] : [sealedKey(keyId, secret.privateKey)])),
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
