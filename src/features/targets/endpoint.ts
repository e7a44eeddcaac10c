/** Where a target may be. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import { targetRefusals } from './refusals.ts'

/** Throws unless a target may have this address. */
export function checkEndpoint({ config }: App, endpoint: string): void {
  const description = endpointProblem(endpoint, config.allowsPrivateNetwork)
  if (description === undefined) return
  throw refused(targetRefusals, 'target.endpoint_invalid', { violations: [{ field: 'endpoint', description }] })
}
