/** The name of an API, and how it authenticates itself. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { API_AUTH_METHODS, hasKeys } from './kinds.ts'
import { applicationTexts } from './texts/index.ts'

interface ApiTabProps {
  readonly application: Application
  readonly mayWrite: boolean
}

/** The tab. */
export function ApiTab({ application, mayWrite }: ApiTabProps) {
  const t = useTexts(applicationTexts)
  const { saved, required } = useTexts(partsTexts)
  const { applicationId, projectId } = application
  const { form, problems, showError } = useServerForm({
    initialValues: {
      name: application.name,
      authMethod: hasKeys(application) ? 'key' : 'basic',
      requireAssertionJti:
        application.configuration.case === 'apiConfiguration' && application.configuration.value.requireAssertionJti,
    },
    validate: { name: isNotEmpty(required) },
    paths: { name: 'name' },
    refusals: { 'application.name_taken': 'name' },
  })
  const { updateApplication, getApplication, listApplications } = ApplicationService.method
  const save = useAction(updateApplication, {
    done: saved,
    changes: [getApplication, listApplications],
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit(({ name, authMethod, requireAssertionJti }) => {
    const authMethodType = API_AUTH_METHODS[authMethod as keyof typeof API_AUTH_METHODS]
    return save.run({
      applicationId,
      projectId,
      name: name.trim(),
      applicationType: { case: 'apiConfiguration', value: { authMethodType, requireAssertionJti } },
    })
  })
  return (
    <FormSection
      title={t.tabs.settings}
      problems={problems}
      mayWrite={mayWrite}
      isRunning={save.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
    >
      <TextInput label={t.name} required {...form.getInputProps('name')} />
      <NativeSelect
        label={t.authMethod}
        data={(['basic', 'key'] as const).map((value) => ({ value, label: t.authMethods[value] }))}
        {...form.getInputProps('authMethod')}
      />
      {form.values.authMethod === 'key' && (
        <Checkbox
          label={t.requireJti}
          description={t.requireJtiHint}
          {...form.getInputProps('requireAssertionJti', { type: 'checkbox' })}
        />
      )}
    </FormSection>
  )
}
