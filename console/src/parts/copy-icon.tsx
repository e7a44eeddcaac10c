/** The button that copies a value. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import { partsTexts } from './texts/index.ts'

interface CopyIconProps {
  /** What is copied. */
  readonly label: string
  readonly value: string
  /** It is in the clipboard; browsers can refuse that. */
  onCopy?: (() => void) | undefined
}

/** The button; it shows for a moment that it worked. */
export function CopyIcon({ label, value, onCopy }: CopyIconProps) {
  const t = useTexts(partsTexts)
  const { copied, copy } = useClipboard()
  useEffect(() => {
    if (copied) onCopy?.()
  }, [copied, onCopy])
  return (
    <Tooltip label={copied ? t.copied : t.copy({ label })}>
      <ActionIcon
        variant="subtle"
        color={copied ? 'green' : undefined}
        onClick={() => copy(value)}
        aria-label={t.copy({ label })}
      >
        <Icon name={copied ? 'check' : 'copy'} />
      </ActionIcon>
    </Tooltip>
  )
}
