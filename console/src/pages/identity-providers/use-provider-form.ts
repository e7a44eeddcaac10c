/** The form of an identity provider. */
import { partsTexts } from '../../parts/texts/index.ts'
import { type ServerForm, useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { ATTRIBUTES } from './directory-values.ts'
import { requiredFields } from './provider-fields.tsx'
import type { ProviderValues } from './provider-values.ts'
import type { Template } from './templates.ts'

/** The most that the API takes. */
const MOST_IN_A_LIST = 20

/** Where the API names an item of a list, or a member, the field is that of the whole list, or of the member. */
const WITHIN: ReadonlyMap<string, string> = new Map([
  ...['servers', 'userObjectClasses', 'userFilters', 'scopes'].flatMap((name) =>
    Array.from({ length: MOST_IN_A_LIST }, (_, index) => [`${name}[${index}]`, name] as const),
  ),
  ...ATTRIBUTES.map((name) => [`attributes.${name}`, `attributes.${name}`] as const),
])

/** Opens the form with these values. The requests name fields as the form does. */
export function useProviderForm(
  template: Template,
  isNew: boolean,
  initial: ProviderValues,
): ServerForm<ProviderValues> {
  const { required } = useTexts(partsTexts)
  const paths = Object.fromEntries(Object.keys(initial).map((name) => [name, name]))
  const opened = useServerForm<ProviderValues>({
    initialValues: initial,
    validate: (values) => {
      const metadata = values.metadataSource === 'url' ? 'metadataUrl' : 'metadataXml'
      const needed = [...requiredFields(template, isNew), ...(template === 'saml' ? [metadata] : [])]
      const missing = needed.filter((name) => String(values[name]).trim() === '')
      return Object.fromEntries(missing.map((name) => [name, required]))
    },
    paths: {
      ...paths,
      samlBinding: 'binding',
      autoLinking: 'providerOptions.autoLinking',
      tenantId: 'tenant.tenantId',
    },
    refusals: {
      'identity_provider.name_taken': 'name',
      'identity_provider.issuer_invalid': 'issuer',
      'identity_provider.secret_needed': 'clientSecret',
      'identity_provider.linking_unsafe': 'autoLinking',
    },
  })
  return { ...opened, showError: (error) => opened.showError(error, WITHIN) }
}
