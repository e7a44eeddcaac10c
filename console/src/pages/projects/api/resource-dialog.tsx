/** Adds a resource to a project, or changes one. */
import { Button, Checkbox, Fieldset, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ProjectResource } from '../../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useServerForm } from '../../../parts/use-server-form.ts'
import { useTexts } from '../../../texts/index.tsx'
import {
  fieldsByPath,
  isTaken,
  NO_SCOPE,
  type ResourceValues,
  resourcesWith,
  scopeProblems,
  valuesOf,
} from './resource-values.ts'
import { apiTexts } from './texts/index.ts'

const { setProjectResources, listProjectResources } = ProjectService.method

interface ResourceDialogProps {
  readonly projectId: string
  readonly resources: readonly ProjectResource[]
  /** Undefined: a new one. */
  readonly edited: ProjectResource | undefined
  onClose(): void
}

/** The dialog. */
export function ResourceDialog({ projectId, resources, edited, onClose }: ResourceDialogProps) {
  const { resources: t } = useTexts(apiTexts)
  const { required, save: saveLabel, saved } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm<ResourceValues>({
    initialValues: valuesOf(edited),
    validate: (values) => ({
      ...(values.uri.trim() === '' && { uri: required }),
      ...(isTaken(values.uri, resources, edited) && { uri: t.uriTaken }),
      ...scopeProblems(values, { required, taken: t.scopeTaken }),
    }),
    paths: {},
    refusals: { 'resource.uri_taken': 'uri', 'resource.host_not_proven': 'uri' },
  })
  const place = edited === undefined ? resources.length : resources.findIndex(({ uri }) => uri === edited.uri)
  const save = useAction(setProjectResources, {
    done: edited === undefined ? t.addDone : saved,
    changes: [listProjectResources],
    onError: (error) => showError(error, fieldsByPath(form.getValues(), place)),
    onDone: onClose,
  })
  const send = form.onSubmit((values) => save.run({ projectId, resources: resourcesWith(resources, edited, values) }))
  return (
    <FormDialog
      title={edited === undefined ? t.add : `${t.edit}: ${edited.uri}`}
      submitLabel={edited === undefined ? t.add : saveLabel}
      problems={problems}
      isRunning={save.isRunning}
      onClose={onClose}
      onSubmit={send}
    >
      <TextInput
        label={t.uri}
        description={edited !== undefined && form.isDirty('uri') ? t.changedUri : t.uriHint}
        placeholder="https://mcp.example.com/mcp"
        type="url"
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('uri')}
      />
      <ScopeFields form={form} />
      <Checkbox
        label={t.isDefault}
        description={t.isDefaultHint}
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}

function ScopeFields({ form }: { readonly form: UseFormReturnType<ResourceValues> }) {
  const { resources: t } = useTexts(apiTexts)
  const { scopes } = form.values
  const set = (next: ResourceValues['scopes']) => form.setFieldValue('scopes', next as never)
  return (
    <Fieldset legend={t.scopes} p="sm">
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t.scopesHint} {t.sentenceHint}
        </Text>
        {scopes.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place, and focus stays there
          <Stack key={index} gap={4}>
            <TextInput
              label={t.scope({ number: index + 1 })}
              placeholder={t.scopePlaceholder}
              autoComplete="off"
              {...form.getInputProps(`scopes.${index}.key`)}
            />
            <TextInput
              label={t.sentence({ number: index + 1 })}
              placeholder={t.sentencePlaceholder}
              autoComplete="off"
              maxLength={300}
              {...form.getInputProps(`scopes.${index}.description`)}
            />
            {scopes.length > 1 && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                w="fit-content"
                leftSection={<Icon name="remove" size={14} />}
                onClick={() => set(scopes.filter((__, at) => at !== index))}
              >
                {t.removeScope({ number: index + 1 })}
              </Button>
            )}
          </Stack>
        ))}
        <Button
          variant="subtle"
          size="xs"
          w="fit-content"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => set([...scopes, NO_SCOPE])}
        >
          {t.addScope}
        </Button>
      </Stack>
    </Fieldset>
  )
}
