/** The form of an identity provider. */
import { partsTexts } from '../../parts/texts/index.ts'
import { type ServerForm, useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { requiredFields } from './provider-fields.tsx'
import type { ProviderValues } from './provider-values.ts'
import type { Template } from './templates.ts'

/** Opens the form with these values. The requests name fields as the form does. */
export function useProviderForm(
  template: Template,
  isNew: boolean,
  initial: ProviderValues,
): ServerForm<ProviderValues> {
  const { required } = useTexts(partsTexts)
  const paths = Object.fromEntries(Object.keys(initial).map((name) => [name, name]))
  return useServerForm<ProviderValues>({
    initialValues: initial,
    validate: (values) => {
      const missing = requiredFields(template, isNew).filter((name) => String(values[name]).trim() === '')
      return Object.fromEntries(missing.map((name) => [name, required]))
    },
    paths: { ...paths, autoLinking: 'providerOptions.autoLinking', tenantId: 'tenant.tenantId' },
    refusals: {
      'identity_provider.name_taken': 'name',
      'identity_provider.issuer_invalid': 'issuer',
      'identity_provider.secret_needed': 'clientSecret',
      'identity_provider.linking_unsafe': 'autoLinking',
    },
  })
}
