/** The fields of a provider whose users are known by a signed token. */
import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CopyField } from '../../parts/copy-field.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import type { ProviderValues } from './provider-values.ts'
import { providerTexts } from './texts/index.ts'

/** Where browsers go and come back to, and which tokens count. */
export function TokenFields({ form }: { readonly form: UseFormReturnType<ProviderValues> }) {
  const { token: t, issuer } = useTexts(providerTexts)
  return (
    <>
      <CopyField label={t.callback} value={`${environment().issuer}/idps/jwt`} />
      <TextInput
        label={issuer}
        description={t.issuerHint}
        required
        autoComplete="off"
        {...form.getInputProps('issuer')}
      />
      {(['jwtEndpoint', 'keysEndpoint'] as const).map((name) => (
        <TextInput
          key={name}
          label={t[name]}
          description={t[`${name}Hint`]}
          type="url"
          required
          autoComplete="off"
          {...form.getInputProps(name)}
        />
      ))}
      <TextInput label={t.headerName} description={t.headerNameHint} required {...form.getInputProps('headerName')} />
      <TextInput label={t.audience} description={t.audienceHint} {...form.getInputProps('audience')} />
    </>
  )
}
