/** The metadata of a user: values by key. A value is shown as text where it is text, else as base64. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Checkbox, Code, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { EditButton } from '../../../parts/edit-button.tsx'
import { FormProblems } from '../../../parts/form-problems.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useServerForm } from '../../../parts/use-server-form.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { bytesOf, shownValue } from './metadata-values.ts'
import { accessTexts } from './texts/index.ts'

const { listUserMetadata, setUserMetadata, deleteUserMetadata } = UserService.method

/** The tab. */
export function MetadataTab({ userId, mayWrite }: { readonly userId: string; readonly mayWrite: boolean }) {
  const t = useTexts(accessTexts)
  const { required } = useTexts(partsTexts)
  const { data, error, refetch } = useQuery(listUserMetadata, { userId, pagination: { limit: 1000, asc: true } })
  const remove = useAction(deleteUserMetadata, { done: t.metadata.removed, changes: [listUserMetadata] })
  const { form, problems, showError } = useServerForm({
    initialValues: { key: '', value: '', isBinary: false },
    validate: {
      key: isNotEmpty(required),
      value: (value, { isBinary }) =>
        value === '' ? required : bytesOf(value, isBinary) === undefined ? t.metadata.notBase64 : null,
    },
    paths: { key: 'metadata[0].key', value: 'metadata[0].value' },
  })
  const set = useAction(setUserMetadata, {
    done: t.metadata.setDone,
    changes: [listUserMetadata],
    onError: showError,
    onDone: () => form.reset(),
  })
  const send = form.onSubmit(({ key, value, isBinary }) =>
    set.run({ userId, metadata: [{ key, value: bytesOf(value, isBinary) ?? new Uint8Array() }] }),
  )
  return (
    <Stack>
      <Section title={t.metadata.title} description={t.metadata.hint}>
        <ItemList
          label={t.metadata.title}
          list={{ rows: data?.metadata, error, refetch }}
          keyOf={({ key }) => key}
          textOf={({ key, value }) => `${key} ${shownValue(value).text}`}
          empty={t.metadata.empty}
          columns={[
            { key: 'key', header: t.metadata.key, cell: ({ key }) => <Code>{key}</Code> },
            { key: 'value', header: t.metadata.value, cell: ({ value }) => shownValue(value).text },
            { key: 'changed', header: t.changed, cell: ({ changeDate }) => <When time={changeDate} /> },
          ]}
          actions={
            mayWrite &&
            (({ key, value }) => (
              <>
                <EditButton
                  label={t.edit({ name: key })}
                  onClick={() => {
                    const { text, isBinary } = shownValue(value)
                    form.setValues({ key, value: text, isBinary })
                  }}
                />
                <RemoveButton
                  name={key}
                  isRunning={remove.isRunning}
                  onConfirm={async () => {
                    const removed = await remove.run({ userId, keys: [key] })
                    // What is removed is no longer edited.
                    if (removed && form.values.key === key) form.reset()
                    return removed
                  }}
                />
              </>
            ))
          }
        />
      </Section>
      {mayWrite && (
        <Section title={t.metadata.set}>
          <form onSubmit={send} noValidate>
            <Stack>
              <FormProblems problems={problems} />
              <TextInput label={t.metadata.key} required maxLength={200} {...form.getInputProps('key')} />
              <Textarea label={t.metadata.value} required autosize maxRows={8} {...form.getInputProps('value')} />
              <Checkbox label={t.metadata.binary} {...form.getInputProps('isBinary', { type: 'checkbox' })} />
              <Group justify="flex-end">
                <Button type="submit" loading={set.isRunning}>
                  {t.metadata.set}
                </Button>
              </Group>
            </Stack>
          </form>
        </Section>
      )}
    </Stack>
  )
}
