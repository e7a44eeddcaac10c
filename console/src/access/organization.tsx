/** The organization that the user works in, chosen in the header. Requests name it, and lists show what belongs to it. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef } from 'react'
import { callInOrganization } from '../api/transport.ts'
import type { RootSearch } from '../root-route.ts'
import { useMe } from './me.tsx'

interface OrganizationChoice {
  /** Undefined: all organizations that the user can read. */
  readonly organizationId: string | undefined
  choose(id: string | undefined): void
  /** Whether all organizations can be chosen at once. */
  readonly mayChooseAll: boolean
}

const OrganizationContext = createContext<OrganizationChoice | undefined>(undefined)

/** The choice is in the address. Without one, administrators of the instance see all organizations, others their own. */
export function OrganizationProvider({ children }: { readonly children: ReactNode }) {
  const { organizationId: own, permissions } = useMe()
  const { org } = useSearch({ strict: false }) as RootSearch
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayChooseAll = permissions.can('org.read')
  const organizationId = org ?? (mayChooseAll ? undefined : own)
  // Before anything below asks, so that the first requests of a page name it.
  callInOrganization(organizationId)
  const asked = useRef(organizationId)
  useEffect(() => {
    if (asked.current === organizationId) return
    asked.current = organizationId
    void queries.invalidateQueries()
  }, [organizationId, queries])
  const choose = useCallback(
    (id: string | undefined) => void navigate({ to: '.', search: ((now: object) => ({ ...now, org: id })) as never }),
    [navigate],
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
