/** The mail server: its settings, whether it is used, and a test. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { type EmailProvider, EmailProviderState } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Reading } from '../../parts/reading.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { SmtpForm } from './smtp-form.tsx'
import { smtpOf } from './smtp-values.ts'
import { mailTexts } from './texts/index.ts'

const { listEmailProviders, activateEmailProvider, deactivateEmailProvider, removeEmailProvider } = AdminService.method

/** The page. */
export function MailServerPage() {
  const t = useTexts(mailTexts)
  const { can } = usePermissions()
  const mayWrite = can('iam.write')
  const servers = useQuery(listEmailProviders, {})
  // Webhooks are not set here.
  const server = servers.data?.result.find((one) => smtpOf(one) !== undefined)
  return (
    <AreaPage
      title={t.server.title}
      description={t.server.description}
      links={<AreaLinks area="/mail" />}
      badge={server && <ServerState state={server.state} />}
      actions={server && mayWrite && <ServerActions server={server} />}
    >
      <Reading query={servers}>
        {() => (
          <Stack>
            {server?.state !== EmailProviderState.EMAIL_PROVIDER_ACTIVE && (
              <Alert color="yellow" icon={<Icon name="warning" />} maw={720}>
                <Text size="sm">{server === undefined ? t.server.none : t.server.inactiveHint}</Text>
              </Alert>
            )}
            {(server !== undefined || mayWrite) && (
              <SmtpForm key={server?.id ?? ''} server={server} mayWrite={mayWrite} reads={[listEmailProviders]} />
            )}
          </Stack>
        )}
      </Reading>
    </AreaPage>
  )
}

function ServerState({ state }: { readonly state: EmailProviderState }) {
  const t = useTexts(mailTexts)
  const isActive = state === EmailProviderState.EMAIL_PROVIDER_ACTIVE
  return <StateBadge mood={isActive ? 'good' : 'stopped'} label={isActive ? t.active : t.inactive} />
}

function ServerActions({ server }: { readonly server: EmailProvider }) {
  const t = useTexts(mailTexts)
  const { id, state } = server
  const [isOpen, { open, close }] = useDisclosure()
  const changes = [listEmailProviders]
  const activate = useAction(activateEmailProvider, { done: t.server.activated, changes })
  const deactivate = useAction(deactivateEmailProvider, { done: t.server.deactivated, changes })
  const remove = useAction(removeEmailProvider, { done: t.server.removed, changes })
  const isActive = state === EmailProviderState.EMAIL_PROVIDER_ACTIVE
  const turn = isActive ? deactivate : activate
  return (
    <Group gap="xs">
      <Button variant={isActive ? 'default' : 'filled'} loading={turn.isRunning} onClick={() => turn.run({ id })}>
        {isActive ? t.deactivate : t.activate}
      </Button>
      <Button variant="default" leftSection={<Icon name="remove" size={16} />} onClick={open}>
        {t.remove}
      </Button>
      <ConfirmRemove
        name={smtpOf(server)?.host ?? ''}
        isOpen={isOpen}
        onClose={close}
        consequence={t.server.removeConsequence}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id })}
      />
    </Group>
  )
}
