/** The fields of an identity provider, by kind. */
import { Checkbox, NativeSelect, PasswordInput, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { FormField } from '../../../../src/features/identity-providers/provider-types.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import { DirectoryFields } from './directory-fields.tsx'
import { LINKINGS, type Linking, type ProviderValues, type Tenant } from './provider-values.ts'
import { SamlFields } from './saml-fields.tsx'
import { SPECS, type Template } from './templates.ts'
import { providerTexts } from './texts/index.ts'
import { TokenFields } from './token-fields.tsx'

interface FieldsProps {
  readonly form: UseFormReturnType<ProviderValues>
}

interface ConnectionFieldsProps extends FieldsProps {
  readonly template: Template
  readonly isNew: boolean
  /** Undefined for a new provider. */
  readonly providerId?: string
}

/** The client at the provider, and where to find the provider. */
export function ConnectionFields({ form, template, isNew, providerId }: ConnectionFieldsProps) {
  const t = useTexts(providerTexts)
  const has = (field: FormField) => SPECS[template].fields.includes(field)
  return (
    <Stack>
      {has('client') && <CopyField label={t.callback} value={`${environment().issuer}/idps/callback`} />}
      <TextInput label={t.name} description={t.nameHint} required {...form.getInputProps('name')} />
      {has('directory') && <DirectoryFields form={form} isNew={isNew} />}
      {has('token') && <TokenFields form={form} />}
      {has('saml') && <SamlFields form={form} providerId={providerId} />}
      {has('issuer') && (
        <TextInput
          label={t.issuer}
          description={t.issuerHint}
          type="url"
          required
          autoComplete="off"
          {...form.getInputProps('issuer')}
        />
      )}
      {has('client') && (
        <TextInput label={t.clientId} required autoComplete="off" {...form.getInputProps('clientId')} />
      )}
      {has('clientSecret') && (
        <PasswordInput
          label={t.clientSecret}
          description={isNew ? undefined : t.secretKept}
          required={isNew}
          autoComplete="off"
          {...form.getInputProps('clientSecret')}
        />
      )}
      {has('appleKey') && <AppleFields form={form} isNew={isNew} />}
      {has('endpoints') && <EndpointFields form={form} />}
      {has('idAttribute') && (
        <TextInput
          label={t.idAttribute}
          description={t.idAttributeHint}
          required
          {...form.getInputProps('idAttribute')}
        />
      )}
      {has('tenant') && <TenantFields form={form} />}
      {has('client') && (
        <TagsInput
          label={t.scopes}
          description={t.scopesHint}
          clearable
          clearButtonProps={{ 'aria-label': t.clearScopes }}
          {...form.getInputProps('scopes')}
        />
      )}
      {has('usePkce') && <Checkbox label={t.usePkce} {...form.getInputProps('usePkce', { type: 'checkbox' })} />}
      {has('isIdTokenMapping') && (
        <Checkbox
          label={t.idTokenMapping}
          description={t.idTokenMappingHint}
          {...form.getInputProps('isIdTokenMapping', { type: 'checkbox' })}
        />
      )}
    </Stack>
  )
}

function EndpointFields({ form }: FieldsProps) {
  const t = useTexts(providerTexts)
  const names = ['authorizationEndpoint', 'tokenEndpoint', 'userEndpoint'] as const
  return names.map((name) => (
    <TextInput key={name} label={t.endpoints[name]} type="url" required {...form.getInputProps(name)} />
  ))
}

function TenantFields({ form }: FieldsProps) {
  const t = useTexts(providerTexts)
  const tenants = ['common', 'organisations', 'consumers', 'one'] as const satisfies readonly Tenant[]
  return (
    <>
      <NativeSelect
        label={t.tenant}
        data={tenants.map((value) => ({ value, label: t.tenants[value] }))}
        {...form.getInputProps('tenant')}
      />
      {form.values.tenant === 'one' && <TextInput label={t.tenantId} required {...form.getInputProps('tenantId')} />}
      <Checkbox
        label={t.emailVerified}
        description={t.emailVerifiedHint}
        {...form.getInputProps('emailVerified', { type: 'checkbox' })}
      />
    </>
  )
}

function AppleFields({ form, isNew }: FieldsProps & { readonly isNew: boolean }) {
  const t = useTexts(providerTexts)
  return (
    <>
      <TextInput label={t.teamId} description={t.tenCharacters} required {...form.getInputProps('teamId')} />
      <TextInput label={t.keyId} description={t.tenCharacters} required {...form.getInputProps('keyId')} />
      <Textarea
        label={t.privateKey}
        description={isNew ? t.privateKeyHint : t.secretKept}
        required={isNew}
        autosize
        minRows={4}
        maxRows={10}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('privateKey')}
      />
    </>
  )
}

/** What happens with people who sign in with the provider. */
export function OptionFields({ form }: FieldsProps) {
  const t = useTexts(providerTexts)
  const names = ['isLinkingAllowed', 'isCreationAllowed', 'isAutoCreation', 'isAutoUpdate', 'isHidden'] as const
  return (
    <Stack>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={t.options[name]}
          description={t.optionHints[name]}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
      <NativeSelect
        label={t.autoLinking}
        description={t.autoLinkingHint}
        data={(Object.keys(LINKINGS) as Linking[]).map((value) => ({ value, label: t.autoLinkings[value] }))}
        {...form.getInputProps('autoLinking')}
      />
      <NativeSelect
        label={t.emailTrust}
        data={(['told', 'always', 'never'] as const).map((value) => ({ value, label: t.emailTrusts[value] }))}
        {...form.getInputProps('emailTrust')}
      />
    </Stack>
  )
}

/** Fields that must be filled in, by kind. */
export function requiredFields(template: Template, isNew: boolean): readonly (keyof ProviderValues)[] {
  const { fields } = SPECS[template]
  const has = (field: FormField) => fields.includes(field)
  return [
    'name',
    ...(has('client') ? (['clientId'] as const) : []),
    ...(has('directory') ? (['servers', 'baseDn', 'bindDn', 'userObjectClasses', 'userFilters'] as const) : []),
    ...(has('directory') && isNew ? (['bindPassword'] as const) : []),
    ...(has('token') ? (['issuer', 'jwtEndpoint', 'keysEndpoint', 'headerName'] as const) : []),
    ...(has('issuer') ? (['issuer'] as const) : []),
    ...(has('clientSecret') && isNew ? (['clientSecret'] as const) : []),
    ...(has('endpoints') ? (['authorizationEndpoint', 'tokenEndpoint', 'userEndpoint'] as const) : []),
    ...(has('idAttribute') ? (['idAttribute'] as const) : []),
    ...(has('appleKey') ? (['teamId', 'keyId'] as const) : []),
    ...(has('appleKey') && isNew ? (['privateKey'] as const) : []),
  ]
}
