/** The keys of an application: add with a file to download once, and remove. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Application,
  type ApplicationKey,
  ApplicationKeysSorting,
} from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import {
  ApplicationService,
  type CreateApplicationKeyResponse,
} from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { downloadText } from '../../parts/download.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListSection } from '../../parts/list-page.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { KEY_LIST } from '../projects/list-spec.ts'
import { applicationTexts } from './texts/index.ts'

const { listApplicationKeys, createApplicationKey, deleteApplicationKey } = ApplicationService.method

const SORTS = {
  created: ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_CREATION_DATE,
  expires: ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_EXPIRATION,
} as const

interface KeysSectionProps {
  readonly application: Application
  readonly mayWrite: boolean
}

/** The section. */
export function KeysSection({ application, mayWrite }: KeysSectionProps) {
  const t = useTexts(applicationTexts)
  const state = useListState(KEY_LIST)
  const [isAdding, adding] = useDisclosure()
  const [added, setAdded] = useState<CreateApplicationKeyResponse>()
  const { applicationId } = application
  const found = useQuery(
    listApplicationKeys,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [{ filter: { case: 'applicationIdFilter', value: { applicationId } } }],
    },
    { placeholderData: keepPreviousData },
  )
  const columns: [Column<ApplicationKey>, ...Column<ApplicationKey>[]] = [
    { key: 'id', header: t.keys.id, cell: ({ keyId }) => <Text size="sm">{keyId}</Text> },
    {
      key: 'created',
      header: t.keys.created,
      sort: 'created',
      cell: ({ creationDate }) => <When time={creationDate} />,
    },
    {
      key: 'expires',
      header: t.keys.expires,
      sort: 'expires',
      cell: ({ expirationDate }) => <When time={expirationDate} />,
    },
  ]
  if (mayWrite) {
    columns.push({
      key: 'actions',
      header: t.actions,
      cell: (applicationKey) => <KeyActions applicationKey={applicationKey} />,
    })
  }
  return (
    <>
      <ListSection
        title={t.keys.title}
        description={t.keys.hint}
        actions={
          mayWrite && (
            <Button onClick={adding.open} leftSection={<Icon name="plus" size={16} />}>
              {t.keys.add}
            </Button>
          )
        }
        state={state}
        columns={columns}
        list={rowsAt(found, ({ keys }) => keys)}
        keyOf={({ keyId }) => keyId}
        empty={<Text>{t.keys.empty}</Text>}
      />
      {isAdding && <AddKey application={application} onClose={adding.close} onAdded={setAdded} />}
      {added !== undefined && <AddedKey added={added} onClose={() => setAdded(undefined)} />}
    </>
  )
}

function KeyActions({ applicationKey }: { readonly applicationKey: ApplicationKey }) {
  const t = useTexts(applicationTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const { keyId, applicationId, projectId } = applicationKey
  const remove = useAction(deleteApplicationKey, { done: t.keys.removeDone, changes: [listApplicationKeys] })
  return (
    <>
      <RowButton label={t.keys.remove} of={keyId} onClick={open} />
      <ConfirmRemove
        name={keyId}
        isOpen={isOpen}
        onClose={close}
        consequence={t.keys.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ keyId, applicationId, projectId })}
      />
    </>
  )
}

interface AddKeyProps {
  readonly application: Application
  onClose(): void
  onAdded(added: CreateApplicationKeyResponse): void
}

function AddKey({ application: { applicationId, projectId }, onClose, onAdded }: AddKeyProps) {
  const t = useTexts(applicationTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { expires: '', publicKey: '' },
    paths: { expires: 'expirationDate', publicKey: 'publicKey' },
    refusals: { 'application.key_expiration_past': 'expires', 'application.key_expiration_invalid': 'expires' },
  })
  const add = useAction(createApplicationKey, {
    done: t.keys.addDone,
    changes: [listApplicationKeys],
    onError: showError,
    onDone: (answer) => {
      onClose()
      if (answer.keyDetails.length > 0) onAdded(answer)
    },
  })
  const send = form.onSubmit(({ expires, publicKey }) =>
    add.run({
      applicationId,
      projectId,
      publicKey: publicKey.trim(),
      ...(expires !== '' && { expirationDate: timestampFromDate(new Date(`${expires}T23:59:59`)) }),
    }),
  )
  return (
    <FormDialog
      title={t.keys.add}
      submitLabel={t.keys.add}
      problems={problems}
      isRunning={add.isRunning}
      onClose={onClose}
      onSubmit={send}
    >
      <TextInput
        type="date"
        label={t.keys.expires}
        description={t.keys.expiresHint}
        data-autofocus
        {...form.getInputProps('expires')}
      />
      <Textarea
        label={t.keys.publicKey}
        description={t.keys.publicKeyHint}
        placeholder="-----BEGIN PUBLIC KEY-----"
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        {...form.getInputProps('publicKey')}
      />
    </FormDialog>
  )
}

function AddedKey({ added, onClose }: { readonly added: CreateApplicationKeyResponse; onClose(): void }) {
  const t = useTexts(applicationTexts)
  const { close } = useTexts(partsTexts)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.keys.addedTitle}
      closeButtonProps={{ 'aria-label': close }}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="yellow" icon={<Icon name="warning" />}>
          {t.keys.downloadHint}
        </Alert>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {close}
          </Button>
          <Button
            data-autofocus
            onClick={() => downloadText(`${added.keyId}.json`, new TextDecoder().decode(added.keyDetails))}
          >
            {t.keys.download}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
