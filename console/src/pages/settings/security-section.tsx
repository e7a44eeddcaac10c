/** Embedding, impersonation, deletion of one's own account, applications that register themselves, and agents. */
import { useQuery } from '@connectrpc/connect-query'
import { Checkbox, TagsInput } from '@mantine/core'
import type { SecuritySettings } from '../../../../contract/gen/signet/settings/v2/security_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { readFailure } from '../../api/errors.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { Reading } from '../../parts/reading.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { settingsTexts } from './texts/index.ts'

interface SecuritySectionProps {
  readonly mayWrite: boolean
}

const { getSecuritySettings, setSecuritySettings } = SettingsService.method
const ORIGINS = 'embeddedIframe.allowedOrigins'

/** The card. */
export function SecuritySection({ mayWrite }: SecuritySectionProps) {
  const query = useQuery(getSecuritySettings, {})
  return (
    <Reading query={{ ...query, data: query.data?.settings }}>
      {(settings) => <SecurityForm settings={settings} mayWrite={mayWrite} />}
    </Reading>
  )
}

function valuesOf(settings: SecuritySettings) {
  const { embeddedIframe, enableImpersonation, dynamicClientRegistration, allowSelfDeletion } = settings
  return {
    isEmbedded: embeddedIframe?.enabled ?? false,
    origins: embeddedIframe?.allowedOrigins ?? [],
    enableImpersonation,
    allowSelfDeletion,
    isRegistration: dynamicClientRegistration?.enabled ?? false,
    isOpenRegistration: dynamicClientRegistration?.allowUnauthenticated ?? false,
    isMcpServer: settings.mcpServer?.enabled ?? false,
  }
}

function SecurityForm({ settings, mayWrite }: SecuritySectionProps & { readonly settings: SecuritySettings }) {
  const t = useTexts(settingsTexts)
  const { saved } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(settings),
    paths: { origins: ORIGINS },
    refusals: { 'settings.origin_invalid': 'origins' },
  })
  const save = useAction(setSecuritySettings, {
    done: saved,
    changes: [getSecuritySettings],
    onError(error) {
      const isShown = showError(error)
      // The server names the one that is wrong by its place in the list.
      const wrong = readFailure(error).violations.find(({ field }) => field.startsWith(ORIGINS))
      if (wrong !== undefined) form.setFieldError('origins', `${nameOf(wrong.field)} ${wrong.description}`)
      return isShown
    },
    onDone: () => form.resetDirty(),
  })
  const nameOf = (field: string) => form.values.origins[Number(/\[(\d+)\]/.exec(field)?.[1])] ?? ''
  const send = form.onSubmit((values) => {
    // What is not given is switched off: settings that this form does not know are sent as they are.
    const { $typeName: _, $unknown: __, ...others } = settings
    return save.run({
      ...others,
      embeddedIframe: { enabled: values.isEmbedded, allowedOrigins: [...values.origins] },
      enableImpersonation: values.enableImpersonation,
      allowSelfDeletion: values.allowSelfDeletion,
      dynamicClientRegistration: {
        enabled: values.isRegistration,
        allowUnauthenticated: values.isOpenRegistration,
        registrationsPerHour: settings.dynamicClientRegistration?.registrationsPerHour ?? 0,
      },
      mcpServer: { enabled: values.isMcpServer },
    })
  })
  const check = (name: Exclude<keyof typeof form.values, 'origins'>) => form.getInputProps(name, { type: 'checkbox' })
  return (
    <FormSection
      anchor="security"
      title={t.security.title}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
    >
      <Checkbox label={t.security.embedding} description={t.security.embeddingHint} {...check('isEmbedded')} />
      <TagsInput
        label={t.security.origins}
        description={t.security.originsHint}
        placeholder="https://app.example.com"
        disabled={!form.values.isEmbedded}
        acceptValueOnBlur
        {...form.getInputProps('origins')}
      />
      <Checkbox
        label={t.security.impersonation}
        description={t.security.impersonationHint}
        {...check('enableImpersonation')}
      />
      <Checkbox
        label={t.security.selfDeletion}
        description={t.security.selfDeletionHint}
        {...check('allowSelfDeletion')}
      />
      <Checkbox
        label={t.security.registration}
        description={t.security.registrationHint}
        {...check('isRegistration')}
      />
      <Checkbox
        label={t.security.openRegistration}
        disabled={!form.values.isRegistration}
        {...check('isOpenRegistration')}
      />
      <Checkbox label={t.security.mcpServer} description={t.security.mcpServerHint} {...check('isMcpServer')} />
    </FormSection>
  )
}
