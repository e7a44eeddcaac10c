/** A value to copy, such as an id, or a secret that is shown once. */
import { Alert, Stack, TextInput } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { CopyIcon } from './copy-icon.tsx'
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
  const field = (
    <TextInput
      label={label}
      value={value}
      readOnly
      rightSection={<CopyIcon label={label} value={value} onCopy={onCopy} />}
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
