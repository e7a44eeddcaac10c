/** The instance: its names, languages and security settings, and the ways to its API. */

import { useQuery } from '@connectrpc/connect-query'
import { Anchor, List, NativeSelect, Stack, Text } from '@mantine/core'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import {
  type GetGeneralSettingsResponse,
  SettingsService,
} from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { PATHS } from '../../../../src/kernel/page-paths.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { environment } from '../../session/environment.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { SecuritySection } from './security-section.tsx'
import { settingsTexts } from './texts/index.ts'

/** The page. */
export function GeneralSettingsPage() {
  const t = useTexts(settingsTexts)
  const { can } = usePermissions()
  const general = useQuery(SettingsService.method.getGeneralSettings, {})
  return (
    <AreaPage title={t.title} links={<AreaLinks area="/settings" />}>
      <Stack>
        <InstanceCard />
        <Reading query={general}>{(found) => <LanguageSection settings={found} mayWrite={can('iam.write')} />}</Reading>
        {can('iam.policy.read') && <SecuritySection mayWrite={can('iam.policy.write')} />}
        <ApiCard />
      </Stack>
    </AreaPage>
  )
}

function InstanceCard() {
  const t = useTexts(settingsTexts)
  const query = useQuery(AdminService.method.getMyInstance, {})
  const { issuer, version } = environment()
  return (
    <Section anchor="instance" title={t.instance.title}>
      <Reading query={{ ...query, data: query.data?.instance }}>
        {(instance) => (
          <Stack gap="sm">
            <CopyField label={t.instance.address} value={issuer} />
            <CopyField label={t.instance.id} value={instance.id} />
            <Text size="sm">
              {t.instance.version}: {version}
            </Text>
          </Stack>
        )}
      </Reading>
    </Section>
  )
}

interface LanguageSectionProps {
  readonly settings: GetGeneralSettingsResponse
  readonly mayWrite: boolean
}

function LanguageSection({ settings, mayWrite }: LanguageSectionProps) {
  const t = useTexts(settingsTexts)
  const { saved } = useTexts(partsTexts)
  const { language } = useLanguage()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const nameOf = (tag: string) => names.of(tag) ?? tag
  const { form, problems, showError } = useServerForm({
    initialValues: { language: settings.defaultLanguage },
    paths: { language: 'language' },
  })
  const save = useAction(AdminService.method.setDefaultLanguage, {
    done: saved,
    changes: [SettingsService.method.getGeneralSettings],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const allowed = settings.allowedLanguages.length > 0 ? settings.allowedLanguages : settings.supportedLanguages
  return (
    <FormSection
      anchor="languages"
      title={t.languages.title}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit((values) => save.run(values))}
    >
      <NativeSelect
        label={t.languages.default}
        description={t.languages.defaultHint}
        data={settings.supportedLanguages.map((value) => ({ value, label: nameOf(value) }))}
        {...form.getInputProps('language')}
      />
      <Text size="sm" c="dimmed">
        {t.languages.allowed}: {allowed.map(nameOf).join(', ')}
      </Text>
    </FormSection>
  )
}

function ApiCard() {
  const t = useTexts(settingsTexts)
  const links = [
    [PATHS.explorer, t.api.explorer],
    ['/openapi.json', t.api.document],
    ['/.well-known/openid-configuration', t.api.discovery],
    ['/oauth/v2/keys', t.api.keys],
  ] as const
  return (
    <Section anchor="api" title={t.api.title}>
      <List size="sm">
        {links.map(([href, label]) => (
          <List.Item key={href}>
            <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
              {label}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
