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

/** The flags that clients of the API can store without any effect here are not shown: nobody could act on them. */
interface Values extends Record<string, unknown> {
  required: boolean
  baseUri: string
}

function valuesOf({ loginV2 }: GetInstanceFeaturesResponse): Values {
  return { required: loginV2?.required ?? false, baseUri: loginV2?.baseUri ?? '' }
}

/** The page. */
export function FeatureSettingsPage() {
  const t = useTexts(settingsTexts)
  const query = useQuery(getInstanceFeatures, { inheritance: true })
  const isChanged = query.data?.loginV2?.source === Source.INSTANCE
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
  const { form, problems, showError } = useServerForm<Values>({
    initialValues: valuesOf(features),
    paths: { baseUri: 'loginV2.baseUri' },
    refusals: { 'settings.base_uri_invalid': 'baseUri' },
  })
  const changes = [getInstanceFeatures]
  const save = useAction(setInstanceFeatures, { done: saved, changes, onError: showError })
  const reset = useAction(resetInstanceFeatures, { done: t.features.resetDone, changes })
  const send = form.onSubmit(({ required, baseUri }) =>
    save.run({ loginV2: { required, ...(baseUri.trim() !== '' && { baseUri: baseUri.trim() }) } }),
  )
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
