/** One key that signs tokens: its state, and the way to the next one. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { State, type WebKey } from '../../../../contract/gen/signet/webkey/v2/key_pb.ts'
import { WebKeyService } from '../../../../contract/gen/signet/webkey/v2/webkey_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { algorithmOf, KeyState } from './key-facts.tsx'
import { webKeyTexts } from './texts/index.ts'

const { listWebKeys, activateWebKey, deleteWebKey } = WebKeyService.method

/** The page. There are few keys, and the list has all of them. */
export function WebKeyPage() {
  const t = useTexts(webKeyTexts)
  const { keyId } = useParams({ from: '/web-keys/$keyId' })
  const { can } = usePermissions()
  const keys = useQuery(listWebKeys, {})
  const webKey = keys.data?.webKeys.find(({ id }) => id === keyId)
  return (
    <AreaPage
      title={keyId}
      badge={webKey && <KeyState webKey={webKey} />}
      actions={
        webKey && (
          <>
            {can('iam.web_key.write') && webKey.state !== State.ACTIVE && <ActivateButton webKey={webKey} />}
            {can('iam.web_key.delete') && webKey.state !== State.ACTIVE && <RemoveButton webKey={webKey} />}
          </>
        )
      }
      links={
        <Anchor component={Link} to="/web-keys" size="sm" w="fit-content">
          ← {t.title}
        </Anchor>
      }
    >
      <Reading query={keys}>{() => (webKey ? <KeyCard webKey={webKey} /> : <Text>{t.gone}</Text>)}</Reading>
    </AreaPage>
  )
}

function KeyCard({ webKey }: { readonly webKey: WebKey }) {
  const t = useTexts(webKeyTexts)
  const facts = [
    [
      t.algorithm,
      <Text size="sm" key="algorithm">
        {algorithmOf(webKey)}
      </Text>,
    ],
    [t.createdAt, <When key="created" time={webKey.creationDate} />],
    [t.changedAt, <When key="changed" time={webKey.changeDate} />],
  ] as const
  return (
    <Section title={t.key}>
      <Stack gap="sm">
        <CopyField label={t.id} value={webKey.id} />
        {facts.map(([label, value]) => (
          <Group key={label} gap="xs">
            <Text size="sm" c="dimmed">
              {label}:
            </Text>
            {value}
          </Group>
        ))}
        {webKey.state === State.ACTIVE && <Alert color="blue">{t.activeHint}</Alert>}
      </Stack>
    </Section>
  )
}

function ActivateButton({ webKey: { id } }: { readonly webKey: WebKey }) {
  const t = useTexts(webKeyTexts)
  const { cancel, close: closeLabel } = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const activate = useAction(activateWebKey, { done: t.activated, changes: [listWebKeys], onDone: close })
  return (
    <>
      <Button onClick={open}>{t.activate}</Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t.activateTitle({ id })}
        closeButtonProps={{ 'aria-label': closeLabel }}
      >
        <Stack>
          <Text size="sm">{t.activateHint}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {cancel}
            </Button>
            <Button loading={activate.isRunning} onClick={() => activate.run({ id })}>
              {t.activate}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function RemoveButton({ webKey: { id } }: { readonly webKey: WebKey }) {
  const t = useTexts(webKeyTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(deleteWebKey, {
    done: t.removed,
    changes: [listWebKeys],
    onDone: () => navigate({ to: '/web-keys' }),
  })
  return (
    <>
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.remove}
      </Button>
      <ConfirmRemove
        name={id}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeConsequence}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id })}
      />
    </>
  )
}
