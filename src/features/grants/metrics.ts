/** Metrics of tokens. */
import type { EventCounter } from '../../module/module.ts'

/** Everything else is `other`, so that a new name does not go unnoticed nor make a new series for each value. */
const GRANT_TYPES: ReadonlySet<string> = new Set([
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'ciba',
])

/** The engine writes down the whole way to a token; the last step is the grant type of the request. */
function grantTypeOf(grantType: unknown): string {
  const last = String(grantType).split(' ').at(-1) ?? ''
  return GRANT_TYPES.has(last) ? last : 'other'
}

export const grantCounters: readonly EventCounter[] = [
  {
    name: 'signet_tokens_total',
    help: 'Access and refresh tokens issued, by grant type.',
    labels: ['type', 'grant_type'],
    events: {
      'grant.access_token_issued.v1': ({ grantType }) => ['access_token', grantTypeOf(grantType)],
      'grant.refresh_token_issued.v1': ({ grantType }) => ['refresh_token', grantTypeOf(grantType)],
    },
  },
]
