/** Removes the clients of a project that registered themselves, all at once. */
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ConfirmEnd } from '../../parts/confirm-end.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { projectTexts } from './texts/index.ts'

const { deleteRegisteredClients, listApplications } = ApplicationService.method

/** The button, and the question before it. */
export function RemoveRegistered({ projectId }: { readonly projectId: string }) {
  const { registered: t } = useTexts(projectTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteRegisteredClients, { done: t.removeDone, changes: [listApplications] })
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.remove}
      </Button>
      <ConfirmEnd
        title={t.removeTitle}
        text={t.removeText}
        button={t.removeButton}
        isOpen={isOpen}
        isRunning={remove.isRunning}
        onClose={close}
        onConfirm={() => remove.run({ projectId })}
      />
    </>
  )
}
