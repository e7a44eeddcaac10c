/** Where the server itself may connect to. */
import { flag, setting } from './setting.ts'

export const outboundSettings = {
  allowsPrivateNetwork: setting({
    name: 'SIGNET_ALLOW_PRIVATE_NETWORK',
    defaultText: '`false`',
    meaning:
      'Whether URLs and domains set through the API (identity providers, SMS webhooks, domains to verify) may point to this machine or its private network. Providers and webhooks may use `http` there. Link-local addresses and cloud metadata services are never called. Mail servers may always be on the private network, metadata documents and keys of clients that nobody prepared never.',
    read: flag(false),
  }),
} as const
