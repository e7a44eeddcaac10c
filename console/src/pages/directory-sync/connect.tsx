/** How each directory is configured, step by step. */
import { List, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../parts/section.tsx'
import { useTexts } from '../../texts/index.tsx'
import { directorySyncTexts } from './texts/index.ts'

const DIRECTORIES = [
  { value: 'okta', label: 'Okta' },
  { value: 'entra', label: 'Microsoft Entra ID' },
  { value: 'jumpCloud', label: 'JumpCloud' },
  { value: 'google', label: 'Google Workspace' },
] as const

type Directory = (typeof DIRECTORIES)[number]['value']

export function ConnectSection() {
  const t = useTexts(directorySyncTexts)
  const [directory, setDirectory] = useState<Directory>('okta')
  return (
    <Section title={t.connect} description={t.connectHint}>
      <NativeSelect
        label={t.directory}
        maw={320}
        data={DIRECTORIES.map((one) => ({ ...one }))}
        value={directory}
        onChange={(event) => setDirectory(event.currentTarget.value as Directory)}
      />
      <List type="ordered" size="sm" spacing="xs" aria-label={t.connect}>
        {t.steps[directory].map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
    </Section>
  )
}
