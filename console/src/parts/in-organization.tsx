/** Everything below works in one organization, whichever is chosen in the header; for methods that take it from the call. */
import type { Transport } from '@connectrpc/connect'
import { TransportProvider, useTransport } from '@connectrpc/connect-query'
import { type ReactNode, useMemo } from 'react'
import { ORGANIZATION_HEADER } from '../api/transport.ts'

interface InOrganizationProps {
  /** Undefined: the chosen one. */
  readonly organizationId: string | undefined
  readonly children: ReactNode
}

function transportIn(base: Transport, organizationId: string): Transport {
  return {
    unary(method, signal, timeoutMs, header, input, contextValues) {
      const headers = new Headers(header)
      headers.set(ORGANIZATION_HEADER, organizationId)
      return base.unary(method, signal, timeoutMs, headers, input, contextValues)
    },
    stream: base.stream.bind(base),
  }
}

/** Names the organization in all calls below. */
export function InOrganization({ organizationId, children }: InOrganizationProps) {
  const base = useTransport()
  const transport = useMemo(
    () => (organizationId === undefined ? base : transportIn(base, organizationId)),
    [base, organizationId],
  )
  return <TransportProvider transport={transport}>{children}</TransportProvider>
}
