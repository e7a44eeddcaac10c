/** The settings of an identity provider. */
import { Button, Fieldset, Group, Stack } from '@mantine/core'
import type { Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { methodFor, ownerOf, PROVIDER_READS } from './owner.ts'
import { ConnectionFields, OptionFields } from './provider-fields.tsx'
import { NO_SECRETS, requestOf, valuesOf } from './provider-values.ts'
import type { Template } from './templates.ts'
import { providerTexts } from './texts/index.ts'
import { useProviderForm } from './use-provider-form.ts'

interface SettingsTabProps {
  readonly provider: Provider
  readonly template: Template
  readonly mayWrite: boolean
}

/** The tab. */
export function SettingsTab({ provider, template, mayWrite }: SettingsTabProps) {
  const t = useTexts(providerTexts)
  const { save: saveLabel, saved } = useTexts(partsTexts)
  const { form, problems, showError } = useProviderForm(template, false, valuesOf(template, provider))
  const save = useAction(methodFor(ownerOf(provider), 'update', template), {
    done: saved,
    changes: PROVIDER_READS,
    onError: showError,
    onDone: () => {
      // The secret is stored: the field is for the next one.
      form.setValues(NO_SECRETS)
      form.resetDirty({ ...form.getValues(), ...NO_SECRETS })
    },
  })
  const send = form.onSubmit((values) => save.run({ id: provider.id, ...requestOf(values) }))
  return (
    <form onSubmit={send} noValidate>
      <Fieldset variant="unstyled" disabled={!mayWrite}>
        <Stack>
          <FormProblems problems={problems} />
          <Section title={t.sections.connection}>
            <ConnectionFields form={form} template={template} isNew={false} providerId={provider.id} />
          </Section>
          <Section title={t.sections.accounts}>
            <OptionFields form={form} />
          </Section>
          {mayWrite && (
            <Group justify="flex-end" maw={720}>
              <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                {saveLabel}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  )
}
