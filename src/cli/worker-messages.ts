/** What the primary and its workers say to each other. */
import type { Family } from '../http/monitoring/metrics.ts'

export type ToWorker =
  | { readonly type: 'stop' }
  | { readonly type: 'renew_tls' }
  /** "Tell me your metrics", and the answer to "tell me everybody's". */
  | { readonly type: 'tell_metrics'; readonly id: number }
  | { readonly type: 'all_metrics'; readonly id: number; readonly snapshots: readonly (readonly Family[])[] }

export type ToPrimary =
  | { readonly type: 'ready' }
  | { readonly type: 'ask_metrics'; readonly id: number }
  | { readonly type: 'own_metrics'; readonly id: number; readonly snapshot: readonly Family[] }
