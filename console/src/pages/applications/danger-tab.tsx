/** Switches an application off and on, and removes it. */
import { Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type Application, ApplicationState } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ActionRow } from '../../parts/action-row.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { applicationTexts } from './texts/index.ts'

const { getApplication, listApplications, deactivateApplication, reactivateApplication, deleteApplication } =
  ApplicationService.method

interface DangerTabProps {
  readonly application: Application
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function DangerTab({ application, mayWrite, mayRemove }: DangerTabProps) {
  const t = useTexts(applicationTexts)
  return (
    <Section title={t.tabs.danger}>
      <Stack gap="md">
        {mayWrite && <ActivationRow application={application} />}
        {mayWrite && mayRemove && <Divider />}
        {mayRemove && <RemoveRow application={application} />}
      </Stack>
    </Section>
  )
}

function ActivationRow({ application }: { readonly application: Application }) {
  const { danger } = useTexts(applicationTexts)
  const { applicationId, projectId, state } = application
  const changes = [getApplication, listApplications]
  const deactivate = useAction(deactivateApplication, { done: danger.deactivateDone, changes })
  const activate = useAction(reactivateApplication, { done: danger.activateDone, changes })
  return state === ApplicationState.INACTIVE ? (
    <ActionRow
      label={danger.activate}
      hint={danger.activateHint}
      isRunning={activate.isRunning}
      onClick={() => activate.run({ applicationId, projectId })}
    />
  ) : (
    <ActionRow
      label={danger.deactivate}
      hint={danger.deactivateHint}
      isRunning={deactivate.isRunning}
      onClick={() => deactivate.run({ applicationId, projectId })}
    />
  )
}

function RemoveRow({ application }: { readonly application: Application }) {
  const { danger } = useTexts(applicationTexts)
  const navigate = useNavigate()
  const { applicationId, projectId, name } = application
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteApplication, {
    done: danger.removeDone,
    changes: [listApplications],
    onDone: () => navigate({ to: '/projects/$projectId', params: { projectId } }),
  })
  return (
    <>
      <ActionRow label={danger.remove} hint={danger.removeHint} isDangerous onClick={open} />
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={danger.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ applicationId, projectId })}
      />
    </>
  )
}
