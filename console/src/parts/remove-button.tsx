/** A small button in a row that removes the object of the row, after a confirmation that names it. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTexts } from '../texts/index.tsx'
import { ConfirmRemove } from './confirm-remove.tsx'
import { Icon } from './icons.tsx'
import { partsTexts } from './texts/index.ts'

interface RemoveButtonProps {
  /** The name of the object as the user knows it. */
  readonly name: string
  readonly consequence?: string
  readonly isRunning?: boolean
  onConfirm(): Promise<unknown>
}

/** The button and its dialog. */
export function RemoveButton({ name, consequence, isRunning = false, onConfirm }: RemoveButtonProps) {
  const t = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const label = `${t.remove.button}: ${name}`
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon variant="subtle" color="red" onClick={open} aria-label={label}>
          <Icon name="remove" />
        </ActionIcon>
      </Tooltip>
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        isRunning={isRunning}
        onConfirm={onConfirm}
        {...(consequence !== undefined && { consequence })}
      />
    </>
  )
}
