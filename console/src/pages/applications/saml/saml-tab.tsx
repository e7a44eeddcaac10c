/** A service provider of SAML: its metadata and what was read from them, and what it needs from this server. */
import { Button, Checkbox, List, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Application } from '../../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type { SAMLConfiguration } from '../../../../../contract/gen/signet/application/v2/saml_pb.ts'
import { SAML_PATHS } from '../../../../../src/kernel/page-paths.ts'
import { readFailure } from '../../../api/errors.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { FormSection } from '../../../parts/form-section.tsx'
import { Section } from '../../../parts/section.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useServerForm } from '../../../parts/use-server-form.ts'
import { environment } from '../../../session/environment.ts'
import { useTexts } from '../../../texts/index.tsx'
import { applicationTexts } from '../texts/index.ts'
import { fieldsOf, METADATA_FIELDS, type MetadataSource, metadataOf, metadataPaths } from './metadata.ts'
import { MetadataFields } from './metadata-fields.tsx'
import { ProviderValues } from './provider-values.tsx'
import { samlTexts } from './texts/index.ts'

interface SamlTabProps {
  readonly application: Application
  readonly config: SAMLConfiguration
  readonly mayWrite: boolean
}

/** The tab. */
export function SamlTab(props: SamlTabProps) {
  const t = useTexts(samlTexts)
  return (
    <Stack>
      <SettingsSection {...props} />
      <ReadSection config={props.config} />
      <Section title={t.needs} description={t.needsHint}>
        <ProviderValues />
      </Section>
    </Stack>
  )
}

function valuesOf({ name }: Application, { metadataUrl, metadataXml, allowUnsolicited }: SAMLConfiguration) {
  const text = metadataUrl === '' ? new TextDecoder().decode(metadataXml) : ''
  const fields = fieldsOf(text)
  const none = { entityId: '', acsUrl: '' }
  return { name, metadataUrl, metadataXml: fields ? '' : text, ...(fields ?? none), allowUnsolicited }
}

function SettingsSection({ application, config, mayWrite }: SamlTabProps) {
  const t = useTexts(samlTexts)
  const texts = useTexts(applicationTexts)
  const { saved, required } = useTexts(partsTexts)
  const { applicationId, projectId } = application
  const initial = valuesOf(application, config)
  const [source, setSource] = useState<MetadataSource>(
    initial.metadataUrl !== '' ? 'url' : initial.entityId !== '' ? 'fields' : 'xml',
  )
  const fields = METADATA_FIELDS[source]
  const { form, problems, showError } = useServerForm({
    initialValues: initial,
    validate: {
      name: isNotEmpty(required),
      ...Object.fromEntries(fields.map((field) => [field, isNotEmpty(required)])),
    },
    paths: { name: 'name', ...metadataPaths(source), allowUnsolicited: 'samlConfiguration.allowUnsolicited' },
    refusals: { 'application.name_taken': 'name', 'application.entity_id_taken': fields[0] },
  })
  const { updateApplication, getApplication, listApplications } = ApplicationService.method
  const changes = [getApplication, listApplications]
  const save = useAction(updateApplication, { done: saved, changes, onError: showError })
  const readAgain = useAction(updateApplication, {
    done: t.readAgainDone,
    changes,
    onError(error) {
      if (readFailure(error).id !== 'application.unchanged') return showError(error)
      notifications.show({ message: t.unchanged })
      return true
    },
  })
  const send = form.onSubmit(async (values) => {
    const { name, allowUnsolicited } = values
    const hasNew = fields.some((field) => form.isDirty(field))
    const answer = await save.run({
      applicationId,
      projectId,
      name: name.trim(),
      applicationType: {
        case: 'samlConfiguration',
        value: { ...(hasNew && { metadata: metadataOf(source, values) }), allowUnsolicited },
      },
    })
    if (answer === undefined) return
    // What was given the other way no longer counts.
    const others = Object.values(METADATA_FIELDS)
      .flat()
      .filter((field) => !(fields as readonly string[]).includes(field))
    const kept = { ...values, ...(hasNew && Object.fromEntries(others.map((field) => [field, '']))) }
    form.setValues(kept)
    form.resetDirty(kept)
  })
  const fetchAgain = () => {
    const metadata = { case: 'metadataUrl', value: config.metadataUrl } as const
    return readAgain.run({
      applicationId,
      projectId,
      applicationType: { case: 'samlConfiguration', value: { metadata } },
    })
  }
  return (
    <FormSection
      title={texts.tabs.settings}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
      actions={
        config.metadataUrl !== '' && (
          <Button variant="default" loading={readAgain.isRunning} disabled={form.isDirty()} onClick={fetchAgain}>
            {t.readAgain}
          </Button>
        )
      }
    >
      <TextInput label={texts.name} required {...form.getInputProps('name')} />
      <MetadataFields form={form} source={source} onSource={setSource} />
      <Checkbox
        label={t.allowUnsolicited}
        description={t.allowUnsolicitedHint}
        {...form.getInputProps('allowUnsolicited', { type: 'checkbox' })}
      />
      {config.allowUnsolicited && (
        <CopyField label={t.startUrl} value={`${environment().issuer}${SAML_PATHS.start}${applicationId}`} />
      )}
    </FormSection>
  )
}

function ReadSection({ config }: { readonly config: SAMLConfiguration }) {
  const t = useTexts(samlTexts)
  const { entityId, assertionConsumerServices, requiresSignedRequests, encryptsAssertions } = config
  return (
    <Section title={t.read} description={t.readHint}>
      <CopyField label={t.entityIdOfProvider} value={entityId} />
      <div>
        <Text size="sm" fw={500}>
          {t.responseUrls}
        </Text>
        <List size="sm" aria-label={t.responseUrls} style={{ overflowWrap: 'anywhere' }}>
          {[...new Set(assertionConsumerServices)].map((url) => (
            <List.Item key={url}>{url}</List.Item>
          ))}
        </List>
      </div>
      <Text size="sm">{requiresSignedRequests ? t.signedRequests : t.unsignedRequests}</Text>
      <Text size="sm">{encryptsAssertions ? t.encrypted : t.notEncrypted}</Text>
    </Section>
  )
}
