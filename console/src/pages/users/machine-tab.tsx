/** The name, user name and kind of tokens of a machine. */
import { Button, Fieldset, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { AccessTokenType, type MachineUser, type User } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'

interface MachineTabProps {
  readonly user: User
  readonly machine: MachineUser
  readonly mayWrite: boolean
}

/** The tab. */
export function MachineTab({ user, machine, mayWrite }: MachineTabProps) {
  const t = useTexts(userTexts)
  const { save: saveLabel, saved, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: {
      name: machine.name,
      description: machine.description,
      username: user.username,
      tokens: machine.accessTokenType === AccessTokenType.JWT ? 'jwt' : 'bearer',
    },
    validate: { name: isNotEmpty(required), username: isNotEmpty(required) },
    paths: { name: 'machine.name', description: 'machine.description', username: 'username' },
    refusals: { 'user.username_taken': 'username' },
  })
  const save = useAction(UserService.method.updateUser, {
    done: saved,
    changes: USER_READS,
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit(({ username, name, description, tokens }) => {
    const accessTokenType = tokens === 'jwt' ? AccessTokenType.JWT : AccessTokenType.BEARER
    return save.run({
      userId: user.userId,
      ...(username !== user.username && { username }),
      userType: { case: 'machine', value: { name, description, accessTokenType } },
    })
  })
  return (
    <Section title={t.profile.machineTitle}>
      <form onSubmit={send} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <FormProblems problems={problems} />
            <TextInput label={t.machineName} required {...form.getInputProps('name')} />
            <TextInput label={t.machineDescription} {...form.getInputProps('description')} />
            <TextInput label={t.userName} required {...form.getInputProps('username')} />
            <NativeSelect
              label={t.accessTokenType}
              data={[
                { value: 'bearer', label: t.bearer },
                { value: 'jwt', label: t.jwt },
              ]}
              {...form.getInputProps('tokens')}
            />
            <CopyField label={t.id} value={user.userId} />
            {mayWrite && (
              <Group justify="flex-end">
                <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                  {saveLabel}
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
