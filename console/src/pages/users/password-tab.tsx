/** The password of a person: set one, or let them choose one. */
import { Button, Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { HumanUser } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'

interface PasswordTabProps {
  readonly userId: string
  readonly human: HumanUser
}

/** The tab. */
export function PasswordTab({ userId, human }: PasswordTabProps) {
  const t = useTexts(userTexts)
  const { passwordReset } = UserService.method
  const reset = useAction(passwordReset, { done: t.passwordTab.resetDone })
  return (
    <Stack>
      <Section title={t.passwordTab.set} description={t.passwordTab.setHint}>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t.passwordTab.changed}:
          </Text>
          <When time={human.passwordChanged} />
        </Group>
        {human.passwordChangeRequired && <Text size="sm">{t.passwordTab.mustChange}</Text>}
        <SetPasswordForm userId={userId} />
      </Section>
      <Section title={t.passwordTab.reset} description={t.passwordTab.resetHint}>
        <Group>
          <Button variant="default" loading={reset.isRunning} onClick={() => reset.run({ userId })}>
            {t.passwordTab.resetButton}
          </Button>
        </Group>
      </Section>
    </Stack>
  )
}

function SetPasswordForm({ userId }: { readonly userId: string }) {
  const t = useTexts(userTexts)
  const { required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { password: '', changeRequired: true },
    validate: { password: isNotEmpty(required) },
    paths: { password: 'newPassword.password' },
  })
  const set = useAction(UserService.method.setPassword, {
    done: t.passwordTab.setDone,
    changes: USER_READS,
    onError: showError,
    onDone: () => form.reset(),
  })
  return (
    <form onSubmit={form.onSubmit((newPassword) => set.run({ userId, newPassword }))} noValidate>
      <Stack>
        <FormProblems problems={problems} />
        <PasswordInput label={t.password} autoComplete="new-password" required {...form.getInputProps('password')} />
        <Checkbox label={t.changeRequired} {...form.getInputProps('changeRequired', { type: 'checkbox' })} />
        <Group justify="flex-end">
          <Button type="submit" loading={set.isRunning}>
            {t.passwordTab.setButton}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
