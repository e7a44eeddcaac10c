/** The links on the hosted pages: terms, privacy, help and support. */
import { TextInput } from '@mantine/core'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { PrivacyPolicy } from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { PolicyOrigin, ResetButton } from '../../parts/policy/policy-origin.tsx'
import { policyTexts } from '../../parts/policy/texts/index.ts'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { settingsTexts } from './texts/index.ts'

const admin = AdminService.method
const management = ManagementService.method

const PRIVACY_POLICY = {
  instance: { get: admin.getPrivacyPolicy, update: admin.updatePrivacyPolicy },
  organization: {
    get: management.getPrivacyPolicy,
    add: management.addCustomPrivacyPolicy,
    update: management.updateCustomPrivacyPolicy,
    reset: management.resetPrivacyPolicyToDefault,
  },
} as const

const FIELDS = [
  'tosLink',
  'privacyLink',
  'helpLink',
  'docsLink',
  'supportEmail',
  'customLink',
  'customLinkText',
] as const

type Values = Record<(typeof FIELDS)[number], string>

function isLink(text: string): boolean {
  return text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text))
}

/** The page. */
export function LinkSettingsPage() {
  const t = useTexts(settingsTexts)
  const { ofInstance, ofOrganization } = useTexts(policyTexts)
  const { query, isInstance, isInherited } = usePolicy(PRIVACY_POLICY)
  return (
    <AreaPage
      title={t.links.title}
      description={isInstance ? ofInstance : ofOrganization}
      links={<AreaLinks area="/settings" />}
    >
      <Reading query={query}>{(found) => <LinkForm key={`${isInstance} ${isInherited}`} found={found} />}</Reading>
    </AreaPage>
  )
}

function LinkForm({ found }: { readonly found: PrivacyPolicy }) {
  const t = useTexts(settingsTexts)
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: Object.fromEntries(FIELDS.map((name) => [name, found[name]])) as Values,
    // The server does not say which one is wrong.
    validate: Object.fromEntries(
      FIELDS.filter((name) => name.endsWith('Link')).map((name) => [
        name,
        (value: unknown) => (isLink(String(value)) ? null : t.links.invalid),
      ]),
    ),
    paths: Object.fromEntries(FIELDS.map((name) => [name, name])),
    refusals: { 'settings.support_email_invalid': 'supportEmail' },
  })
  const policy = usePolicy(PRIVACY_POLICY, { onError: showError })
  const send = form.onSubmit(async (values) => {
    if ((await policy.save(values)) !== undefined) form.resetDirty()
  })
  return (
    <FormSection
      anchor="links"
      title={t.links.title}
      description={t.links.lead}
      badge={<PolicyOrigin isInstance={policy.isInstance} isInherited={policy.isInherited} />}
      problems={problems}
      mayWrite={policy.mayWrite}
      isRunning={policy.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
      actions={
        <ResetButton
          name={t.links.title}
          isShown={policy.mayReset}
          isRunning={policy.isRunning}
          onReset={policy.reset}
        />
      }
    >
      {FIELDS.map((name) => (
        <TextInput key={name} label={t.links.names[name]} {...form.getInputProps(name)} />
      ))}
    </FormSection>
  )
}
