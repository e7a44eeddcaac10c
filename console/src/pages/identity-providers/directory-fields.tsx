/** The fields of an LDAP directory. */
import {
  Checkbox,
  Fieldset,
  NumberInput,
  PasswordInput,
  SimpleGrid,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import { ATTRIBUTES } from './directory-values.ts'
import type { ProviderValues } from './provider-values.ts'
import { providerTexts } from './texts/index.ts'

interface DirectoryFieldsProps {
  readonly form: UseFormReturnType<ProviderValues>
  readonly isNew: boolean
}

/** The servers, and how users are found there. */
export function DirectoryFields({ form, isNew }: DirectoryFieldsProps) {
  const { directory: t, secretKept } = useTexts(providerTexts)
  const list = (name: 'servers' | 'userObjectClasses' | 'userFilters') => (
    <TagsInput
      label={t[name]}
      description={t[`${name}Hint`]}
      required
      clearable
      clearButtonProps={{ 'aria-label': t.clear({ list: t[name] }) }}
      {...form.getInputProps(name)}
    />
  )
  return (
    <>
      {list('servers')}
      <Checkbox
        label={t.startTls}
        description={t.startTlsHint}
        {...form.getInputProps('startTls', { type: 'checkbox' })}
      />
      {(['baseDn', 'bindDn'] as const).map((name) => (
        <TextInput
          key={name}
          label={t[name]}
          description={t[`${name}Hint`]}
          required
          autoComplete="off"
          {...form.getInputProps(name)}
        />
      ))}
      <PasswordInput
        label={t.bindPassword}
        description={isNew ? undefined : secretKept}
        required={isNew}
        autoComplete="off"
        {...form.getInputProps('bindPassword')}
      />
      {list('userObjectClasses')}
      {list('userFilters')}
      <Fieldset legend={t.attributesTitle}>
        <Text size="sm" c="dimmed" mb="xs">
          {t.attributesHint}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {ATTRIBUTES.map((name) => (
            <TextInput key={name} label={t.attributes[name]} {...form.getInputProps(`attributes.${name}`)} />
          ))}
        </SimpleGrid>
      </Fieldset>
      <NumberInput label={t.timeout} min={1} max={60} {...form.getInputProps('timeoutSeconds')} />
      <Textarea
        label={t.rootCa}
        description={t.rootCaHint}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        {...form.getInputProps('rootCa')}
      />
    </>
  )
}
