/** Switches a project off and on, and removes it. */
import { useNavigate } from '@tanstack/react-router'
import { type Project, ProjectState } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ActivationRow, DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { projectTexts } from './texts/index.ts'

const { getProject, listProjects, activateProject, deactivateProject, deleteProject } = ProjectService.method

interface DangerTabProps {
  readonly project: Project
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function DangerTab({ project: { projectId, name, state }, mayWrite, mayRemove }: DangerTabProps) {
  const { tabs, danger } = useTexts(projectTexts)
  const navigate = useNavigate()
  const changes = [getProject, listProjects]
  const deactivate = useAction(deactivateProject, { done: danger.deactivateDone, changes })
  const activate = useAction(activateProject, { done: danger.activateDone, changes })
  const remove = useAction(deleteProject, {
    done: danger.removeDone,
    changes: [listProjects],
    onDone: () => navigate({ to: '/projects' }),
  })
  return (
    <DangerSection title={tabs.danger}>
      {mayWrite && (
        <ActivationRow
          texts={danger}
          isActive={state !== ProjectState.INACTIVE}
          isRunning={activate.isRunning || deactivate.isRunning}
          onActivate={() => activate.run({ projectId })}
          onDeactivate={() => deactivate.run({ projectId })}
        />
      )}
      {mayRemove && (
        <RemoveRow texts={danger} name={name} isRunning={remove.isRunning} onRemove={() => remove.run({ projectId })} />
      )}
    </DangerSection>
  )
}
