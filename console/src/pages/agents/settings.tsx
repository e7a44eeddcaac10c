/** Which clients that nobody prepared the instance lets in, and whether agents can use its own API. */
import { useQuery } from '@connectrpc/connect-query'
import { Checkbox, NumberInput, Stack, TagsInput } from '@mantine/core'
import type { SecuritySettings } from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { DOOR_PATH } from '../../../../src/kernel/page-paths.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Reading } from '../../parts/reading.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import { useSecurityForm } from '../settings/use-security-form.ts'
import { agentTexts } from './texts/index.ts'

const MOST_PER_HOUR = 10_000

interface FormProps {
  readonly settings: SecuritySettings
  readonly mayWrite: boolean
}

/** The page. */
export function AgentSettingsPage() {
  const t = useTexts(agentTexts)
  const { can } = usePermissions()
  const query = useQuery(SettingsService.method.getSecuritySettings, {})
  const mayWrite = can('iam.policy.write')
  return (
    <AreaPage title={t.settings.title} description={t.settings.lead} links={<AreaLinks area="/agents" />}>
      <Reading query={{ ...query, data: query.data?.settings }}>
        {(settings) => (
          <Stack>
            <ClientsForm settings={settings} mayWrite={mayWrite} />
            <McpForm settings={settings} mayWrite={mayWrite} />
          </Stack>
        )}
      </Reading>
    </AreaPage>
  )
}

function ClientsForm({ settings, mayWrite }: FormProps) {
  const { settings: t } = useTexts(agentTexts)
  const { clientIdMetadataDocuments, dynamicClientRegistration } = settings
  const { form, problems, save } = useSecurityForm(settings, {
    initialValues: {
      documents: clientIdMetadataDocuments?.enabled ?? false,
      domains: [...(clientIdMetadataDocuments?.allowedDomains ?? [])],
      registration: dynamicClientRegistration?.enabled ?? false,
      openRegistration: dynamicClientRegistration?.allowUnauthenticated ?? false,
      perHour: dynamicClientRegistration?.registrationsPerHour ?? 0,
    },
    paths: { perHour: 'dynamicClientRegistration.registrationsPerHour' },
    lists: { domains: 'clientIdMetadataDocuments.allowedDomains' },
    refusals: { 'settings.domain_invalid': 'domains' },
    changeOf: (values) => ({
      clientIdMetadataDocuments: { enabled: values.documents, allowedDomains: [...values.domains] },
      dynamicClientRegistration: {
        enabled: values.registration,
        allowUnauthenticated: values.openRegistration,
        registrationsPerHour: Number(values.perHour),
      },
    }),
  })
  const check = (name: 'documents' | 'registration' | 'openRegistration') =>
    form.getInputProps(name, { type: 'checkbox' })
  return (
    <FormSection
      anchor="clients"
      title={t.clients}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(save.send)}
    >
      <Checkbox label={t.documents} description={t.documentsHint} {...check('documents')} />
      <TagsInput
        label={t.domains}
        description={t.domainsHint}
        placeholder="example.com"
        disabled={!form.values.documents}
        acceptValueOnBlur
        {...form.getInputProps('domains')}
      />
      <Checkbox label={t.registration} description={t.registrationHint} {...check('registration')} />
      <Checkbox
        label={t.openRegistration}
        description={t.openRegistrationHint}
        disabled={!form.values.registration}
        {...check('openRegistration')}
      />
      <NumberInput
        label={t.perHour}
        description={t.perHourHint}
        min={0}
        max={MOST_PER_HOUR}
        allowDecimal={false}
        disabled={!form.values.registration}
        hideControls={!form.values.registration}
        {...form.getInputProps('perHour')}
      />
    </FormSection>
  )
}

function McpForm({ settings, mayWrite }: FormProps) {
  const { settings: t } = useTexts(agentTexts)
  const { form, problems, save } = useSecurityForm(settings, {
    initialValues: { enabled: settings.mcpServer?.enabled ?? false },
    paths: {},
    changeOf: (mcpServer) => ({ mcpServer }),
  })
  return (
    <FormSection
      anchor="mcp"
      title={t.mcp}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(save.send)}
    >
      <Checkbox
        label={t.mcpServer}
        description={t.mcpServerHint}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      {settings.mcpServer?.enabled && <CopyField label={t.mcpAddress} value={`${environment().issuer}${DOOR_PATH}`} />}
    </FormSection>
  )
}
