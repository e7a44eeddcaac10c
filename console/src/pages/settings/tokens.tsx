/** The lifetimes of tokens. */
import { useQuery } from '@connectrpc/connect-query'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { OIDCSettings } from '../../../../contract/gen/signet/settings/v1/oidc_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { durationOf, secondsOf } from '../../parts/duration.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Reading } from '../../parts/reading.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { settingsTexts } from './texts/index.ts'

const { getOIDCSettings, updateOIDCSettings } = AdminService.method

const LIFETIMES = [
  'accessTokenLifetime',
  'idTokenLifetime',
  'refreshTokenIdleExpiration',
  'refreshTokenExpiration',
] as const

type Values = Record<(typeof LIFETIMES)[number], number>

/** The page. */
export function TokenSettingsPage() {
  const t = useTexts(settingsTexts)
  const { can } = usePermissions()
  const query = useQuery(getOIDCSettings, {})
  return (
    <AreaPage title={t.tokens.title} description={t.tokens.lead} links={<AreaLinks area="/settings" />}>
      <Reading query={{ ...query, data: query.data?.settings }}>
        {(settings) => <TokenForm settings={settings} mayWrite={can('iam.write')} />}
      </Reading>
    </AreaPage>
  )
}

function TokenForm({ settings, mayWrite }: { readonly settings: OIDCSettings; readonly mayWrite: boolean }) {
  const t = useTexts(settingsTexts)
  const { saved } = useTexts(partsTexts)
  const names = LIFETIMES.map((name) => [name, name])
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: Object.fromEntries(LIFETIMES.map((name) => [name, secondsOf(settings[name])])) as Values,
    paths: Object.fromEntries(names),
  })
  const save = useAction(updateOIDCSettings, {
    done: saved,
    changes: [getOIDCSettings],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit((values) =>
    save.run(Object.fromEntries(LIFETIMES.map((name) => [name, durationOf(values[name])]))),
  )
  return (
    <FormSection
      anchor="lifetimes"
      title={t.tokens.lifetimes}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
    >
      {LIFETIMES.map((name) => (
        <DurationField
          key={name}
          label={t.tokens.names[name]}
          description={t.tokens.hints[name]}
          value={form.values[name]}
          onChange={(seconds) => form.setFieldValue(name, seconds)}
          error={form.errors[name]}
        />
      ))}
    </FormSection>
  )
}
