/** The settings of the mail server, and a test with what is entered. */
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { Checkbox, PasswordInput, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { isNotEmpty, type UseFormReturnType } from '@mantine/form'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { EmailProvider } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { SmtpTest } from './smtp-test.tsx'
import { pathsOf, type SmtpValues, settingsOf, valuesOf } from './smtp-values.ts'
import { mailTexts } from './texts/index.ts'

interface SmtpFormProps {
  readonly server: EmailProvider | undefined
  readonly mayWrite: boolean
  readonly reads: readonly DescMethodUnary[]
}

/** Adds the server where there is none, else changes it. */
export function SmtpForm({ server, mayWrite, reads }: SmtpFormProps) {
  const t = useTexts(mailTexts)
  const { saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(server),
    validate: { host: isNotEmpty(required), senderAddress: isNotEmpty(required), senderName: isNotEmpty(required) },
    paths: pathsOf(valuesOf(server)),
  })
  const after = { changes: reads, onError: showError }
  const add = useAction(AdminService.method.addEmailProviderSMTP, { ...after, done: t.server.added })
  const update = useAction(AdminService.method.updateEmailProviderSMTP, {
    ...after,
    done: saved,
    onDone: () => {
      form.setValues({ password: '', clientSecret: '' })
      form.resetDirty()
    },
  })
  const send = form.onSubmit((values) =>
    server === undefined ? add.run(settingsOf(values)) : update.run({ id: server.id, ...settingsOf(values) }),
  )
  return (
    <Stack>
      <FormSection
        anchor="server"
        title={t.server.settings}
        problems={problems}
        mayWrite={mayWrite}
        isRunning={add.isRunning || update.isRunning}
        isDirty={form.isDirty()}
        onSubmit={send}
        {...(server === undefined && { saveLabel: t.server.add })}
      >
        <TextInput
          label={t.server.host}
          description={t.server.hostHint}
          placeholder="smtp.example.com:587"
          required
          {...form.getInputProps('host')}
        />
        <Checkbox
          label={t.server.tls}
          description={t.server.tlsHint}
          {...form.getInputProps('tls', { type: 'checkbox' })}
        />
        <LoginFields form={form} isNew={server === undefined} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t.server.senderAddress} type="email" required {...form.getInputProps('senderAddress')} />
          <TextInput label={t.server.senderName} required {...form.getInputProps('senderName')} />
        </SimpleGrid>
        <TextInput
          label={t.server.replyTo}
          description={t.server.replyToHint}
          {...form.getInputProps('replyToAddress')}
        />
        <TextInput label={t.description} {...form.getInputProps('description')} />
      </FormSection>
      {mayWrite && <SmtpTest id={server?.id ?? ''} values={form.values} />}
    </Stack>
  )
}

interface LoginFieldsProps {
  readonly form: UseFormReturnType<SmtpValues>
  readonly isNew: boolean
}

/** How the server authenticates: with a password, or with access tokens. */
function LoginFields({ form, isNew }: LoginFieldsProps) {
  const t = useTexts(mailTexts)
  const hasTokens = form.values.login === 'token'
  const login = [
    { value: 'password', label: t.server.byPassword },
    { value: 'token', label: t.server.byToken },
  ]
  const hint = isNew ? '\u00a0' : t.server.passwordHint
  return (
    <>
      <SegmentedControl
        data={login}
        aria-label={t.server.authentication}
        w="fit-content"
        {...form.getInputProps('login')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t.server.user}
          description={hasTokens ? t.server.mailboxHint : t.server.userHint}
          autoComplete="off"
          {...form.getInputProps('user')}
        />
        {hasTokens ? (
          <TextInput
            label={t.server.tokenEndpoint}
            description={t.server.tokenEndpointHint}
            placeholder="https://login.microsoftonline.com/…/oauth2/v2.0/token"
            {...form.getInputProps('tokenEndpoint')}
          />
        ) : (
          <PasswordInput
            label={t.server.password}
            description={hint}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        )}
      </SimpleGrid>
      {hasTokens && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t.server.clientId}
              description={'\u00a0'}
              autoComplete="off"
              {...form.getInputProps('clientId')}
            />
            <PasswordInput
              label={t.server.clientSecret}
              description={hint}
              autoComplete="new-password"
              {...form.getInputProps('clientSecret')}
            />
          </SimpleGrid>
          <TextInput
            label={t.server.scopes}
            description={t.server.scopesHint}
            placeholder="https://outlook.office365.com/.default"
            {...form.getInputProps('scopes')}
          />
        </>
      )}
    </>
  )
}
