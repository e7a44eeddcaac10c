/** The fields of a SAML provider, and what it must know about this server. */
import { Checkbox, Group, NativeSelect, Radio, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CopyField } from '../../parts/copy-field.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import type { ProviderValues } from './provider-values.ts'
import { NAME_FORMATS, SAML_BINDINGS } from './saml-values.ts'
import { providerTexts } from './texts/index.ts'

interface SamlFieldsProps {
  readonly form: UseFormReturnType<ProviderValues>
  /** Undefined for a new provider, which has no address yet. */
  readonly providerId: string | undefined
}

function MetadataField({ form }: Pick<SamlFieldsProps, 'form'>) {
  const { saml: t } = useTexts(providerTexts)
  if (form.values.metadataSource === 'url') {
    return (
      <TextInput label={t.metadataUrl} type="url" required autoComplete="off" {...form.getInputProps('metadataUrl')} />
    )
  }
  return (
    <Textarea
      label={t.metadataXml}
      required
      autosize
      minRows={4}
      maxRows={12}
      spellCheck={false}
      {...form.getInputProps('metadataXml')}
    />
  )
}

/** The fields. */
export function SamlFields({ form, providerId }: SamlFieldsProps) {
  const { saml: t } = useTexts(providerTexts)
  const at = (name: string) => `${environment().issuer}/idps/${providerId}/saml/${name}`
  const select = (names: readonly string[], labels: Readonly<Record<string, string>>) =>
    names.map((value) => ({ value, label: labels[value] ?? value }))
  return (
    <>
      {providerId !== undefined && (
        <>
          <CopyField label={t.ownMetadata} value={at('metadata')} />
          <CopyField label={t.acs} value={at('acs')} />
        </>
      )}
      <Radio.Group label={t.metadata} description={t.metadataHint} {...form.getInputProps('metadataSource')}>
        <Group gap="lg" mt="xs">
          {(['url', 'xml'] as const).map((value) => (
            <Radio key={value} value={value} label={t.sources[value]} />
          ))}
        </Group>
      </Radio.Group>
      <MetadataField form={form} />
      <NativeSelect
        label={t.binding}
        data={select(Object.keys(SAML_BINDINGS), t.bindings)}
        {...form.getInputProps('samlBinding')}
      />
      <Checkbox label={t.signs} {...form.getInputProps('withSignedRequest', { type: 'checkbox' })} />
      <NativeSelect
        label={t.nameIdFormat}
        description={t.nameIdFormatHint}
        data={select(Object.keys(NAME_FORMATS), t.nameIdFormats)}
        {...form.getInputProps('nameIdFormat')}
      />
      {form.values.nameIdFormat === 'transient' && (
        <TextInput
          label={t.attribute}
          description={t.attributeHint}
          {...form.getInputProps('transientMappingAttributeName')}
        />
      )}
    </>
  )
}
