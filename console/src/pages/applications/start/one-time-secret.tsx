/** A secret that is shown once: brought into view, and asked about before the page is left without it. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CopyField } from '../../../parts/copy-field.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useTexts } from '../../../texts/index.tsx'
import { startTexts } from './texts/index.ts'

interface OneTimeSecretProps {
  readonly label: string
  readonly value: string
  /** Whether it was copied, here or with the settings it is part of. */
  readonly isKept: boolean
  onKept(): void
}

/** The field, with the focus in it. */
export function OneTimeSecret({ label, value, isKept, onKept }: OneTimeSecretProps) {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // What was sent may have been far down the page.
    part.current?.scrollIntoView({ block: 'center' })
    part.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={part}>
      <CopyField label={label} value={value} isSecret onCopy={onKept} />
      <AskBeforeLeaving isNeeded={!isKept} />
    </div>
  )
}

function AskBeforeLeaving({ isNeeded }: { readonly isNeeded: boolean }) {
  const { secret: t } = useTexts(startTexts)
  const { close } = useTexts(partsTexts)
  const { status, proceed, reset } = useBlocker({
    // Also another tab or step of the same page: it is not shown there.
    shouldBlockFn: () => isNeeded,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  })
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t.leaveTitle}
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Text size="sm">{t.leaveText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            {t.leave}
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            {t.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
