/** Switches an organization off and on, and removes it. */
import { Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type Organization, OrganizationState } from '../../../../contract/gen/signet/org/v2/org_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { useOrganization } from '../../access/organization.tsx'
import { ActionRow } from '../../parts/action-row.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Section } from '../../parts/section.tsx'
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
  const t = useTexts(organizationTexts)
  return (
    <Section title={t.tabs.danger}>
      <Stack gap="md">
        {mayWrite && <ActivationRow organization={organization} />}
        {mayWrite && mayRemove && <Divider />}
        {mayRemove && <RemoveRow organization={organization} />}
      </Stack>
    </Section>
  )
}

function ActivationRow({ organization: { id, state } }: { readonly organization: Organization }) {
  const { danger } = useTexts(organizationTexts)
  const changes = [listOrganizations]
  const deactivate = useAction(deactivateOrganization, { done: danger.deactivateDone, changes })
  const activate = useAction(activateOrganization, { done: danger.activateDone, changes })
  return state === OrganizationState.INACTIVE ? (
    <ActionRow
      label={danger.activate}
      hint={danger.activateHint}
      isRunning={activate.isRunning}
      onClick={() => activate.run({ organizationId: id })}
    />
  ) : (
    <ActionRow
      label={danger.deactivate}
      hint={danger.deactivateHint}
      isRunning={deactivate.isRunning}
      onClick={() => deactivate.run({ organizationId: id })}
    />
  )
}

function RemoveRow({ organization: { id, name } }: { readonly organization: Organization }) {
  const { danger } = useTexts(organizationTexts)
  const navigate = useNavigate()
  const { organizationId: chosen, choose } = useOrganization()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteOrganization, {
    done: danger.removeDone,
    changes: [listOrganizations],
    onDone: async () => {
      if (chosen === id) choose(undefined)
      await navigate({ to: '/organizations' })
    },
  })
  return (
    <>
      <ActionRow label={danger.remove} hint={danger.removeHint} isDangerous onClick={open} />
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={danger.removeHint}
        mustTypeName
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ organizationId: id })}
      />
    </>
  )
}
