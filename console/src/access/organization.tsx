/** The organization that the user works in, chosen in the header. Requests name it, and lists show what belongs to it. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { callInOrganization } from '../api/transport.ts'
import { useMe } from './me.tsx'

const KEY = 'signet.organization'

interface OrganizationChoice {
  /** Undefined: all organizations that the user can read. */
  readonly organizationId: string | undefined
  choose(id: string | undefined): void
  /** Whether all organizations can be chosen at once. */
  readonly mayChooseAll: boolean
}

const OrganizationContext = createContext<OrganizationChoice | undefined>(undefined)

/** Remembers the choice. Administrators of the instance start with all organizations, others with their own. */
export function OrganizationProvider({ children }: { readonly children: ReactNode }) {
  const { organizationId: own, permissions } = useMe()
  const queries = useQueryClient()
  const mayChooseAll = permissions.can('org.read')
  const [organizationId, setOrganizationId] = useState(() => {
    const first = localStorage.getItem(KEY) ?? (mayChooseAll ? undefined : own)
    callInOrganization(first)
    return first
  })
  const choose = useCallback(
    (id: string | undefined) => {
      if (id === undefined) localStorage.removeItem(KEY)
      else localStorage.setItem(KEY, id)
      callInOrganization(id)
      setOrganizationId(id)
      void queries.invalidateQueries()
    },
    [queries],
  )
  const choice = useMemo(() => ({ organizationId, choose, mayChooseAll }), [organizationId, choose, mayChooseAll])
  return <OrganizationContext value={choice}>{children}</OrganizationContext>
}

/** The chosen organization. */
export function useOrganization(): OrganizationChoice {
  const choice = use(OrganizationContext)
  if (choice === undefined) throw new Error('useOrganization needs an OrganizationProvider above it.')
  return choice
}

/** The chosen organization, or the user's own when all are chosen: where new objects are created. */
export function useTargetOrganization(): string {
  const { organizationId } = useOrganization()
  const me = useMe()
  return organizationId ?? me.organizationId
}
