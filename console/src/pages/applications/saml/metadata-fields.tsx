/** The metadata of a service provider: where they are, the two fields that many products show, or the text itself. */
import { Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTexts } from '../../../texts/index.tsx'
import type { MetadataSource, MetadataValues } from './metadata.ts'
import { samlTexts } from './texts/index.ts'

interface MetadataFieldsProps {
  readonly form: { getInputProps(field: keyof MetadataValues): GetInputPropsReturnType }
  readonly source: MetadataSource
  onSource(source: MetadataSource): void
}

/** The choice, and the field for it. What was typed into the other one stays until the form is left. */
export function MetadataFields({ form, source, onSource }: MetadataFieldsProps) {
  const t = useTexts(samlTexts)
  return (
    <Stack gap="sm">
      <Radio.Group label={t.metadata} value={source} onChange={(value) => onSource(value as MetadataSource)}>
        <Group gap="lg" mt="xs">
          {(['url', 'fields', 'xml'] as const).map((value) => (
            <Radio key={value} value={value} label={t.sources[value]} />
          ))}
        </Group>
      </Radio.Group>
      {source === 'url' && (
        <TextInput
          label={t.metadataUrl}
          description={t.metadataUrlHint}
          placeholder="https://wiki.example.com/saml/metadata"
          required
          autoComplete="off"
          {...form.getInputProps('metadataUrl')}
        />
      )}
      {source === 'fields' && (
        <>
          <TextInput
            label={t.entityId}
            description={t.entityIdHint}
            required
            autoComplete="off"
            {...form.getInputProps('entityId')}
          />
          <TextInput
            label={t.acsUrl}
            description={t.acsUrlHint}
            placeholder="https://wiki.example.com/saml/acs"
            required
            autoComplete="off"
            {...form.getInputProps('acsUrl')}
          />
        </>
      )}
      {source === 'xml' && (
        <Textarea
          label={t.metadataXml}
          description={t.metadataXmlHint}
          required
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('metadataXml')}
        />
      )}
    </Stack>
  )
}
