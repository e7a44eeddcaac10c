/** Switches an organization off and on, and removes it. */
import { useNavigate } from '@tanstack/react-router'
import { type Organization, OrganizationState } from '../../../../contract/gen/signet/org/v2/org_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { useOrganization } from '../../access/organization.tsx'
import { ActivationRow, DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { organizationTexts } from './texts/index.ts'

const { listOrganizations, activateOrganization, deactivateOrganization, deleteOrganization } =
  OrganizationService.method

interface DangerTabProps {
  readonly organization: Organization
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function DangerTab({ organization, mayWrite, mayRemove }: DangerTabProps) {
  const { tabs, danger } = useTexts(organizationTexts)
  const navigate = useNavigate()
  const { organizationId: chosen, choose } = useOrganization()
  const { id: organizationId, name, state } = organization
  const changes = [listOrganizations]
  const deactivate = useAction(deactivateOrganization, { done: danger.deactivateDone, changes })
  const activate = useAction(activateOrganization, { done: danger.activateDone, changes })
  const remove = useAction(deleteOrganization, {
    done: danger.removeDone,
    changes,
    onDone: async () => {
      if (chosen === organizationId) choose(undefined)
      await navigate({ to: '/organizations' })
    },
  })
  return (
    <DangerSection title={tabs.danger}>
      {mayWrite && (
        <ActivationRow
          texts={danger}
          isActive={state !== OrganizationState.INACTIVE}
          isRunning={activate.isRunning || deactivate.isRunning}
          onActivate={() => activate.run({ organizationId })}
          onDeactivate={() => deactivate.run({ organizationId })}
        />
      )}
      {mayRemove && (
        <RemoveRow
          texts={danger}
          name={name}
          mustTypeName
          isRunning={remove.isRunning}
          onRemove={() => remove.run({ organizationId })}
        />
      )}
    </DangerSection>
  )
}
