/** The fields of an application that signs users in, by section. */
import { Checkbox, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import { AUTH_METHODS, type AuthMethod, DEFAULTS, GRANT_TYPES, type GrantType } from './kinds.ts'
import { ASSERTION_ALGORITHMS, type OidcValues } from './oidc-values.ts'
import { applicationTexts } from './texts/index.ts'
import { UriListField } from './uri-list-field.tsx'
import type { useUriProblems } from './use-uri-problem.ts'

interface FieldsProps {
  readonly form: UseFormReturnType<OidcValues>
}

/** Name, kind, authentication and grants. */
export function BasicFields({ form }: FieldsProps) {
  const t = useTexts(applicationTexts)
  const kinds = ['web', 'spa', 'native'] as const
  return (
    <Stack>
      <TextInput label={t.name} required autoComplete="off" {...form.getInputProps('name')} />
      <NativeSelect
        label={t.kind}
        data={kinds.map((value) => ({ value, label: t.kinds[value].name }))}
        {...form.getInputProps('kind')}
      />
      <NativeSelect
        label={t.authMethod}
        data={(Object.keys(AUTH_METHODS) as AuthMethod[]).map((value) => ({ value, label: t.authMethods[value] }))}
        {...form.getInputProps('authMethod')}
      />
      {form.values.authMethod === 'key' && (
        <>
          <NativeSelect
            label={t.assertionAlgorithm}
            description={t.assertionAlgorithmHint}
            data={(Object.keys(ASSERTION_ALGORITHMS) as (keyof typeof ASSERTION_ALGORITHMS)[]).map((value) => ({
              value,
              label: value === 'any' ? t.anyAlgorithm : value,
            }))}
            {...form.getInputProps('assertionAlgorithm')}
          />
          <Checkbox
            label={t.requireJti}
            description={t.requireJtiHint}
            {...form.getInputProps('requireAssertionJti', { type: 'checkbox' })}
          />
        </>
      )}
      <Checkbox.Group label={t.grantTypes} {...form.getInputProps('grantTypes')}>
        <Stack gap="xs" mt="xs">
          {(Object.keys(GRANT_TYPES) as GrantType[]).map((value) => (
            <Checkbox key={value} value={value} label={t.grantTypeNames[value]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox
        label={t.thirdParty}
        description={t.thirdPartyHint}
        {...form.getInputProps('thirdParty', { type: 'checkbox' })}
      />
    </Stack>
  )
}

interface AddressFieldsProps extends FieldsProps {
  readonly uris: ReturnType<typeof useUriProblems>
  readonly isDisabled: boolean
}

/** Where the browser comes back to, and from where it may call. */
export function AddressFields({ form, uris, isDisabled }: AddressFieldsProps) {
  const t = useTexts(applicationTexts)
  const { kind } = form.values
  const list = (name: 'redirectUris' | 'postLogoutRedirectUris' | 'additionalOrigins') => ({
    value: form.values[name],
    onChange: (value: string[]) => form.setFieldValue(name, value),
    error: form.errors[name],
    isDisabled,
  })
  return (
    <Stack>
      <Checkbox
        label={t.developmentMode}
        description={t.developmentModeHint}
        {...form.getInputProps('developmentMode', { type: 'checkbox' })}
      />
      <UriListField
        label={t.redirectUris}
        description={t.redirectHints[kind]}
        placeholder={DEFAULTS[kind].example}
        problemOf={uris.redirect}
        {...list('redirectUris')}
      />
      <UriListField
        label={t.postLogoutRedirectUris}
        description={t.postLogoutHint}
        problemOf={uris.redirect}
        {...list('postLogoutRedirectUris')}
      />
      <UriListField
        label={t.additionalOrigins}
        description={t.additionalOriginsHint}
        placeholder="https://app.example.com"
        problemOf={uris.origin}
        {...list('additionalOrigins')}
      />
      <TextInput
        label={t.backChannelLogoutUri}
        description={t.backChannelLogoutHint}
        type="url"
        {...form.getInputProps('backChannelLogoutUri')}
        error={
          form.errors.backChannelLogoutUri ??
          (form.values.backChannelLogoutUri.trim() === ''
            ? undefined
            : uris.endpoint(form.values.backChannelLogoutUri.trim()))
        }
      />
      {form.values.grantTypes.includes('ciba') && <CibaFields form={form} uris={uris} />}
    </Stack>
  )
}

/** How it asks users for approval. */
function CibaFields({ form, uris }: Omit<AddressFieldsProps, 'isDisabled'>) {
  const t = useTexts(applicationTexts)
  const uri = form.values.cibaNotificationUri.trim()
  return (
    <>
      <TextInput
        label={t.cibaNotificationUri}
        description={t.cibaNotificationHint}
        type="url"
        {...form.getInputProps('cibaNotificationUri')}
        error={form.errors.cibaNotificationUri ?? (uri === '' ? undefined : uris.endpoint(uri))}
      />
      <Checkbox
        label={t.cibaSigned}
        description={t.cibaSignedHint}
        {...form.getInputProps('cibaRequireSignedRequests', { type: 'checkbox' })}
      />
    </>
  )
}

/** What tokens contain. */
export function TokenFields({ form }: FieldsProps) {
  const t = useTexts(applicationTexts)
  return (
    <Stack>
      <NativeSelect
        label={t.tokenType}
        data={(['bearer', 'jwt'] as const).map((value) => ({ value, label: t.tokenTypes[value] }))}
        {...form.getInputProps('tokenType')}
      />
      <Checkbox label={t.accessTokenRoles} {...form.getInputProps('accessTokenRoleAssertion', { type: 'checkbox' })} />
      <Checkbox label={t.idTokenRoles} {...form.getInputProps('idTokenRoleAssertion', { type: 'checkbox' })} />
      <Checkbox
        label={t.idTokenUserinfo}
        description={t.idTokenUserinfoHint}
        {...form.getInputProps('idTokenUserinfoAssertion', { type: 'checkbox' })}
      />
      <NumberInput
        label={t.clockSkew}
        description={t.clockSkewHint}
        min={0}
        max={5}
        step={1}
        suffix=" s"
        {...form.getInputProps('clockSkew')}
      />
    </Stack>
  )
}

/** Where users sign in. */
export function LoginFields({ form }: FieldsProps) {
  const t = useTexts(applicationTexts)
  return (
    <Stack>
      <NativeSelect
        label={t.login}
        data={(['default', 'v1', 'v2'] as const).map((value) => ({ value, label: t.logins[value] }))}
        {...form.getInputProps('login')}
      />
      {form.values.login === 'v2' && (
        <TextInput
          label={t.loginBaseUri}
          description={t.loginBaseUriHint}
          type="url"
          {...form.getInputProps('loginBaseUri')}
        />
      )}
      {form.values.kind === 'native' && (
        <Checkbox label={t.skipSuccessPage} {...form.getInputProps('skipNativeAppSuccessPage', { type: 'checkbox' })} />
      )}
    </Stack>
  )
}
