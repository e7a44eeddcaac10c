/** A value to copy, such as an id, or a secret that is shown once. */
import { ActionIcon, Alert, CopyButton, Stack, TextInput, Tooltip } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import { partsTexts } from './texts/index.ts'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  /** The value is never shown again: the field says so. */
  readonly isSecret?: boolean
  onCopy?(): void
}

/** A field that cannot be changed, with a button that copies it. */
export function CopyField({ label, value, isSecret = false, onCopy }: CopyFieldProps) {
  const t = useTexts(partsTexts)
  const button = (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t.copied : t.copy(label)}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'green' : undefined}
            onClick={() => {
              copy()
              onCopy?.()
            }}
            aria-label={t.copy(label)}
          >
            <Icon name={copied ? 'check' : 'copy'} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
  const field = (
    <TextInput
      label={label}
      value={value}
      readOnly
      rightSection={button}
      onFocus={(event) => event.currentTarget.select()}
      onCopy={onCopy}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
  if (!isSecret) return field
  return (
    <Stack gap="xs">
      <Alert color="yellow" icon={<Icon name="warning" />}>
        {t.shownOnce}
      </Alert>
      {field}
    </Stack>
  )
}
