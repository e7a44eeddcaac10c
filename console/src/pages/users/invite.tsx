/** Invites a person: creates the account, and sends or shows the link with which they choose how to sign in. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Paper, Radio, SimpleGrid, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { MonitoringService } from '../../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useTargetOrganization } from '../../access/organization.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormPage } from '../../parts/form-page.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { INVITATION_PAGE } from './credentials/invitation.tsx'
import { pageLink } from './credentials/page-link.ts'
import { importTexts } from './import/texts/index.ts'
import { userTexts } from './texts/index.ts'

interface Invited {
  readonly userId: string
  readonly name: string
  /** Empty when it was sent. */
  readonly link: string
}

/** The page: the form, then what was done. */
export function InvitePage() {
  const [invited, setInvited] = useState<Invited>()
  if (invited === undefined) return <InviteForm onDone={setInvited} />
  return <Done invited={invited} onAgain={() => setInvited(undefined)} />
}

function InviteForm({ onDone }: { onDone(invited: Invited): void }) {
  const t = useTexts(userTexts)
  const { invite } = useTexts(importTexts)
  const { required } = useTexts(partsTexts)
  const organizationId = useTargetOrganization()
  const { form, problems, showError } = useServerForm({
    initialValues: { firstName: '', lastName: '', email: '', username: '', medium: 'send' },
    validate: { firstName: isNotEmpty(required), lastName: isNotEmpty(required), email: isNotEmpty(required) },
    paths: {
      firstName: 'human.profile.firstName',
      lastName: 'human.profile.lastName',
      email: 'human.email.email',
      username: 'username',
    },
    refusals: { 'user.username_taken': 'username' },
  })
  const { createUser, createInviteCode, listUsers } = UserService.method
  const create = useAction(createUser, { done: t.createdDone, changes: [listUsers], onError: showError })
  const code = useAction(createInviteCode, { done: invite.done })
  const send = form.onSubmit(async ({ firstName, lastName, email, username, medium }) => {
    const created = await create.run({
      organizationId,
      ...(username !== '' && { username }),
      userType: {
        case: 'human',
        // The invitation verifies the address; a second mail would only confuse.
        value: {
          profile: { firstName, lastName },
          email: { email, verification: { case: 'isVerified', value: false } },
        },
      },
    })
    if (created === undefined) return
    const verification = { case: medium === 'send' ? 'sendCode' : 'returnCode', value: {} } as const
    const invitation = await code.run({ userId: created.id, verification })
    const link = invitation?.inviteCode
      ? pageLink(INVITATION_PAGE, created.id, organizationId, invitation.inviteCode)
      : ''
    onDone({ userId: created.id, name: `${firstName} ${lastName}`, link })
  })
  return (
    <FormPage
      title={invite.title}
      parent={{ to: '/users', label: t.title }}
      problems={problems}
      isRunning={create.isRunning || code.isRunning}
      onSubmit={send}
    >
      <Text size="sm" c="dimmed">
        {invite.hint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t.firstName} required {...form.getInputProps('firstName')} />
        <TextInput label={t.lastName} required {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput label={t.email} type="email" required {...form.getInputProps('email')} />
      <TextInput
        label={t.userName}
        description={t.userNameHint}
        autoComplete="off"
        {...form.getInputProps('username')}
      />
      <Radio.Group label={invite.medium} {...form.getInputProps('medium')}>
        <Stack gap="xs" mt="xs">
          <Radio value="send" label={invite.send} />
          <Radio value="show" label={invite.show} />
        </Stack>
      </Radio.Group>
    </FormPage>
  )
}

/** Without a mail server nothing leaves this machine: the invitation is in the inbox. */
function SentNotice() {
  const { invite } = useTexts(importTexts)
  const { can } = usePermissions()
  const { data, isLoading } = useQuery(MonitoringService.method.getOverview, {}, { enabled: can('iam.read') })
  if (isLoading) return <Skeleton height={20} />
  if (data?.mailServerActive !== false) return <Text>{invite.sent}</Text>
  return (
    <Text>
      {invite.inInbox}{' '}
      {can('iam.write') && (
        <Anchor component={Link} to="/mail/inbox">
          {invite.openInbox}
        </Anchor>
      )}
    </Text>
  )
}

function Done({ invited: { userId, name, link }, onAgain }: { readonly invited: Invited; onAgain(): void }) {
  const t = useTexts(userTexts)
  const { invite } = useTexts(importTexts)
  return (
    <Stack gap="md" maw={720}>
      <Anchor component={Link} to="/users" size="sm" w="fit-content">
        ← {t.title}
      </Anchor>
      <Title order={1}>{invite.doneTitle({ name })}</Title>
      <Paper withBorder p="lg">
        <Stack>
          {link === '' ? <SentNotice /> : <CopyField label={invite.link} value={link} isSecret />}
          <Group>
            <Button component={Link} to="/users/$userId" params={{ userId } as never}>
              {invite.open}
            </Button>
            <Button variant="default" onClick={onAgain}>
              {invite.again}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </Stack>
  )
}
