/** The state of an organization, with its word and colour. */
import { OrganizationState } from '../../../../contract/gen/signet/org/v2/org_pb.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { organizationTexts } from './texts/index.ts'

/** The states by their name in the address. */
export const STATES = { active: OrganizationState.ACTIVE, inactive: OrganizationState.INACTIVE } as const

/** The state of an organization. */
export function OrganizationStateBadge({ state }: { readonly state: OrganizationState }) {
  const t = useTexts(organizationTexts)
  const isActive = state === OrganizationState.ACTIVE
  return <StateBadge mood={isActive ? 'good' : 'stopped'} label={t.states[isActive ? 'active' : 'inactive']} />
}
