/** What takes access away from a user: lock, deactivate, remove, and the way back. */
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type User, UserState } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { useMe } from '../../access/me.tsx'
import { ActionRow } from '../../parts/action-row.tsx'
import { ActivationRow, AskingRow, DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'
import { displayNameOf } from './user-names.ts'

const { lockUser, unlockUser, deactivateUser, reactivateUser, deleteUser, listUsers } = UserService.method

interface DangerTabProps {
  readonly user: User
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function DangerTab({ user, mayWrite, mayRemove }: DangerTabProps) {
  const { tabs, danger } = useTexts(userTexts)
  const navigate = useNavigate()
  const { userId, state } = user
  const isOwn = useMe().userId === userId
  const name = displayNameOf(user)
  const deactivate = useAction(deactivateUser, { done: danger.deactivateDone, changes: USER_READS })
  const activate = useAction(reactivateUser, { done: danger.activateDone, changes: USER_READS })
  const remove = useAction(deleteUser, {
    done: danger.removeDone,
    changes: [listUsers],
    onDone: () => navigate({ to: '/users' }),
  })
  return (
    <DangerSection title={tabs.danger}>
      {mayWrite && isOwn && <Text size="sm">{danger.own}</Text>}
      {mayWrite && !isOwn && <LockRow user={user} />}
      {mayWrite && !isOwn && (
        <ActivationRow
          texts={danger}
          isActive={state !== UserState.INACTIVE}
          isRunning={activate.isRunning || deactivate.isRunning}
          question={danger.deactivateQuestion({ name })}
          onActivate={() => activate.run({ userId })}
          onDeactivate={() => deactivate.run({ userId })}
        />
      )}
      {mayRemove && (
        <RemoveRow texts={danger} name={name} isRunning={remove.isRunning} onRemove={() => remove.run({ userId })} />
      )}
    </DangerSection>
  )
}

function LockRow({ user }: { readonly user: User }) {
  const { userId, state } = user
  const { danger } = useTexts(userTexts)
  const lock = useAction(lockUser, { done: danger.lockDone, changes: USER_READS })
  const unlock = useAction(unlockUser, { done: danger.unlockDone, changes: USER_READS })
  const isRunning = lock.isRunning || unlock.isRunning
  return state === UserState.LOCKED ? (
    <ActionRow
      label={danger.unlock}
      hint={danger.unlockHint}
      isRunning={isRunning}
      onClick={() => unlock.run({ userId })}
    />
  ) : (
    <AskingRow
      label={danger.lock}
      hint={danger.lockHint}
      question={danger.lockQuestion({ name: displayNameOf(user) })}
      isRunning={isRunning}
      onConfirm={() => lock.run({ userId })}
    />
  )
}
