/** Switches a project off and on, and removes it. */
import { Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type Project, ProjectState } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ActionRow } from '../../parts/action-row.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Section } from '../../parts/section.tsx'
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
export function DangerTab({ project, mayWrite, mayRemove }: DangerTabProps) {
  const t = useTexts(projectTexts)
  return (
    <Section title={t.tabs.danger}>
      <Stack gap="md">
        {mayWrite && <ActivationRow project={project} />}
        {mayWrite && mayRemove && <Divider />}
        {mayRemove && <RemoveRow project={project} />}
      </Stack>
    </Section>
  )
}

function ActivationRow({ project: { projectId, state } }: { readonly project: Project }) {
  const { danger } = useTexts(projectTexts)
  const changes = [getProject, listProjects]
  const deactivate = useAction(deactivateProject, { done: danger.deactivateDone, changes })
  const activate = useAction(activateProject, { done: danger.activateDone, changes })
  return state === ProjectState.INACTIVE ? (
    <ActionRow
      label={danger.activate}
      hint={danger.activateHint}
      isRunning={activate.isRunning}
      onClick={() => activate.run({ projectId })}
    />
  ) : (
    <ActionRow
      label={danger.deactivate}
      hint={danger.deactivateHint}
      isRunning={deactivate.isRunning}
      onClick={() => deactivate.run({ projectId })}
    />
  )
}

function RemoveRow({ project: { projectId, name } }: { readonly project: Project }) {
  const { danger } = useTexts(projectTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteProject, {
    done: danger.removeDone,
    changes: [listProjects],
    onDone: () => navigate({ to: '/projects' }),
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
        onConfirm={() => remove.run({ projectId })}
      />
    </>
  )
}
