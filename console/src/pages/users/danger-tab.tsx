/** What takes access away from a user: lock, deactivate, remove, and the way back. */
import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type User, UserState } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'
import { displayNameOf } from './user-names.ts'

interface DangerTabProps {
  readonly user: User
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function DangerTab({ user, mayWrite, mayRemove }: DangerTabProps) {
  const t = useTexts(userTexts)
  return (
    <Section title={t.tabs.danger}>
      <Stack gap="md">
        {mayWrite && <LockRow user={user} />}
        {mayWrite && <Divider />}
        {mayWrite && <ActivationRow user={user} />}
        {mayWrite && mayRemove && <Divider />}
        {mayRemove && <RemoveRow user={user} />}
      </Stack>
    </Section>
  )
}

interface RowProps {
  readonly label: string
  readonly hint: string
  readonly color?: string
  readonly isRunning: boolean
  readonly isDisabled?: boolean
  onClick(): unknown
}

function Row({ label, hint, color, isRunning, isDisabled = false, onClick }: RowProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" flex="1 1 16rem">
        {hint}
      </Text>
      <Button
        variant={color ? 'filled' : 'default'}
        {...(color && { color })}
        loading={isRunning}
        disabled={isDisabled}
        onClick={() => void onClick()}
      >
        {label}
      </Button>
    </Group>
  )
}

function LockRow({ user: { userId, state } }: { readonly user: User }) {
  const t = useTexts(userTexts)
  const lock = useAction(UserService.method.lockUser, { done: t.danger.lockDone, changes: USER_READS })
  const unlock = useAction(UserService.method.unlockUser, { done: t.danger.unlockDone, changes: USER_READS })
  if (state === UserState.LOCKED) {
    const run = () => unlock.run({ userId })
    return <Row label={t.danger.unlock} hint={t.danger.unlockHint} isRunning={unlock.isRunning} onClick={run} />
  }
  const run = () => lock.run({ userId })
  return <Row label={t.danger.lock} hint={t.danger.lockHint} isRunning={lock.isRunning} onClick={run} />
}

function ActivationRow({ user: { userId, state } }: { readonly user: User }) {
  const t = useTexts(userTexts)
  const { deactivateUser, reactivateUser } = UserService.method
  const deactivate = useAction(deactivateUser, { done: t.danger.deactivateDone, changes: USER_READS })
  const reactivate = useAction(reactivateUser, { done: t.danger.reactivateDone, changes: USER_READS })
  if (state === UserState.INACTIVE) {
    const { reactivate: label, reactivateHint: hint } = t.danger
    return <Row label={label} hint={hint} isRunning={reactivate.isRunning} onClick={() => reactivate.run({ userId })} />
  }
  const { deactivate: label, deactivateHint: hint } = t.danger
  return <Row label={label} hint={hint} isRunning={deactivate.isRunning} onClick={() => deactivate.run({ userId })} />
}

function RemoveRow({ user }: { readonly user: User }) {
  const t = useTexts(userTexts)
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(UserService.method.deleteUser, {
    done: t.danger.removeDone,
    changes: [UserService.method.listUsers],
    onDone: () => navigate({ to: '/users' }),
  })
  return (
    <>
      <Row label={t.danger.remove} hint={t.danger.removeHint} color="red.9" isRunning={false} onClick={open} />
      <ConfirmRemove
        name={displayNameOf(user)}
        isOpen={isOpen}
        onClose={close}
        consequence={t.danger.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ userId: user.userId })}
      />
    </>
  )
}
