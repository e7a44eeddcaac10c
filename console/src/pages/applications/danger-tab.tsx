/** Switches an application off and on, and removes it. */
import { useNavigate } from '@tanstack/react-router'
import { type Application, ApplicationState } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ActivationRow, DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
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
  const { tabs, danger } = useTexts(applicationTexts)
  const navigate = useNavigate()
  const { applicationId, projectId, name, state } = application
  const changes = [getApplication, listApplications]
  const deactivate = useAction(deactivateApplication, { done: danger.deactivateDone, changes })
  const activate = useAction(reactivateApplication, { done: danger.activateDone, changes })
  const remove = useAction(deleteApplication, {
    done: danger.removeDone,
    changes: [listApplications],
    onDone: () => navigate({ to: '/projects/$projectId', params: { projectId } }),
  })
  const request = { applicationId, projectId }
  return (
    <DangerSection title={tabs.danger}>
      {mayWrite && (
        <ActivationRow
          texts={danger}
          isActive={state !== ApplicationState.INACTIVE}
          isRunning={activate.isRunning || deactivate.isRunning}
          onActivate={() => activate.run(request)}
          onDeactivate={() => deactivate.run(request)}
        />
      )}
      {mayRemove && (
        <RemoveRow texts={danger} name={name} isRunning={remove.isRunning} onRemove={() => remove.run(request)} />
      )}
    </DangerSection>
  )
}
