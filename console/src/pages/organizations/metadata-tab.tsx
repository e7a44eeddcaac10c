/** The metadata of an organization: values by key that only its callers give a meaning. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Metadata } from '../../../../contract/gen/signet/metadata/v2/metadata_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListSection } from '../../parts/list-page.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { METADATA_LIST } from './list-spec.ts'
import { organizationTexts } from './texts/index.ts'

const { listOrganizationMetadata, setOrganizationMetadata, deleteOrganizationMetadata } = OrganizationService.method

interface MetadataTabProps {
  readonly organizationId: string
  readonly mayWrite: boolean
}

function textOf(value: Uint8Array): string {
  return new TextDecoder().decode(value)
}

/** The tab. */
export function MetadataTab({ organizationId, mayWrite }: MetadataTabProps) {
  const t = useTexts(organizationTexts)
  const state = useListState(METADATA_LIST)
  const [edited, setEdited] = useState<Metadata | 'new'>()
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    listOrganizationMetadata,
    {
      organizationId,
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      filters: state.q ? [{ filter: { case: 'keyFilter', value: { key: state.q, method } } }] : [],
    },
    { placeholderData: keepPreviousData },
  )
  const columns: [Column<Metadata>, ...Column<Metadata>[]] = [
    { key: 'key', header: t.metadata.key, sort: 'key', cell: ({ key }) => <Text size="sm">{key}</Text> },
    { key: 'value', header: t.metadata.value, cell: ({ value }) => <Value text={textOf(value)} /> },
    { key: 'changed', header: t.metadata.changed, cell: ({ changeDate }) => <When time={changeDate} /> },
  ]
  if (mayWrite) {
    const cell = (entry: Metadata) => (
      <EntryActions organizationId={organizationId} entry={entry} onEdit={() => setEdited(entry)} />
    )
    columns.push({ key: 'actions', header: t.actions, cell })
  }
  return (
    <>
      <ListSection
        title={t.tabs.metadata}
        description={t.metadata.hint}
        actions={
          mayWrite && (
            <Button onClick={() => setEdited('new')} leftSection={<Icon name="plus" size={16} />}>
              {t.metadata.add}
            </Button>
          )
        }
        state={state}
        searchLabel={t.metadata.key}
        columns={columns}
        list={rowsAt(found, ({ metadata }) => metadata)}
        keyOf={({ key }) => key}
        empty={<Text>{t.metadata.empty}</Text>}
      />
      {edited !== undefined && (
        <EditEntry
          organizationId={organizationId}
          entry={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function Value({ text }: { readonly text: string }) {
  return (
    <Text size="sm" lineClamp={3} maw={420} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}

interface EntryActionsProps {
  readonly organizationId: string
  readonly entry: Metadata
  onEdit(): void
}

function EntryActions({ organizationId, entry: { key }, onEdit }: EntryActionsProps) {
  const { metadata: t } = useTexts(organizationTexts)
  const { remove: removeTexts } = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteOrganizationMetadata, { done: t.removeDone, changes: [listOrganizationMetadata] })
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="xs" variant="default" onClick={onEdit} aria-label={t.editNamed({ key })}>
        {t.edit}
      </Button>
      <Button size="xs" variant="default" onClick={open} aria-label={t.removeNamed({ key })}>
        {removeTexts.button}
      </Button>
      <ConfirmRemove
        name={key}
        isOpen={isOpen}
        onClose={close}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ organizationId, keys: [key] })}
      />
    </Group>
  )
}

interface EditEntryProps {
  readonly organizationId: string
  /** Undefined: a new one. */
  readonly entry: Metadata | undefined
  onClose(): void
}

function EditEntry({ organizationId, entry, onClose }: EditEntryProps) {
  const { metadata: t } = useTexts(organizationTexts)
  const { required, save: saveLabel, saved } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { key: entry?.key ?? '', value: entry === undefined ? '' : textOf(entry.value) },
    validate: { key: isNotEmpty(required), value: isNotEmpty(required) },
    paths: { key: 'metadata[0].key', value: 'metadata[0].value' },
  })
  const save = useAction(setOrganizationMetadata, {
    done: saved,
    changes: [listOrganizationMetadata],
    onError: showError,
    onDone: onClose,
  })
  const send = form.onSubmit(({ key, value }) =>
    save.run({ organizationId, metadata: [{ key: key.trim(), value: new TextEncoder().encode(value) }] }),
  )
  return (
    <FormDialog
      title={entry === undefined ? t.add : t.editNamed({ key: entry.key })}
      submitLabel={saveLabel}
      problems={problems}
      isRunning={save.isRunning}
      onClose={onClose}
      onSubmit={send}
    >
      <TextInput
        label={t.key}
        required
        readOnly={entry !== undefined}
        data-autofocus={entry === undefined || undefined}
        autoComplete="off"
        {...form.getInputProps('key')}
      />
      <Textarea label={t.value} required autosize minRows={3} maxRows={12} {...form.getInputProps('value')} />
    </FormDialog>
  )
}
