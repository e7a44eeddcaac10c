/** The state of a project and of its parts, with its word and colour. */
import { StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { projectTexts } from './texts/index.ts'

/** Active or deactivated. */
export function ActiveBadge({ isActive }: { readonly isActive: boolean }) {
  const t = useTexts(projectTexts)
  return <StateBadge mood={isActive ? 'good' : 'stopped'} label={t.states[isActive ? 'active' : 'inactive']} />
}
