/** Where the server itself may connect to. */
import { flag, setting } from './setting.ts'

export const outboundSettings = {
  allowsPrivateNetwork: setting({
    name: 'SIGNET_ALLOW_PRIVATE_NETWORK',
    defaultText: '`false`',
    meaning:
      'Whether addresses that callers of the API name (identity providers, SMS webhooks, domains to be proven) may be on this machine or in its own network; providers and webhooks may there speak `http`. Link-local addresses and the metadata services of clouds are never called. Mail servers may always be there.',
    read: flag(false),
  }),
} as const
