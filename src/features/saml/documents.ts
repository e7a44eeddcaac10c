/** The kind `saml-keys`: one document with all keys of the instance that sign SAML messages. Only this module reads it. */
import type { App } from '../../module/app.ts'
import { kind } from '../../store/index.ts'
import { samlKeysDecider } from './decider.ts'
import { samlKeyEvents } from './events.ts'
import { samlRefusals } from './refusals.ts'

function memberOf(keyId: string): string {
  return `privateKey ${keyId}`
}

export const samlKeys = kind({
  name: 'saml-keys',
  ids: { of: 'instance' },
  waits: false,
  path: false,
  version: 1,
  events: samlKeyEvents,
  decider: samlKeysDecider,
  refusals: samlRefusals,
  fields: {},
  sealed: ({ keys }) =>
    keys.map(({ keyId, secret: { privateKey: before } }) => ({
      member: memberOf(keyId),
      text: before,
      reseal: (privateKey: string) => ({ type: 'reseal', keyId, before, privateKey }) as const,
    })),
})

/** The place for which a private key is encrypted. */
export function samlKeyPlace({ instanceId }: App, keyId: string) {
  return { kind: samlKeys.name, id: instanceId, member: memberOf(keyId) } as const
}
