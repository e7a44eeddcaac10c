/** Whose settings are shown, and the way back to those of the instance. */
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTexts } from '../../texts/index.tsx'
import { ConfirmRemove } from '../confirm-remove.tsx'
import { StateBadge } from '../state-badge.tsx'
import { policyTexts } from './texts/index.ts'

interface PolicyOriginProps {
  readonly isInstance: boolean
  readonly isInherited: boolean
}

/** One word beside the title. */
export function PolicyOrigin({ isInstance, isInherited }: PolicyOriginProps) {
  const t = useTexts(policyTexts)
  if (isInstance) return <StateBadge mood="stopped" label={t.instance} />
  return <StateBadge mood={isInherited ? 'stopped' : 'good'} label={isInherited ? t.inherited : t.own} />
}

interface ResetButtonProps {
  /** What is reset, as its heading says it. */
  readonly name: string
  readonly isShown: boolean
  readonly isRunning: boolean
  onReset(): Promise<unknown>
}

/** Removes the settings of the organization, after a question. */
export function ResetButton({ name, isShown, isRunning, onReset }: ResetButtonProps) {
  const t = useTexts(policyTexts)
  const [isOpen, { open, close }] = useDisclosure()
  if (!isShown) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.reset}
      </Button>
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={t.resetConsequence}
        isRunning={isRunning}
        onConfirm={onReset}
      />
    </>
  )
}
