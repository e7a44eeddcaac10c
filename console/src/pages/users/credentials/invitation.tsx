/** Invites a person who has no sign-in method yet: by email, or with a link that the administrator passes on. */
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { Section } from '../../../parts/section.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { USER_READS } from '../changed-methods.ts'
import { pageLink } from './page-link.ts'
import { credentialTexts } from './texts/index.ts'

/** The page of the link in an invitation. */
export const INVITATION_PAGE = '/accept-invitation'

interface InvitationProps {
  readonly userId: string
  readonly organizationId: string
}

/** The section. */
export function InvitationSection({ userId, organizationId }: InvitationProps) {
  const t = useTexts(credentialTexts)
  const [link, setLink] = useState('')
  const invite = useAction(UserService.method.createInviteCode, {
    done: t.invitation.done,
    changes: USER_READS,
    onDone: ({ inviteCode }) =>
      setLink(inviteCode === undefined ? '' : pageLink(INVITATION_PAGE, userId, organizationId, inviteCode)),
  })
  const run = (medium: 'sendCode' | 'returnCode') =>
    void invite.run({ userId, verification: { case: medium, value: {} } })
  return (
    <Section title={t.invitation.title} description={t.invitation.hint}>
      <Group>
        <Button variant="default" loading={invite.isRunning} onClick={() => run('sendCode')}>
          {t.invitation.send}
        </Button>
        <Button variant="default" loading={invite.isRunning} onClick={() => run('returnCode')}>
          {t.invitation.show}
        </Button>
      </Group>
      {link !== '' && <CopyField label={t.invitation.link} value={link} isSecret />}
    </Section>
  )
}
