/** The metadata of a service provider: where they are, or the text itself. */
import { Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTexts } from '../../../texts/index.tsx'
import { METADATA_FIELDS, type MetadataSource } from './metadata.ts'
import { samlTexts } from './texts/index.ts'

interface MetadataFieldsProps {
  readonly form: { getInputProps(field: 'metadataUrl' | 'metadataXml'): GetInputPropsReturnType }
  readonly source: MetadataSource
  onSource(source: MetadataSource): void
}

/** The choice, and the field for it. What was typed into the other one stays until the form is left. */
export function MetadataFields({ form, source, onSource }: MetadataFieldsProps) {
  const t = useTexts(samlTexts)
  const input = form.getInputProps(METADATA_FIELDS[source])
  return (
    <Stack gap="sm">
      <Radio.Group label={t.metadata} value={source} onChange={(value) => onSource(value as MetadataSource)}>
        <Group gap="lg" mt="xs">
          {(['url', 'xml'] as const).map((value) => (
            <Radio key={value} value={value} label={t.sources[value]} />
          ))}
        </Group>
      </Radio.Group>
      {source === 'url' ? (
        <TextInput
          label={t.metadataUrl}
          description={t.metadataUrlHint}
          placeholder="https://wiki.example.com/saml/metadata"
          required
          autoComplete="off"
          {...input}
        />
      ) : (
        <Textarea
          label={t.metadataXml}
          description={t.metadataXmlHint}
          required
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...input}
        />
      )}
    </Stack>
  )
}
