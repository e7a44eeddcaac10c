/** The feature flags of the instance. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Checkbox, Fieldset, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Source } from '../../../../contract/gen/signet/feature/v2/feature_pb.ts'
import { FeatureService } from '../../../../contract/gen/signet/feature/v2/feature_service_pb.ts'
import type { GetInstanceFeaturesResponse } from '../../../../contract/gen/signet/feature/v2/instance_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { FormSection } from '../../parts/form-section.tsx'
import { Reading } from '../../parts/reading.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { settingsTexts } from './texts/index.ts'

const { getInstanceFeatures, setInstanceFeatures, resetInstanceFeatures } = FeatureService.method

const FLAGS = [
  'loginDefaultOrg',
  'userSchema',
  'debugOidcParentError',
  'oidcSingleV1SessionTermination',
  'permissionCheckV2',
  'consoleUseV2UserApi',
  'enableRelationalTables',
] as const

interface Values extends Record<(typeof FLAGS)[number], boolean> {
  required: boolean
  baseUri: string
}

function valuesOf(features: GetInstanceFeaturesResponse): Values {
  return {
    ...(Object.fromEntries(FLAGS.map((name) => [name, features[name]?.enabled ?? false])) as Omit<
      Values,
      'required' | 'baseUri'
    >),
    required: features.loginV2?.required ?? false,
    baseUri: features.loginV2?.baseUri ?? '',
  }
}

/** The page. */
export function FeatureSettingsPage() {
  const t = useTexts(settingsTexts)
  const query = useQuery(getInstanceFeatures, { inheritance: true })
  const { data } = query
  const isChanged =
    data && [data.loginV2, ...FLAGS.map((name) => data[name])].some((flag) => flag?.source === Source.INSTANCE)
  return (
    <AreaPage
      title={t.features.title}
      description={t.features.lead}
      links={<AreaLinks area="/settings" />}
      badge={isChanged && <StateBadge mood="waiting" label={t.features.changed} />}
    >
      <Reading query={query}>
        {(features) => <FeatureForm key={JSON.stringify(valuesOf(features))} features={features} />}
      </Reading>
    </AreaPage>
  )
}

function FeatureForm({ features }: { readonly features: GetInstanceFeaturesResponse }) {
  const t = useTexts(settingsTexts)
  const { saved } = useTexts(partsTexts)
  const { can } = usePermissions()
  const [isOpen, { open, close }] = useDisclosure()
  const { form, problems, showError } = useServerForm<Values & Record<string, unknown>>({
    initialValues: valuesOf(features) as Values & Record<string, unknown>,
    paths: { baseUri: 'loginV2.baseUri' },
    refusals: { 'settings.base_uri_invalid': 'baseUri' },
  })
  const changes = [getInstanceFeatures]
  const save = useAction(setInstanceFeatures, { done: saved, changes, onError: showError })
  const reset = useAction(resetInstanceFeatures, { done: t.features.resetDone, changes })
  const send = form.onSubmit(({ required, baseUri, ...values }) => {
    const flags = FLAGS.filter((name) => form.isDirty(name)).map((name) => [name, values[name]])
    const isLoginDirty = form.isDirty('required') || form.isDirty('baseUri')
    const loginV2 = { required, ...(baseUri.trim() !== '' && { baseUri: baseUri.trim() }) }
    return save.run({ ...Object.fromEntries(flags), ...(isLoginDirty && { loginV2 }) })
  })
  return (
    <FormSection
      anchor="features"
      title={t.features.title}
      problems={problems}
      mayWrite={can('iam.feature.write')}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
      actions={
        can('iam.feature.delete') && (
          <Button variant="default" onClick={open}>
            {t.features.reset}
          </Button>
        )
      }
    >
      <Fieldset legend={t.features.login} p="sm">
        <Stack gap="sm">
          <Checkbox
            label={t.features.required}
            description={t.features.requiredHint}
            {...form.getInputProps('required', { type: 'checkbox' })}
          />
          <TextInput
            label={t.features.baseUri}
            description={t.features.baseUriHint}
            {...form.getInputProps('baseUri')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t.features.others} p="sm">
        <Stack gap="sm">
          {FLAGS.map((name) => (
            <Checkbox key={name} label={name} {...form.getInputProps(name, { type: 'checkbox' })} />
          ))}
        </Stack>
      </Fieldset>
      <ConfirmRemove
        name={t.features.title}
        isOpen={isOpen}
        onClose={close}
        consequence={t.features.resetConsequence}
        isRunning={reset.isRunning}
        onConfirm={() => reset.run({})}
      />
    </FormSection>
  )
}
