/** Embedding, impersonation, and deletion of one's own account. */
import { useQuery } from '@connectrpc/connect-query'
import { Checkbox, TagsInput } from '@mantine/core'
import type { SecuritySettings } from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { Reading } from '../../parts/reading.tsx'
import { useTexts } from '../../texts/index.tsx'
import { settingsTexts } from './texts/index.ts'
import { useSecurityForm } from './use-security-form.ts'

interface SecuritySectionProps {
  readonly mayWrite: boolean
}

/** The card. */
export function SecuritySection({ mayWrite }: SecuritySectionProps) {
  const query = useQuery(SettingsService.method.getSecuritySettings, {})
  return (
    <Reading query={{ ...query, data: query.data?.settings }}>
      {(settings) => <SecurityForm settings={settings} mayWrite={mayWrite} />}
    </Reading>
  )
}

function SecurityForm({ settings, mayWrite }: SecuritySectionProps & { readonly settings: SecuritySettings }) {
  const { security: t } = useTexts(settingsTexts)
  const { embeddedIframe, enableImpersonation, allowSelfDeletion } = settings
  const { form, problems, save } = useSecurityForm(settings, {
    initialValues: {
      isEmbedded: embeddedIframe?.enabled ?? false,
      origins: [...(embeddedIframe?.allowedOrigins ?? [])],
      enableImpersonation,
      allowSelfDeletion,
    },
    paths: {},
    lists: { origins: 'embeddedIframe.allowedOrigins' },
    refusals: { 'settings.origin_invalid': 'origins' },
    changeOf: ({ isEmbedded, origins, ...switches }) => ({
      embeddedIframe: { enabled: isEmbedded, allowedOrigins: [...origins] },
      ...switches,
    }),
  })
  const check = (name: 'isEmbedded' | 'enableImpersonation' | 'allowSelfDeletion') =>
    form.getInputProps(name, { type: 'checkbox' })
  return (
    <FormSection
      anchor="security"
      title={t.title}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(save.send)}
    >
      <Checkbox label={t.embedding} description={t.embeddingHint} {...check('isEmbedded')} />
      <TagsInput
        label={t.origins}
        description={t.originsHint}
        placeholder="https://app.example.com"
        disabled={!form.values.isEmbedded}
        acceptValueOnBlur
        {...form.getInputProps('origins')}
      />
      <Checkbox label={t.impersonation} description={t.impersonationHint} {...check('enableImpersonation')} />
      <Checkbox label={t.selfDeletion} description={t.selfDeletionHint} {...check('allowSelfDeletion')} />
    </FormSection>
  )
}
